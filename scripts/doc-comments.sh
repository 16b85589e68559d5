#!/usr/bin/env bash
# Fails if a public declaration of the modules for authors has no doc comment, and prints each of them.
#
#     scripts/doc-comments.sh FOLDER-OF-THE-DEBUG-BUILD
#
# The compiler lists the declarations. Two kinds need no comment: members that the compiler makes, which have no place in
# a file, and witnesses of a protocol, whose requirement has the comment.
set -euo pipefail
debug=$(realpath "$1")
cd "$(dirname "$0")/.."
modules=(BusdProtocol BusdGamesEvents BusdGames BusdBooksEvents BusdBooks BusdLoginEvents BusdLogin BusdEcho BusdHosting BusdDaemon BusdTestKit BusdClient)
symbols=$(mktemp -d)
trap 'rm -rf "$symbols"' EXIT
scripts/symbols.sh "$debug" "$symbols" "${modules[@]}"

# One line for each declaration: whether it has a comment, its place, its name.
declarations=$(jq -r '([.relationships[] | select(.sourceOrigin) | {(.source): true}] | add) as $witnesses
    | .symbols[] | select(.location and (($witnesses // {})[.identifier.precise] | not))
    | [has("docComment"), "\(.location.uri | sub(".*/Sources/"; "Sources/")):\(.location.position.line + 1)",
        (.pathComponents | join("."))] | @tsv' "$symbols"/*.symbols.json)
missing=$(awk -F'\t' '$1 == "false" { print $2 ": " $3 " has no doc comment" }' <<<"$declarations" | sort -V)
[[ -z $missing ]] && exit
echo "$missing" >&2
echo "$(wc -l <<<"$missing") of $(wc -l <<<"$declarations") public declarations have no doc comment" >&2
exit 1
