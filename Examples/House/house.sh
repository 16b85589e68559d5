#!/usr/bin/env bash
# A house on one machine: Redis, and three daemons that share its log. A game is played through the
# daemon `court`, which is killed at half-time, and then through `office`. On a terminal with tmux, two
# scoreboards show the game: one attached to `wall`, one to `office`.
#
#     Examples/House/house.sh FOLDER-OF-THE-PROGRAMS
set -euo pipefail
bin=$(cd "${1:?the folder of busd, viewctl and scoreboard is missing}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
game=scoreboard/1

# ask DAEMON VERB...
ask() { "$bin/viewctl" "$2" --socket "$folder/$1/busd.sock" "${@:3}"; }
events() { ask "$1" get $game; }
show() {
    events "$1" | jq -rs --arg daemon "$1" \
        'add | "\($daemon) shows: \(.teams.home) \(.score.text) \(.teams.away)"'
}

wait_for() {
    for ((attempt = 0; attempt < 200; attempt++)); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.05
    done
    echo "this did not happen within ten seconds: $*" >&2
    exit 1
}

start_redis() {
    redis-server --port 0 --unixsocket "$folder/redis.sock" --dir "$folder" --save "" \
        --appendonly yes --appendfsync always --logfile "$folder/redis.log" &
    echo $! >"$folder/redis.pid"
    disown
    wait_for test -S "$folder/redis.sock"
}

start_daemon() {
    mkdir -p "$folder/$1"
    setsid "$bin/busd" --socket "$folder/$1/busd.sock" --state "$folder/$1/state" --log-level error \
        --house league --log "unix:$folder/redis.sock" --member "$1" &
    echo $! >"$folder/$1.pid"
    disown
    wait_for ask "$1" ping
    ask "$1" watch --timeout 60 --until house.state=following bus/house >/dev/null
}

gone() { ! kill -0 "$1"; }

# Redis ends last.
clean_up() {
    for name in court wall office redis; do
        pid=$(cat "$folder/$name.pid" 2>/dev/null) || continue
        kill "$pid" 2>/dev/null || continue
        wait_for gone "$pid"
    done
    rm -r "$folder"
}

# play DAEMON LINES: sends the lines of the game that this script of sed prints.
play() {
    local daemon=$1 words
    sed -n "$2" "$here/../game.busd" | while read -ra words; do
        [[ ${words[0]-} == send ]] || continue
        ask "$daemon" send "${words[1]}" "${words[2]}" ${words[3]:+"${words[*]:3}"} >/dev/null
        sleep "$pause"
    done
}

same() { [[ $(events wall) == "$(events office)" ]]; }

whole_game() {
    echo "== the first half is played through court"
    play court '/^send scoreboard/,$p; /^# 6 - 4/q'
    show wall
    echo "== court is killed"
    kill -9 "$(cat "$folder/court.pid")"
    echo "== the second half is played through office"
    play office '/^# 6 - 4/,$p'
    wait_for same
    show wall
    show office
}

# This script again, in the third pane.
if [[ -n ${2-} ]]; then
    folder=$2 pause=0.5
    trap 'tmux -L busd-house kill-session' EXIT
    whole_game
    read -rp "Enter ends the house. "
    exit
fi

folder=$(mktemp -d) pause=0
trap clean_up EXIT
trap 'exit 130' INT TERM
echo "== Redis and three daemons start: court, wall and office"
start_redis
for name in court wall office; do start_daemon $name; done
play court '/createGame/p'
wait_for same
if [[ -t 0 && -t 1 ]] && command -v tmux >/dev/null; then
    show="exec '$bin/scoreboard' --view container --socket '$folder"
    env -u TMUX tmux -L busd-house -f /dev/null new-session "$show/wall/busd.sock' $game" \; \
        split-window -h "$show/office/busd.sock' $game" \; \
        split-window -fv -l 12 "'$0' '$bin' '$folder'" >/dev/null
else
    whole_game
fi
