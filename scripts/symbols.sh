#!/usr/bin/env bash
# Writes the symbol graphs of modules of the debug build: their public declarations, as JSON.
#
#     scripts/symbols.sh FOLDER-OF-THE-DEBUG-BUILD FOLDER MODULE...
set -euo pipefail
debug=$(realpath "$1")
folder=$(realpath "$2")
cd "$(dirname "$0")/.."

target=$(swift -print-target-info)
tools=$(jq -r .paths.runtimeResourcePath <<<"$target")/../../bin
# C modules that the modules import.
imports=(-Xcc "-fmodule-map-file=$debug/CBusdSystem.build/module.modulemap")
for map in Sources/*/module.modulemap; do imports+=(-I "${map%/*}"); done
for module in "${@:3}"; do
    "$tools/swift-symbolgraph-extract" -module-name "$module" -I "$debug/Modules" "${imports[@]}" \
        -target "$(jq -r .target.unversionedTriple <<<"$target")" -minimum-access-level public \
        -skip-synthesized-members -omit-extension-block-symbols -output-dir "$folder"
done
