#!/usr/bin/env bash
# Counts lines of code: no blank lines, no comments. Sources per room, and the files of Tests that hold no test.
#
#     scripts/code-lines.sh                 a table
#     scripts/code-lines.sh --since REV     lines added and deleted since a revision; lines that only moved do not count
#
# A line has moved if the same text, without indentation, was deleted in one place and added in another.
set -euo pipefail
cd "$(dirname "$0")/.."

# Prints each line of code of the tree in the current folder: "Sources" or "Tests", the room, the text.
code() {
    local names=(-name '*.swift' -o -name '*.[ch]' -o -name '*.js' -o -name '*.css' -o -name '*.html')
    {
        find Sources -type f \( "${names[@]}" \)
        find Tests -type f \( "${names[@]}" \) -exec grep -Lw '@Test' {} +
    } | sort | xargs awk '
        FNR == 1 {
            comment = 0
            split(FILENAME, path, "/")
            room = path[2] ~ /^(busd|clients)$/ ? path[2] "/" path[3] : path[2]
            sub(/\.[a-z]+$/, "", room)
        }
        { sub(/^[ \t]+/, ""); sub(/[ \t\r]+$/, "") }
        # A block comment begins and ends with a line in this project.
        /^(\/\*|<!--)/ { comment = 1 }
        comment { if (/\*\/|-->/) comment = 0; next }
        /^$/ || /^\/\// { next }
        { print path[1] "\t" room "\t" $0 }'
}

if [[ ${1-} == --since && $# == 2 ]]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    git archive "$2" Sources Tests | tar -x -C "$folder"
    awk -F'\t' '
        { text = $0; sub(/^[^\t]*\t[^\t]*\t/, "", text); key = $1 "\t" text }
        FNR == NR { count[key]--; before[$1]++; next }
        { count[key]++; after[$1]++ }
        END {
            for (key in count) {
                split(key, part, "\t")
                if (count[key] > 0) added[part[1]] += count[key]; else deleted[part[1]] -= count[key]
            }
            printf "%-24s %8s %8s %8s %8s\n", "", "before", "now", "added", "deleted"
            row("Sources", "Sources"); row("Tests", "Support code of tests")
        }
        function row(tree, title) {
            printf "%-24s %8d %8d %8d %8d\n", title, before[tree], after[tree], added[tree], deleted[tree]
        }' <(cd "$folder" && code) <(code)
elif [[ $# == 0 ]]; then
    code | awk -F'\t' '
        { count[$1 "\t" $2]++; sum[$1]++ }
        END {
            for (room in count) print room "\t" count[room] | "sort"
            close("sort")
            print "Sources\t\t" sum["Sources"]
            print "Tests\t\t" sum["Tests"]
        }' | awk -F'\t' '{ printf "%-9s %-24s %7d\n", $1, $2 == "" ? "all" : $2, $3 }'
else
    echo "usage: scripts/code-lines.sh [--since REV]" >&2
    exit 2
fi
