#!/usr/bin/env bash
# Counts the instructions of busd for a `send`. Other load on the machine does not change them. Fails if a
# count is more than a fiftieth above the one in Benchmarks/instructions; prints the reason if it cannot count.
#
#     say, onePointMove   many sends per turn, eight views
#     answered-64, -576   a send with an answer, alone in its turn; with 576 views, deliveries dominate
#     filtered-576        the same, and each view has `only`
#
# Under `say` and `onePointMove` it prints the ten functions that take most, without what they call.
#
#     Benchmarks/count-instructions.sh BUSD                      compare
#     Benchmarks/count-instructions.sh BUSD --record             record counts that have fallen
#     Benchmarks/count-instructions.sh BUSD --record REASON      record counts that have grown, too
#     Benchmarks/count-instructions.sh BUSD --browsers BUSD-WEB  compare 500 browsers with 500 plain views that
#                                                                subscribe alike; fails above 1.05
set -euo pipefail
shopt -s inherit_errexit
busd=$1 web=${3-}
record=$(dirname "$0")/instructions
compiler=$(swift --version 2>&1 | grep -o 'Swift version [^ ]*'), machine=$(uname -m)
compiler=${compiler%,}

for program in valgrind callgrind_control socat strip; do
    if ! command -v $program >/dev/null; then
        echo "== test: skipped: the count of instructions: there is no $program"
        exit 0
    fi
done
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
fail() { echo "count-instructions: $*" >&2; exit 1; }

# Without debugging information: its version is too new for valgrind.
strip --strip-debug -o "$folder/busd" "$busd"

say='{"op":"send","to":"echo/bench","event":{"say":{"text":"'$(printf 'x%.0s' {1..100})'"}}}'
player='{"op":"send","to":"scoreboard/1/home/1","event":"onePointMove"}'
undo='{"op":"send","to":"scoreboard/1","event":"undo"}'
team='{"name":"T","players":["a","b","c"]}'
game='{"op":"send","to":"games","event":{"createGame":{"home":'$team',"away":'$team'}}}'

# What a view subscribes to, and one of these addresses.
everything=$(printf 'subscribe %s\n' echo/bench scoreboard/1/home/1 scoreboard/1 games)
filtered=$(printf '%s\n' '{"op":"subscribe","to":"echo/bench","only":["said"]}' 'subscribe games')
subscriptions=$everything watched=games attach=views

# views SOCKET COUNT: half-closed connections, which receive events until the daemon ends.
views() {
    for ((view = 0; view < $2; view++)); do
        printf '%s\n' "$subscriptions" | socat -t60 - "UNIX:$1" >/dev/null 2>&1 &
    done
}

# browsers SOCKET COUNT: as many streams of the first game. Each curl opens 250; more than 300 it cannot.
browsers() {
    local address= left
    : >"$folder/web-log"
    "$web" --listen 127.0.0.1:0 --socket "$1" >/dev/null 2>"$folder/web-log" &
    until [[ -n $address ]]; do
        kill -0 $! 2>/dev/null || fail "busd-web has ended: $(<"$folder/web-log")"
        address=$(sed -n 's/.*serving //p' "$folder/web-log")
        sleep 0.05
    done
    for ((left = $2; left > 0; left -= 250)); do
        for ((stream = 0; stream < left && stream < 250; stream++)); do
            printf 'url = "%s/stream/scoreboard/1"\noutput = "/dev/null"\n' "$address"
        done | curl --no-buffer --parallel --parallel-immediate --parallel-max 250 --config - >/dev/null 2>&1 &
    done
}

# instructions VIEWS SEND...: the instructions of a daemon with so many views while SEND runs. SEND is a
# command that sends lines; its last argument is the socket. Runs in a subshell, and ends all of its processes.
instructions() {
    local socket=$folder/socket views=$1 deadline=$((SECONDS + 120)) answer count
    shift
    trap 'kill $(jobs -pr) 2>/dev/null || true' EXIT
    valgrind --tool=callgrind --callgrind-out-file="$folder/profile" --compress-strings=no "$folder/busd" \
        --socket "$socket" --state :memory: --clock manual 2>"$folder/log" &
    local daemon=$!
    until socat -u OPEN:/dev/null "UNIX:$socket" 2>/dev/null; do
        wait_for "$daemon" "$deadline" "its socket"
    done
    answer=$(printf '%s\n%s\n%s\n' "$game" "$player" '{"op":"ping","id":1}' | socat -t60 - "UNIX:$socket")
    [[ $answer == '{"ok":{},"id":1}' ]] || fail "busd created no game: $answer"
    $attach "$socket" "$views"
    until [[ $(socat -t60 - "UNIX:$socket" <<<"list $watched") == *"\"views\":$views,"* ]]; do
        wait_for "$daemon" "$deadline" "$views views"
    done
    # Start to count: the cost of connecting depends on the order of the clients.
    callgrind_control -z "$daemon" >/dev/null 2>&1 || fail "callgrind_control cannot reset the count"
    "$@" "$socket"
    kill "$daemon" || fail "busd has ended: $(<"$folder/log")"
    wait "$daemon" || true
    count=$(sed -n 's/.*Collected : //p' "$folder/log")
    [[ $count =~ ^[0-9]+$ ]] || fail "callgrind counted nothing: $(<"$folder/log")"
    echo "$count"
}

