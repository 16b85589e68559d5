#!/usr/bin/env bash
# Plays game.busd as a new game, and prints the game's address and its result.
#
#     play-game.sh                at once
#     play-game.sh 0.5            one line every half second, to watch it in another terminal
#     play-game.sh 0 other.busd   another script of the same form
set -euo pipefail
pause=${1:-0}
script=${2:-$(dirname "$0")/game.busd}
socket=${BUSD_SOCKET:-${XDG_RUNTIME_DIR:-/run}/busd/busd.sock}
[[ -n ${BUSD_SOCKET-} || -S $socket ]] || socket=/run/busd/busd.sock
bus() { socat -t60 - "UNIX-CONNECT:$socket"; }

# A request with an `id` is answered. `made` in the answer is the address of the new game.
address=$(sed -n 's|^send games createGame \(.*\)|{"op":"send","to":"games","event":{"createGame":\1},"id":1}|p' "$script" |
    bus | jq -r 'if .error then "\(.error.message)\n" | halt_error else .ok.made end')
[[ $address == scoreboard/* ]]
echo "$address"

grep -v '^#' "$script" | sed "s|\<scoreboard/1\>|$address|" | while read -r line; do
    [[ -z $line || $line == 'send games createGame '* ]] && continue
    echo "$line"
    [[ $pause == 0 ]] || sleep "$pause"
done | bus | jq -rn '
    [inputs | if .error then "\(.error.message)\n" | halt_error else . end | .ok.events[]] | add
    | "\(.teams.home) \(.score.text) \(.teams.away)"'
