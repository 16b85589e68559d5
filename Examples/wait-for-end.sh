#!/usr/bin/env bash
# Waits until a game is over, and prints the winner. Fails if the game does not exist or is deleted.
#
#     wait-for-end.sh [GAME] && aplay horn.wav
set -euo pipefail
game=scoreboard/${1:-1}
socket=${BUSD_SOCKET:-${XDG_RUNTIME_DIR:-/run}/busd/busd.sock}
[[ -n ${BUSD_SOCKET-} || -S $socket ]] || socket=/run/busd/busd.sock

# When the game is over, this script ends, and ends socat.
request='{"op":"subscribe","to":"'$game'","only":["teams","finished"],"as":"wait-for-end"}'
exec 3< <(exec socat -t86400 - "UNIX-CONNECT:$socket" <<<"$request")
trap 'kill $! 2>/dev/null || true' EXIT

# The snapshot comes first, so a game that is already over needs no wait.
jq -ern '
    first(
        foreach inputs as $line ({};
            if $line.error then "\($line.error.message)\n" | halt_error(1)
            elif $line.gone then "the game has been deleted\n" | halt_error(1)
            else . + ($line.event // {}) end)
        | select(.finished.isFinished) | .teams[.finished.winner])' <&3
