#!/usr/bin/env bash
# Draws docs/pictures/screen-*.svg from the running programs. They show a game, a library and two forms in terminals of a
# fixed size. Their daemon keeps its state in memory, and its clock stands still.
#
#     scripts/screens.sh BIN [FOLDER]           writes the pictures
#     scripts/screens.sh --check BIN [FOLDER]   fails if a screen is not what its picture shows
set -euo pipefail
isCheck=
if [[ ${1:-} == --check ]]; then
    isCheck=yes
    shift
fi
scripts=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${1:?the folder of the programs is missing}" && pwd)
pictures=$(cd "${2:-$scripts/../docs/pictures}" && pwd)
# Seconds in which a screen must become equal to its picture. After the first failure: one comparison.
patience=5
status=0

folder=$(mktemp -d)
export LC_ALL=C.UTF-8 BUSD_SOCKET=$folder/busd.sock
unset BUSD_HOST NO_COLOR TMUX
cat >"$folder/tmux.conf" <<'CONF'
set -g default-terminal screen-256color
set -g status off
set -g remain-on-exit on
CONF
terminals() { tmux -S "$folder/tmux" -f "$folder/tmux.conf" "$@"; }
trap '{ terminals kill-server; kill %1 && wait; } 2>/dev/null || true; rm -r "$folder"' EXIT

give_up() {
    echo "screens.sh: $1" >&2
    exit 1
}

# within SECONDS COMMAND...: repeats the command until it succeeds, and fails after that time.
within() {
    local end=$((SECONDS + $1))
    until "${@:2}"; do
        ((SECONDS < end)) || return 1
        sleep 0.05
    done
}

# Sends lines to the daemon. A line without an id is answered only if it fails.
tell() {
    local answer
    answer=$(socat -t60 - "UNIX-CONNECT:$BUSD_SOCKET")
    [[ -z $answer ]] || give_up "the daemon refused: $answer"
}

# open NAME COLUMNS ROWS PROGRAM [OPTION...]
open() { terminals new-session -d -s "$1" -x "$2" -y "$3" "exec '$bin/$4' ${*:5}"; }
press() { terminals send-keys -t "$1" "${@:2}"; }

# shows NAME TEXT...: whether all these texts are on a screen.
shows() {
    local screen text
    screen=$(terminals capture-pane -p -t "$1")
    for text in "${@:2}"; do [[ $screen == *"$text"* ]] || return 1; done
}

await() {
    within 60 shows "$@" ||
        give_up "the screen $1 does not show all of: ${*:2}"$'\n'"$(terminals capture-pane -p -t "$1")"
}

draw() {
    local sizes size='columns=#{pane_width} rows=#{pane_height} cursor=#{?cursor_flag,#{cursor_x}#,#{cursor_y},}'
    read -ra sizes <<<"$(terminals display-message -p -t "$1" "$size")"
    terminals capture-pane -e -N -p -t "$1" |
        LC_ALL=C awk -f "$scripts/screen.awk" -v title="$2" "${sizes[@]}" - >"$folder/$1.svg" ||
        give_up "the screen $1 cannot be drawn"
}

is_drawn() {
    draw "$@"
    cmp -s "$folder/$1.svg" "$pictures/screen-$1.svg"
}

is_still() {
    draw "$@"
    cmp -s "$folder/$1.svg" "$folder/$1.former" || { mv "$folder/$1.svg" "$folder/$1.former" && false; }
}

# picture NAME TITLE TEXT...: waits for these texts. The rest of the screen, or its cursor, may come a little later.
picture() {
    await "$1" "${@:3}"
    if [[ ! $isCheck ]]; then
        within 10 is_still "$1" "$2" || give_up "the screen $1 does not come to rest"
        mv "$folder/$1.svg" "$pictures/screen-$1.svg"
    elif ! within $patience is_drawn "$1" "$2"; then
        echo "screen-$1.svg is not what the program shows: run make pictures"
        patience=0 status=1
    fi
}

"$bin/busd" --socket "$BUSD_SOCKET" --state :memory: --clock manual --log-level warning &
within 60 test -S "$BUSD_SOCKET" || give_up "busd does not start"

# The example game at 10 - 8, with its clock running.
sed '/^# 10 - 8/q' "$scripts/../Examples/game.busd" | tell
tell <<<'send bus/clock advance {"by":442.7}'

# book NUMBER CARDS KNOWN NAME
book() {
    local card cards=
    for ((card = 1; card <= $2; card++)); do cards+=${cards:+,}"{\"front\":\"$card\",\"back\":\"$card\"}"; done
    echo "send books importBook {\"name\":\"$4\",\"cards\":[$cards]}"
    for ((card = 1; card <= $3; card++)); do printf 'send study/%d %s\n' "$1" reveal "$1" known; done
}
{
    book 1 12 12 "Numbers in Swahili"
    book 2 40 31 "Capitals of Africa"
    book 3 24 11 "Chords on the guitar"
    book 4 64 16 "Irregular verbs"
    book 5 118 9 "The periodic table"
    book 6 26 0 "The NATO alphabet"
} | tell

open scoreboard 80 24 scoreboard 1
open creator 80 16 scoreboard --view container --draft court 1
open books 64 13 books
open busd-login 64 13 busd-login --user ann

await creator Hawks
press creator n
await creator "draft court"
tell <<'END'
send game-creator/court teamNameChanged {"side":"home","name":"Owls"}
send game-creator/court playerNameChanged {"side":"home","index":0,"name":"Gil"}
send game-creator/court playerNameChanged {"side":"home","index":1,"name":"Hana"}
send game-creator/court playerNameChanged {"side":"home","index":2,"name":"Ike"}
send game-creator/court teamNameChanged {"side":"away","name":"Foxes"}
send game-creator/court playerNameChanged {"side":"away","index":0,"name":"Jo"}
END
press creator Tab Tab Tab Tab Tab Tab Kim
await busd-login ann
press busd-login geheimwort
await books "The NATO alphabet"
press books Down

picture scoreboard "A game at 10 to 8, as scoreboard shows it" running "Fay          3" "q quit"
picture creator "A new game in scoreboard: a name is missing" Foxes Jo Kim "player 3 is missing"
picture books "A library of six books" "▸" NATO "q quit"
picture busd-login "The two fields of busd-login" "••••••••••" "enter log in"
exit $status
