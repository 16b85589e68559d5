#!/usr/bin/env bash
# Draws docs/pictures/plot-*.svg from the tables of Benchmarks/RESULTS.md.
#
#     scripts/plots.sh [FOLDER]           writes the plots
#     scripts/plots.sh --check [FOLDER]   fails if a plot is not what its table says
set -euo pipefail
export LC_ALL=C
isCheck=
if [[ ${1:-} == --check ]]; then
    isCheck=yes
    shift
fi
scripts=$(cd "$(dirname "$0")" && pwd)
results=$scripts/../Benchmarks/RESULTS.md
folder=${1:-$scripts/../docs/pictures}
status=0

# plot NAME HEADING TITLE NOTE [VARIABLE=VALUE...]: the variables are those of plot.awk.
plot() {
    local picture=plot-$1.svg settings=() drawn
    for setting in heading="$2" title="$3" note="$4" "${@:5}"; do settings+=(-v "$setting"); done
    drawn=$(awk -f "$scripts/plot.awk" "${settings[@]}" "$results")
    if [[ ! $isCheck ]]; then
        echo "$drawn" >"$folder/$picture"
    elif ! cmp -s - "$folder/$picture" <<<"$drawn"; then
        echo "$picture is not what Benchmarks/RESULTS.md says: run make pictures"
        status=1
    fi
}

delivery='µs of server CPU per delivery, W events outstanding. Lines: the least and the most of all turns.'
plot say '`say`, a text of 100 characters' 'say to 64 subscribers' "$delivery" \
    columns='^N=64 ' rows='^[^/]*$'
plot move '`onePointMove`, three lines in three view models' 'onePointMove to 64 subscribers' "$delivery" \
    columns='^N=64 ' rows='^[^/]*$'
plot redis Goals 'busd relative to Redis' 'Cost of busd, where Redis costs 1 (the dashed line). Red marks: the goals.' \
    columns=found rows='at most [0-9.]+ of Redis' accent=. left=250 reference=1
plot house 'What a house costs' 'Durable sends of sixteen writers' \
    'Sends per second on two cores. The bare function of Redis appends an entry without a daemon.' \
    columns='per second' accent=daemon left=150
exit $status
