#!/usr/bin/env bash
# Starts a daemon, a game, its page for browsers, and the scoreboard in this terminal. Without a terminal, the example
# game is played and shown as text.
#
#     scripts/run.sh FOLDER-OF-THE-PROGRAMS [view|play]
#
# `view` shows the game in a second terminal, and `play` plays it there.
set -euo pipefail
bin=$(cd "$1" && pwd)
examples=$(cd "$(dirname "$0")/../Examples" && pwd)

answers() { [[ $(socat -t60 - "UNIX-CONNECT:$BUSD_SOCKET" 2>/dev/null <<<ping) == '{"ok":{}}' ]]; }

# Processes that end with this script. They have sessions of their own, so Ctrl-Z and Ctrl-C do not reach them: other
# terminals and browsers may use them too.
started=()
end_started() {
    for process in "${started[@]}"; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    [[ -z ${temporary-} ]] || rm -r "$temporary"
}
trap end_started EXIT

# start OPTION...: starts a daemon.
start() {
    setsid "$bin/busd" --socket "$BUSD_SOCKET" --log-level warning "$@" &
    daemon=$!
    started+=("$daemon")
    for ((attempt = 0; attempt < 600; attempt++)); do
        if answers; then return; fi
        kill -0 $daemon 2>/dev/null || break
        sleep 0.05
    done
    echo "busd does not answer at $BUSD_SOCKET" >&2
    exit 1
}

play_without_terminal() {
    temporary=$(mktemp -d)
    export BUSD_SOCKET=$temporary/busd.sock
    echo "== no terminal: playing $examples/game.busd on a daemon of its own"
    start --state :memory:
    socat -t60 - "UNIX-CONNECT:$BUSD_SOCKET" <"$examples/game.busd"
    echo "== the container view of that game"
    "$bin/scoreboard" --once --plain --view container scoreboard/1
}

choose_socket() {
    if [[ -z ${BUSD_SOCKET-} ]]; then
        # In /tmp every user can make a folder, so check that this one belongs to the user.
        folder=${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}/busd-$EUID}
        mkdir -p -m 700 "$folder"
        if [[ ! -O $folder ]]; then
            echo "$folder is not yours" >&2
            exit 1
        fi
        export BUSD_SOCKET=$folder/busd/busd.sock
    fi
}

# start_web: starts busd-web at a free port, and sets `page` to the URL of the game that the scoreboard opens; nothing if
# it does not start. The log ends there, so it does not disturb the screen.
start_web() {
    local log line game url=
    page=
    exec {log}< <(exec setsid "$bin/busd-web" --listen 127.0.0.1:0 2>&1)
    started=("$!" "${started[@]}")
    while read -r -t 60 -u "$log" line; do
        if [[ $line == *': serving '* ]]; then
            url=${line##* }
            break
        fi
    done
    exec {log}<&-
    [[ -n $url ]] || return 0
    game=$(socat -t60 - "UNIX-CONNECT:$BUSD_SOCKET" <<<'get games' | jq -r '
        first(.ok.events[].games.games[] | select(.status != "finished" and (.isDeleted | not))) | "scoreboard/\(.id)"')
    page=$url/$game
}

second_terminal() {
    choose_socket
    answers || {
        echo "no daemon answers at $BUSD_SOCKET: 'make run' starts one" >&2
        exit 1
    }
    if [[ $1 == view ]]; then exec "$bin/scoreboard" --view container; fi
    exec "$examples/play-game.sh" 0.5
}

keep_score() {
    choose_socket
    if answers; then
        echo "== busd is there already, at $BUSD_SOCKET"
    else
        echo "== starting busd at $BUSD_SOCKET; it ends with the scoreboard"
        start
    fi
    # Without a game, the user gets one to try the keys on.
    if [[ -z $("$examples/tmux-status.sh") ]]; then
        grep '^send games createGame ' "$examples/game.busd" |
            socat -t60 - "UNIX-CONNECT:$BUSD_SOCKET"
    fi
    start_web
    local notice="In a second terminal: 'make view' shows this game, 'make play' plays it."
    if [[ -n $page ]]; then
        echo "== the game in a browser: $page"
        notice+=" In a browser: $page"
    fi
    "$bin/scoreboard" --notice "$notice"
}

if [[ -n ${2-} ]]; then
    second_terminal "$2"
elif [[ -t 0 && -t 1 ]]; then keep_score; else play_without_terminal; fi
