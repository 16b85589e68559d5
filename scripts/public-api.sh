#!/usr/bin/env bash
# Compares the public declarations of the products with scripts/public-api.txt.
#
#     scripts/public-api.sh FOLDER-OF-THE-DEBUG-BUILD                    prints the declarations
#     scripts/public-api.sh FOLDER-OF-THE-DEBUG-BUILD --check            fails if the file has others
#     scripts/public-api.sh FOLDER-OF-THE-DEBUG-BUILD --record REASON    writes them, with the difference and its reason
#
# The file begins with the changes since the last version, each below its reason. One line is one declaration: the type
# that has it, and its text. `(default)` is the implementation of a requirement that a type may leave out.
set -euo pipefail
export LC_ALL=C.UTF-8
debug=$(realpath "$1")
file=$(dirname "$(realpath "$0")")/public-api.txt
cd "$(dirname "$0")/.."
modules=(BusdProtocol BusdGamesEvents BusdGames BusdBooksEvents BusdBooks BusdLoginEvents BusdLogin BusdEcho BusdHosting BusdDaemon BusdClient BusdTerminal BusdTestKit)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Members that the compiler makes have no place in a file.
declarations() {
    scripts/symbols.sh "$debug" "$folder" "${modules[@]}"
    for module in "${modules[@]}"; do
        echo
        echo "## $module"
        jq -r '
            def name: sub("^(Swift|Busd[A-Za-z]+)\\."; "");
            (.symbols | map({(.identifier.precise): (.pathComponents | join("."))}) | add) as $names
            | (reduce (.relationships[] | select(.kind == "conformsTo")) as $one ({};
                .[$one.source] += [($one.targetFallback // $names[$one.target] // "?") | name])) as $protocols
            | ([.relationships[] | select(.kind == "defaultImplementationOf") | {(.source): true}] | add // {})
                as $defaults
            | .symbols[] | select(.location)
            | [(.pathComponents | join(".")),
                (if (.pathComponents | length) > 1 then (.pathComponents[:-1] | join(".")) + ": " else "" end)
                + ([.declarationFragments[].spelling] | join("") | gsub("\\s+"; " "))
                + (($protocols[.identifier.precise] // [])
                    - ["Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"]
                    | unique | if . == [] then "" else " [" + join(", ") + "]" end)
                + ([(.swiftExtension.constraints // [])[]
                    | select(.kind != "conformance" or .lhs != "Self")
                    | .lhs + {conformance: ": ", superclass: ": ", sameType: " == "}[.kind] + .rhs]
                    | if . == [] then "" else " (where " + join(", ") + ")" end)
                + (if $defaults[.identifier.precise] then " (default)" else "" end)]
            | @tsv' "$folder/$module"[.@]*json | sort -u | cut -f2
    done
}

declarations >"$folder/now"
# From the first module on.
if [[ -f $file ]]; then sed -n '/^## /,$p' "$file" | sed '1i\\' >"$folder/before"; else : >"$folder/before"; fi
case ${2-} in
"") cat "$folder/now" ;;
--check)
    diff -U0 --label "$file" --label "$debug" "$folder/before" "$folder/now" >"$folder/difference" && exit
    grep -v '^@@' "$folder/difference" >&2
    echo "The public interface has changed: is this meant? Record it with its reason:" >&2
    echo "    scripts/public-api.sh $1 --record 'REASON'" >&2
    exit 1
    ;;
--record)
    [[ -n ${3-} ]] || { echo "public-api.sh: give the reason of the change" >&2 && exit 64; }
    {
        if [[ -f $file ]]; then
            sed '/^## /,$d' "$file" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
            echo "# $3"
            diff -U0 "$folder/before" "$folder/now" | sed -nE '4,$s/^([-+])/#   \1 /p' || true
        else
            echo "# The public declarations of the products: scripts/public-api.sh checks and writes them."
            echo "# $3"
        fi
        cat "$folder/now"
    } >"$folder/new"
    cp "$folder/new" "$file"
    ;;
*)
    echo "usage: scripts/public-api.sh FOLDER [--check | --record REASON]" >&2
    exit 64
    ;;
esac
