#!/usr/bin/env bash
# Builds the site of the documentation from the modules of a debug build. A warning is an error.
#
#     scripts/docs.sh FOLDER-OF-THE-DEBUG-BUILD SITE
#
# SITE has documentation/ (the public symbols), tutorials/ and man/. SITE.parts has intermediate results. Set BASE to the
# path of the site on its server, such as /busd, unless that is /.
set -euo pipefail
debug=$(realpath "$1")
site=$(realpath -m "$2")
cd "$(dirname "$0")/.."
parts=$site.parts
rm -rf "$parts"
mkdir -p "$parts"
trap 'rm -rf "$parts"' EXIT

# MODULE CATALOG [MODULE THAT IT LINKS TO...]: a module comes after the modules that it links to.
modules=(
    "BusdProtocol Sources/Protocol"
    "BusdHosting Sources/busd/Hosting BusdProtocol"
    "BusdDaemon Sources/busd/Daemon BusdProtocol BusdHosting"
    "BusdClient Sources/clients/BusClient BusdProtocol"
    "BusdTestKit Sources/TestKit BusdProtocol BusdHosting"
)
target=$(swift -print-target-info)
tools=$(jq -r .paths.runtimeResourcePath <<<"$target")/../../bin

# C modules that the modules import.
imports=(-Xcc "-fmodule-map-file=$debug/CBusdSystem.build/module.modulemap")
for map in Sources/*/module.modulemap; do imports+=(-I "${map%/*}"); done

# extract MODULE: its public symbols, and what it adds to the types of other modules
extract() {
    mkdir "$parts/$1.symbols"
    "$tools/swift-symbolgraph-extract" -module-name "$1" -I "$debug/Modules" "${imports[@]}" \
        -target "$(jq -r .target.unversionedTriple <<<"$target")" -minimum-access-level public \
        -skip-synthesized-members -emit-extension-block-symbols -output-dir "$parts/$1.symbols"
}

# convert NAME CATALOG OPTION... [-- MODULE THAT IT LINKS TO...]
convert() {
    local name=$1 catalog=$2 options=() output
    shift 2
    while (($#)) && [[ $1 != -- ]]; do options+=("$1") && shift; done
    for module in "${@:2}"; do options+=(--dependency "$parts/$module.doccarchive"); done
    # Without a warning docc prints empty lines.
    output=$("$tools/docc" convert "$catalog" \
        --fallback-display-name "$name" --fallback-bundle-identifier "$name" \
        --fallback-default-module-kind Module ${BASE:+--hosting-base-path "$BASE"} \
        --enable-experimental-external-link-support --warnings-as-errors \
        --output-path "$parts/$name.doccarchive" "${options[@]}" 2>&1) || { echo "$output" >&2 && return 1; }
}

# Fails if a public type is in no group of topics: DocC then makes a group of its own.
grouped() {
    local page=$parts/$1.doccarchive/data/documentation/${1,,}.json types
    types=$(jq -r '.references as $all | .topicSections[]? | select(.generated) | .identifiers[] | $all[.].title' "$page")
    [[ -z $types ]] && return
    echo "$2/$1.docc/$1.md has no topic for:" $types >&2
    return 1
}

echo "== docs: the public symbols"
for line in "${modules[@]}"; do extract "${line%% *}"; done
archives=()
for line in "${modules[@]}"; do
    read -r -a words <<<"$line"
    echo "== docs: ${words[0]}"
    convert "${words[0]}" "${words[1]}/${words[0]}.docc" \
        --additional-symbol-graph-dir "$parts/${words[0]}.symbols" -- "${words[@]:2}"
    grouped "${words[@]:0:2}"
    archives+=("$parts/${words[0]}.doccarchive")
done
echo "== docs: the tutorials"
convert busd docs/Tutorials.docc -- "${modules[@]%% *}"
rm -rf "$site"
"$tools/docc" merge "${archives[@]}" "$parts/busd.doccarchive" --output-path "$site" \
    --synthesized-landing-page-name busd --synthesized-landing-page-topics-style list >/dev/null

echo "== docs: the man pages"
cp docs/Site/* "$site"
scripts/manual-site.sh docs/man docs/pictures "$site/man"
echo "== docs: the site is in ${site#"$PWD"/}: python3 -m http.server --directory ${site#"$PWD"/}"
