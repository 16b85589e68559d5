#!/usr/bin/env bash
# Ends a run of tests: the skipped tests with their reasons and, last, the names of the failed ones.
#
#     scripts/verdict.sh FOLDER TITLE GROUP...
set -euo pipefail
export LC_ALL=C.UTF-8
shopt -s nullglob
folder=$1 title=$2
shift 2
for group in "$@"; do
    [[ -e $folder/$group.passed || -e $folder/$group.failed ]] ||
        echo "== $group did not end; its output is in $folder/$group.log" >"$folder/$group.failed"
done
failed=("$folder"/*.failed)
"$(dirname "$0")/skipped.sh" "$folder"/*.log
if ((${#failed[@]})); then
    cat "${failed[@]}" >&2
    names=$(sed -nE 's/^✘ Test "?([^"]+)"? recorded an issue.*/\1/p' "${failed[@]}" | sort -u)
    names=${names:-$(basename -s .failed -a "${failed[@]}")}
    echo "== $title: FAILED: ${names//$'\n'/; }" >&2
    exit 1
fi
echo "== $title: passed"
