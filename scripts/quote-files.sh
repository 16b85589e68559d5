#!/usr/bin/env bash
# Checks that code in the documents is quoted from compiled files. A block after one of these lines is a
# quote:
#
#     <!-- file: Examples/Counter/Sources/counterd/Counterd.swift -->    the whole file
#     <!-- part: Examples/Counter/Sources/counterd/Counterd.swift -->    consecutive lines of the file
#
# A part may have less indentation than in its file. Prints each block that differs, and fails if there is
# one.
#
# A tutorial shows how a file grows: its step Resources/PATH-STEP.swift has some lines of Examples/PATH.swift, in the
# order of the file, and the last step has all of them.
#
#     scripts/quote-files.sh [--write] [ROOT]     --write replaces the blocks of whole files, and the last steps
set -euo pipefail
export LC_ALL=C.UTF-8
write=0
if [[ ${1-} == --write ]]; then write=1 && shift; fi
cd "${1:-$(dirname "$0")/..}"

differs=0
for document in *.md docs/*.md Examples/*.md $(find Sources -path '*.docc/*.md' 2>/dev/null | sort); do
    [[ -f $document ]] || continue
    grep -q '^<!-- \(file\|part\): ' "$document" || continue
    fresh=$(mktemp)
    awk -v document="$document" '
        function wrong(why) {
            print document ":" start ": " why > "/dev/stderr"
            failed = 1
        }
        # The lines of a file, each with a line feed; "" if it cannot be read.
        function content(path,   line, text) {
            text = ""
            while ((getline line < path) > 0) text = text line "\n"
            close(path)
            return text
        }
        # Indents all lines of a text that are not empty.
        function indented(text, by,   lines, count, i, all) {
            count = split(text, lines, "\n")
            all = ""
            for (i = 1; i < count; i++) all = all (lines[i] == "" ? "" : by lines[i]) "\n"
            return all
        }
        function isPart(text, of,   by) {
            for (by = ""; length(by) <= 16; by = by "    ")
                if (index("\n" of, "\n" indented(text, by))) return 1
            return 0
        }
        function check(   whole) {
            whole = content(path)
            if (whole == "") wrong("cannot read " path)
            else if (kind == "file" && block != whole) {
                if (!writing) wrong("the block is not " path)
                block = whole
            } else if (kind == "part" && (block == "" || !isPart(block, whole)))
                wrong("the block is no part of " path)
        }
        BEGIN { writing = '"$write"' }
        state == 2 && /^```/ { check(); printf "%s", block; state = 0; print; next }
        state == 2 { block = block $0 "\n"; next }
        state == 1 {
            if (/^```/) { state = 2; block = "" } else { wrong("no block follows"); state = 0 }
            print
            next
        }
        /^<!-- (file|part): [^ ]+ -->$/ { kind = substr($2, 1, 4); path = $3; start = FNR; state = 1 }
        { print }
        END { if (state) wrong("the block has no end"); exit failed }
    ' "$document" >"$fresh" || differs=1
    if ((write)) && ! cmp -s "$document" "$fresh"; then cat "$fresh" >"$document"; fi
    rm "$fresh"
done

# last STEP: whether no step of the same file comes after it
last() {
    local steps
    steps=$(printf '%s\n' "${1%-*}"-*.swift | sort --version-sort)
    [[ ${steps##*$'\n'} == "$1" ]]
}

steps=docs/Tutorials.docc/Resources
while IFS= read -r -d '' step; do
    file=${step#"$steps/"}
    file=Examples/${file%-*}.swift
    if last "$step"; then
        if ((write)); then cp "$file" "$step"; fi
        cmp -s "$step" "$file" || { echo "$step: the last step is not $file" >&2 && differs=1; }
    else
        # Takes lines of the file up to the one that the step has next.
        awk -v file="$file" '
            {
                do {
                    if ((getline line < file) > 0) continue
                    print FILENAME ":" FNR ": the line is not in " file ", or it is not in this place" > "/dev/stderr"
                    exit 1
                } while (line != $0)
            }' "$step" || differs=1
    fi
done < <(find "$steps" -name '*.swift' -print0 2>/dev/null | sort --zero-terminated)
exit $differs
