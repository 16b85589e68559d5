#!/usr/bin/env bash
# Writes the man pages docs/man/PROGRAM.N from their prose, docs/man/PROGRAM.N.in, and from the tables that each
# program prints with --manual. A line of the prose may be a mark:
#
#     @SECTION@         begins a section of the tables, such as @OPTIONS@. All its entries are printed.
#     @ENTRY@           prints the section through an entry, such as @list@, @--socket@ or, for the option of a verb,
#                       @watch --until@. The prose below it belongs to that entry.
#     @include FILE@    prints a file of the same folder.
#
# A section of the prose replaces the section of the tables that has the same title. Each section of the tables needs a
# mark or a replacement.
#
#     scripts/manuals.sh [--check] FOLDER-OF-THE-PROGRAMS [FOLDER-OF-THE-PAGES]
#
# --check writes nothing, and fails if a page would change.
set -euo pipefail
checks=0
if [[ ${1-} == --check ]]; then checks=1 && shift; fi
programs=$1
man=${2:-$(cd "$(dirname "$0")/.." && pwd)/docs/man}

# fill PROSE: standard input is the program's page
fill() {
    awk -v prose="$1" -v folder="$man" '
        function wrong(why) { print prose ":" FNR ": " why > "/dev/stderr"; failed = 1 }
        function put(to) { while (place < to) print page[++place] }
        function copy(path,   line, status) {
            while ((status = (getline line < path)) > 0) print line
            if (status < 0) wrong("cannot read " path)
        }
        # The first word of the label of an entry, without a short option: "--socket".
        function key(label) {
            gsub(/^\.[A-Z]+ |\\f./, "", label)
            gsub(/\\-/, "-", label)
            sub(/^-[A-Za-z], /, "", label)
            sub(/ .*/, "", label)
            return verb label
        }
        function begin(name) {
            put(end)
            if (seen[section = name]++) wrong("@" name "@ is there twice")
        }

        FILENAME == "-" {
            page[FNR] = $0
            if (/^\.TH /) name = "TITLE"
            if (/^\.SH /) { name = substr($0, 5); verb = "" }
            if (/^\.SS Of /) verb = $3 " "
            if (page[FNR - 1] == ".TP") entry[name, key($0)] = FNR + 1
            if (!(name in first)) first[name] = FNR
            last[name] = FNR
            next
        }
        /^@[^@]+@$/ {
            mark = substr($0, 2, length($0) - 2)
            if (mark in first) { begin(mark); place = first[mark] - 1; end = last[mark]; put(first[mark]) }
            else if (sub(/^include /, "", mark)) copy(folder "/" mark)
            else if (entry[section, mark] > place) put(entry[section, mark])
            else wrong("the page has no " mark " here")
            next
        }
        /^\.SH / { begin(substr($0, 5)); place = end = 0 }
        { print }
        END {
            put(end)
            for (name in first) if (!(name in seen)) wrong("@" name "@ is missing")
            exit failed
        }' - "$1"
}

fresh=$(mktemp)
trap 'rm "$fresh"' EXIT
failed=0
for prose in "$man"/*.[1-8].in; do
    page=${prose%.in}
    program=$(basename "${page%.*}")
    if ! "$programs/$program" --manual | fill "$prose" >"$fresh"; then
        failed=1
    elif ((checks)); then
        cmp -s "$page" "$fresh" || { echo "$page is not up to date: run make manuals" >&2 && failed=1; }
    else
        cat "$fresh" >"$page"
    fi
done
exit $failed
