#!/usr/bin/env bash
# Prints a line after each change of a game's score, until Ctrl-C or until the game is deleted.
#
#     follow-score.sh [GAME]      the number of the game; default 1
set -euo pipefail
game=scoreboard/${1:-1}
socket=${BUSD_SOCKET:-${XDG_RUNTIME_DIR:-/run}/busd/busd.sock}
[[ -n ${BUSD_SOCKET-} || -S $socket ]] || socket=/run/busd/busd.sock

# The end of input tells the bus that there are no more requests. The events go on.
echo '{"op":"subscribe","to":"'"$game"'","only":["score"],"as":"follow-score"}' |
    socat -t86400 - "UNIX-CONNECT:$socket" |
    jq --unbuffered -r '
        if .error then "\(.error.message)\n" | halt_error else . end
        | .event.score.text // empty'