# wait_for DAEMON DEADLINE NAME: sleeps; fails if the daemon has ended, or at the deadline.
wait_for() {
    kill -0 "$1" 2>/dev/null || fail "busd has ended: $(<"$folder/log")"
    ((SECONDS < $2)) || fail "timed out: busd does not have $3"
    sleep 0.05
}

# together PAIRS LINE LINE SOCKET: sends both lines so many times. They have no id, so only a refusal is answered.
together() {
    local refusals
    for ((pair = 0; pair < $1; pair++)); do printf '%s\n%s\n' "$2" "$3"; done >"$folder/lines"
    refusals=$(socat -b65536 -t60 - "UNIX:$4" <"$folder/lines")
    [[ -z $refusals ]] || fail "busd refused sends: ${refusals:0:200}"
}

# alone COUNT LINE... SOCKET: sends the lines so many times, each line after the answer to the last one.
alone() {
    local count=$1 lines=("${@:2:$#-2}") line answer
    coproc PEER { exec socat - "UNIX:${!#}"; }
    for ((number = 0; number < count; number++)); do
        for line in "${lines[@]}"; do
            printf '%s\n' "$line" >&"${PEER[1]}"
            answer=
            read -r answer <&"${PEER[0]}" || true
            [[ $answer == *'"ok":'*'"changed":true'* ]] || fail "$line changed nothing: $answer"
        done
    done
    kill "$PEER_PID"
}

# difference FEW MANY SENDS: the instructions of one of the sends that MANY has more. So start and end do not count.
difference() {
    (($2 > $1)) || fail "$3 more sends took no more instructions: $1 and $2"
    echo $((($2 - $1) / $3))
}

# largest: the ten functions with the largest shares of the last count, without what they call.
largest() {
    awk '
        /^fn=/ { name = substr($0, 4); sub(/\047[0-9]+$/, "", name) }
        /^calls=/ { isOfCallee = 1; next }
        /^[0-9+*-]/ && !isOfCallee { cost[name] += $NF; all += $NF }
        { isOfCallee = 0 }
        END { for (name in cost) printf "%5.1f %% %s\n", 100 * cost[name] / all, name }
    ' "$folder/profile" | sort -rn | sed -n 1,10p | swift demangle --simplified | cut -c1-110
}

# per_send LINE LINE: the instructions of a send, with many sends per turn.
per_send() {
    local few many
    few=$(instructions 8 together 200 "$@")
    many=$(instructions 8 together 1200 "$@")
    difference "$few" "$many" 2000
}

# per_answered VIEWS: the instructions of a send that is alone in its turn.
per_answered() {
    local few many
    few=$(instructions "$1" alone 50 "${say%\}},\"id\":1}")
    many=$(instructions "$1" alone 250 "${say%\}},\"id\":1}")
    difference "$few" "$many" 200
}

# per_turn ATTACH: a move and its undo, each answered, with 500 clients.
per_turn() {
    local attach=$1 few many
    few=$(instructions 500 alone 5 "${player%\}},\"id\":1}" "${undo%\}},\"id\":1}")
    many=$(instructions 500 alone 25 "${player%\}},\"id\":1}" "${undo%\}},\"id\":1}")
    difference "$few" "$many" 20
}

if [[ ${2-} == --browsers ]]; then
    command -v curl >/dev/null || { echo "== test-web: skipped: the count of instructions: there is no curl"; exit 0; }
    subscriptions=$(printf 'subscribe %s\n' scoreboard/1 'scoreboard/1/*/*') watched=scoreboard/1/home/1
    through=$(per_turn browsers)
    plain=$(per_turn views)
    echo "== instructions: busd for 500 browsers $through, for 500 plain views $plain"
    ((through * 100 <= plain * 105)) || { echo "Browsers cost busd more than a twentieth more." >&2; exit 1; }
    exit 0
fi

few=$(per_answered 64)
many=$(per_answered 576)
subscriptions=$filtered
narrowed=$(per_answered 576)
subscriptions=$everything
said=$(per_send "$say" "$say")
shares_of_say=$(largest)
moved=$(per_send "$player" "$undo")
shares_of_move=$(largest)
counted=$(
    printf '%s\n' "say $said" "onePointMove $moved" \
        "answered-64 $few" "answered-576 $many" "filtered-576 $narrowed"
)
if ! grep -q "$compiler, $machine;" "$record" && [[ ${2-} != --record ]]; then
    echo "== instructions: ${counted//$'\n'/, }"
    echo "== test: skipped: the comparison of instructions: the record is of another compiler or machine"
    exit 0
fi
reason=${3-} grown=0
lines=("# $compiler, $machine; see count-instructions.sh")
while read -r name now; do
    read -r before why < <(sed -n "s/^$name //p" "$record") || true
    echo "== instructions: $name $now ($before when recorded)"
    case $name in
        say) echo "$shares_of_say" ;;
        onePointMove) echo "$shares_of_move" ;;
    esac
    if ((now * 50 > before * 51)); then
        grown=1 why="# was $before: $reason"
    elif ((now < before)); then
        why=
    fi
    lines+=("$name $now${why:+ $why}")
done <<<"$counted"
if ((grown)) && [[ -z $reason ]]; then
    echo "A count has grown by more than a fiftieth. If that is right, record it with the reason." >&2
    exit 1
fi
if [[ ${2-} == --record ]]; then printf '%s\n' "${lines[@]}" >"$record"; fi
