#!/usr/bin/env bash
# Counts what the parts of the broker show to each other, and compares the counts with scripts/part-counts.txt.
#
#     scripts/part-counts.sh FOLDER-OF-THE-DEBUG-BUILD            fails if a count differs
#     scripts/part-counts.sh FOLDER-OF-THE-DEBUG-BUILD --record   records counts that have fallen
#     scripts/part-counts.sh FOLDER-OF-THE-DEBUG-BUILD --record REASON   records counts that have grown, too
#
# The reason for the last raise stands behind the count. The compiler says which properties
# another file can set: in its list of symbols such a property is a `var` without `{ get }`. The properties of `Bus` are
# the parts themselves, and are not counted. A method lends state if it hands it to a closure as `inout`; what a closure
# writes to (`JSONWriter`, `OutputSpan`) is no state.
set -euo pipefail
plan=$(realpath "$1.yaml")
debug=$(realpath "$1")
record=${2-} reason=${3-}
cd "$(dirname "$0")/.."
rooms=(Sources/busd/Broker Sources/busd/Hosting)
recorded=scripts/part-counts.txt
symbols=$(mktemp -d)
trap 'rm -rf "$symbols"' EXIT

package=$(grep -om1 '"-package-name","[^"]*"' "$plan" | cut -d'"' -f4)
imports=(-I "$debug/Modules" -Xcc "-fmodule-map-file=$debug/CBusdSystem.build/module.modulemap")
for map in Sources/*/module.modulemap; do imports+=(-I "${map%/*}"); done
for room in "${rooms[@]}"; do
    name=Busd${room##*/}
    find "$room" -name '*.swift' -print0 | xargs -0 swiftc -emit-module -emit-module-path "$symbols/$name.swiftmodule" \
        -module-name "$name" -package-name "$package" -swift-version 6 "${imports[@]}" \
        -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
        -emit-symbol-graph -emit-symbol-graph-dir "$symbols" -symbol-graph-minimum-access-level internal
done

# One line for each declaration: kind, type, text.
declarations=$(jq -r '.symbols[] | [(.kind.identifier | sub("^swift\\.(type\\.)?"; "")), .pathComponents[-2] // "",
    ([.declarationFragments[].spelling] | join("") | gsub("\\s+"; " "))] | @tsv' "$symbols"/*.symbols.json)
settable='\bvar [^{]*($|\{.*\bset\b)'

# count NAME PATTERN: declarations that match
count() { printf '%s\t%s\n' "$1" "$(grep -cP -- "$2" <<<"$declarations" || true)"; }
# files NAME PATTERN PLACE: files with code that matches
files() { printf '%s\t%s\n' "$1" "$(grep -rlE --include='*.swift' -- "$2" "$3" | wc -l)"; }

counts=$(
    printf 'lines of code\t%s\n' \
        "$(find "${rooms[@]}" -name '*.swift' -exec cat {} + | grep -cvE '^\s*(//|$)')"
    count 'properties that others set' "^property\t(?!Bus\t)[^\t]*\t.*$settable"
    count 'subscripts that others set' '^subscript\t.*\{.*\bset\b'
    count 'methods that lend state' '^method\t(?!Bus\t).*\(inout (?!JSONWriter|OutputSpan)[^)]*\) (throws(\([^)]*\))? )?->'
    count 'properties of Connection' '^property\tConnection\t'
    count 'flags of Connection' '^property\tConnection\t.*: Bool\b'
    files 'files of Broker that know JSON' 'JSON[A-Z]|UInt8\(ascii:|\.json\b' Sources/busd/Broker
    printf 'lines outside the door that ask\t%s\n' "$(
        grep -rE --include='*.swift' 'isAdministrative|mayManage|mayKeep|\.administrative\b|access == \.control' \
            Sources/busd/Broker | grep -vE '^[^:]*/(Door|Admission)[^:/]*:|: *//' | wc -l)"
    printf 'properties without checks of exclusive access\t%s\n' \
        "$(grep -rF --include='*.swift' '@exclusivity(unchecked)' Sources | wc -l)"
    printf 'requirements of ViewModelHost\t%s\n' \
        "$(jq '[.relationships[] | select(.kind == "requirementOf" and (.target | test("ViewModelHost")))] | length' \
            "$symbols/BusdBroker.symbols.json")"
)

status=0
fail() { echo "$1" >&2 && status=1; }
lines=()
while IFS=$'\t' read -r name number; do
    IFS=$'\t' read -r before why < <(awk -F'\t' -v name="$name" '$1 == name { print $2 "\t" $3 }' "$recorded") || true
    if [[ -z $before ]]; then
        fail "$recorded has no line for: $name, $number"
    elif ((number > before)); then
        why="was $before: $reason"
        [[ -n $reason ]] || fail "$name: $number, and $before were recorded: run scripts/part-counts.sh $debug --record REASON"
    elif ((number < before)); then
        why=
        [[ $record == --record ]] ||
            fail "$name: $number, and $before were recorded: run scripts/part-counts.sh $debug --record"
    fi
    lines+=("$name"$'\t'"$number${why:+$'\t'$why}")
done <<<"$counts"
if [[ $record == --record ]] && ((status == 0)); then printf '%s\n' "${lines[@]}" >"$recorded"; fi
exit $status
