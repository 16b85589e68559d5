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
modules=(BusdProtocol BusdViewModels BusdHosting BusdDaemon BusdTestKit BusdClient)
symbols=$(mktemp -d)
trap 'rm -rf "$symbols"' EXIT

target=$(swift -print-target-info)
tools=$(jq -r .paths.runtimeResourcePath <<<"$target")/../../bin
# C modules that the modules import.
imports=(-Xcc "-fmodule-map-file=$debug/CBusdSystem.build/module.modulemap")
for map in Sources/*/module.modulemap; do imports+=(-I "${map%/*}"); done
for module in "${modules[@]}"; do
    "$tools/swift-symbolgraph-extract" -module-name "$module" -I "$debug/Modules" "${imports[@]}" \
        -target "$(jq -r .target.unversionedTriple <<<"$target")" -minimum-access-level public \
        -skip-synthesized-members -omit-extension-block-symbols -output-dir "$symbols"
done

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
