#!/usr/bin/env bash
# Follows a game's score: a line whenever it changes, until one has seen enough or the game is deleted.
#
#     follow-score.sh [GAME]      the game's number, 1 where none is given
set -euo pipefail
game=scoreboard/${1:-1}
socket=${BUSD_SOCKET:-${XDG_RUNTIME_DIR:-/run}/busd/busd.sock}
[[ -n ${BUSD_SOCKET-} || -S $socket ]] || socket=/run/busd/busd.sock

# socat's end of input tells the bus "no more requests", not "go away": the events go on.
echo '{"op":"subscribe","to":"'"$game"'","only":["score"],"as":"follow-score"}' |
    socat -t86400 - "UNIX-CONNECT:$socket" |
    jq --unbuffered -r '
        if .error then "\(.error.message)\n" | halt_error else . end
        | .event.score.text // empty'
