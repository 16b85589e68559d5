#!/usr/bin/env bash
# Runs a build in one line that moves. All its output is in LOG; a failed build ends with its errors.
#
#     scripts/build.sh LOG WHAT HINT COMMAND...
#
# HINT says how long a first build takes.
set -uo pipefail
log=$1 what=$2 hint=$3
shift 3
mkdir -p "$(dirname "$log")"

began=$SECONDS step=
show() {
    [[ ! -t 1 ]] || printf '\r\e[K== building %s%s, %d s (%s)' "$what" "$step" $((SECONDS - began)) "$hint"
}
[[ -t 1 ]] || echo "== building $what ($hint)"
exec {lines}< <("$@" 2>&1 | tee "$log"; exit "${PIPESTATUS[0]}")
build=$!
while :; do
    show
    IFS= read -r -t 1 -u "$lines" line
    case $? in
        0) [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] && step=": step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}" ;;
        1) break ;;
    esac
done
wait "$build"
status=$?
[[ ! -t 1 ]] || printf '\r\e[K'
if ((status)); then
    grep -a -E -A 12 '(^|: )(error|fatal error):' "$log" | head -60 >&2
    echo "== the build of $what failed after $((SECONDS - began)) s; all output is in $log" >&2
    exit "$status"
fi
echo "== built $what in $((SECONDS - began)) s"
