#!/usr/bin/env bash
# Counts what busd does, in instructions, which no other load on the machine changes: for a `send` that
# eight views hear, among many in a turn; and for one that has a turn to itself, is answered, and is heard by
# 64 views, by 576, where it is the deliveries that count, and by 576 with `only`. Fails where one of these
# has grown by more than a tenth since Benchmarks/instructions was written; says why where it can't tell.
#
#     Benchmarks/count-instructions.sh BUSD           compare
#     Benchmarks/count-instructions.sh BUSD --record  write the record anew
set -euo pipefail
busd=$1
record=$(dirname "$0")/instructions
compiler=$(swift --version 2>&1 | grep -o 'Swift version [^ ]*'), machine=$(uname -m)
compiler=${compiler%,}

for program in valgrind callgrind_control socat strip; do
    if ! command -v $program >/dev/null; then
        echo "== instructions: not counted: there is no $program"
        exit 0
    fi
done
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
# What is there to debug with is newer than valgrind can read.
strip -o "$folder/busd" "$busd"

say='{"op":"send","to":"echo/bench","event":{"say":{"text":"'$(printf 'x%.0s' {1..100})'"}}}'
player='{"op":"send","to":"scoreboard/1/home/1","event":"onePointMove"}'
undo='{"op":"send","to":"scoreboard/1","event":"undo"}'
team='{"name":"T","players":["a","b","c"]}'
game='{"op":"send","to":"games","event":{"createGame":{"home":'$team',"away":'$team'}}}'

# What a view subscribes to.
everything=$(printf 'subscribe %s\n' echo/bench scoreboard/1/home/1 scoreboard/1 games)
filtered=$(printf '%s\n' '{"op":"subscribe","to":"echo/bench","only":["said"]}' 'subscribe games')
wishes=$everything

# instructions VIEWS SEND...: all that a daemon with so many views executes, from its start to its end,
# where SEND sends lines to the socket that it is told last.
instructions() {
    local socket=$folder/socket views=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$folder/busd" \
        --socket "$socket" --state :memory: 2>"$folder/log" &
    local daemon=$!
    until [[ -S $socket ]]; do
        kill -0 $daemon || { cat "$folder/log" >&2; exit 1; }
        sleep 0.05
    done
    printf '%s\n%s\n%s\n' "$game" "$player" '{"op":"ping","id":1}' | socat -t30 - "UNIX:$socket" >/dev/null
    for ((view = 0; view < views; view++)); do
        # It has nothing more to ask, and hears until the daemon ends.
        printf '%s\n' "$wishes" |
            socat -t60 - "UNIX:$socket" >/dev/null 2>&1 &
    done
    until [[ $(socat -t5 - "UNIX:$socket" <<<'{"op":"list","to":"games"}') == *"\"views\":$views"* ]]; do :; done
    # Clients come in any order: what that costs is not counted.
    callgrind_control -z "$daemon" >/dev/null 2>&1
    "$@" "$socket"
    kill $daemon
    wait $daemon || true
    sed -n 's/.*Collected : //p' "$folder/log"
}

# together PAIRS LINE LINE SOCKET: both lines so many times, as they fit into the socket.
together() {
    for ((pair = 0; pair < $1; pair++)); do printf '%s\n%s\n' "$2" "$3"; done >"$folder/lines"
    socat -b65536 -t30 - "UNIX:$4" <"$folder/lines" >/dev/null
}

# alone COUNT LINE SOCKET: the line so many times, each when the one before has been answered.
alone() {
    local count=$1 line=$2 answer
    coproc PEER { exec socat - "UNIX:$3"; }
    for ((number = 0; number < count; number++)); do
        printf '%s\n' "$line" >&"${PEER[1]}"
        read -r answer <&"${PEER[0]}"
    done
    kill "$PEER_PID"
}

# What is left of the start when more is compared with less.
per_send() {
    local few many
    few=$(instructions 8 together 200 "$@")
    many=$(instructions 8 together 1200 "$@")
    echo $(((many - few) / 2000))
}

per_answered() {
    local few many
    few=$(instructions "$1" alone 50 "${say%\}},\"id\":1}")
    many=$(instructions "$1" alone 250 "${say%\}},\"id\":1}")
    echo $(((many - few) / 200))
}

few=$(per_answered 64)
many=$(per_answered 576)
wishes=$filtered
narrowed=$(per_answered 576)
wishes=$everything
counted=$(
    printf '%s\n' "say $(per_send "$say" "$say")" "onePointMove $(per_send "$player" "$undo")" \
        "answered-64 $few" "answered-576 $many" "filtered-576 $narrowed"
)
if [[ ${2-} == --record ]]; then
    printf '%s\n%s\n' "# $compiler, $machine; see count-instructions.sh" "$counted" >"$record"
    cat "$record"
    exit 0
fi
if ! grep -q "$compiler, $machine;" "$record"; then
    echo "== instructions: ${counted//$'\n'/, }; not compared: recorded were those of another compiler"
    exit 0
fi
grown=0
while read -r name now; do
    before=$(sed -n "s/^$name //p" "$record")
    echo "== instructions: $name $now ($before when recorded)"
    ((now * 10 <= before * 11)) || grown=1
done <<<"$counted"
((!grown)) || { echo "A delivery costs more than a tenth more than it did." >&2; exit 1; }
