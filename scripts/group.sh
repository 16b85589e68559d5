#!/usr/bin/env bash
# Runs a group of tests. One line says how it ended; all output is in FOLDER/NAME.log. If it failed, FOLDER/NAME.failed
# has the names of the failed tests with ten lines each, for scripts/verdict.sh. FOLDER/pictures has the last pictures of
# failed screens and pages.
#
#     scripts/group.sh FOLDER NAME COMMAND...
set -uo pipefail
export LC_ALL=C.UTF-8
folder=$1 name=$2
shift 2
mkdir -p "$folder/pictures"
log=$folder/$name.log
began=$SECONDS
"$@" >"$log" 2>&1 </dev/null
status=$?
took="$((SECONDS - began)) s"
if ((status == 0)); then
    count=$(awk '/Test run with [0-9]+ tests.* passed/ { sub(/.*Test run with /, ""); sum += $1 } END { print sum }' "$log")
    touch "$folder/$name.passed"
    echo "== $name: ${count:+$count tests }passed in $took"
    exit
fi
# Tests of Swift Testing name themselves; of a script, the last lines say what it did.
issues=$(sed $'s/\e\\[[0-9;]*m//g' "$log" | grep -E -A 9 '✘ .*recorded an issue|Fatal error|^✘ .*(crashed|exited)' | head -200)
{
    echo "== $name failed after $took with status $status; all output is in $log"
    if [[ -n $issues ]]; then echo "$issues"; else tail -n 12 "$log"; fi
} | cut -c1-400 >"$folder/$name.failed"
echo "== $name: FAILED, in $took"
exit 1
