#!/usr/bin/env bash
# Prints one line for a status bar: the game with the given number, or the newest game. Prints
# nothing if there is none.
#
#     set -g status-interval 1
#     set -g status-right '#(/path/to/tmux-status.sh)'
set -uo pipefail
socket=${BUSD_SOCKET:-${XDG_RUNTIME_DIR:-/run}/busd/busd.sock}
[[ -n ${BUSD_SOCKET-} || -S $socket ]] || socket=/run/busd/busd.sock

echo 'get games' | socat -t60 - "UNIX-CONNECT:$socket" 2>/dev/null | jq -r --arg game "${1-}" '
    first(.ok.events[].games.games[] | select($game == "" or .id == $game))
    | "\(.home) \(.score) \(.away)\({paused: " (paused)", finished: " (final)"}[.status] // "")"'
exit 0
