#!/usr/bin/env bash
# Counts the instructions of busd for lines with the worst texts: Unicode that is slow to process, at the length
# limit, in every place of a request that accepts a text. Fails if a line costs more than 20 million instructions,
# which is 1 to 5 ms; prints the reason if it cannot count.
#
#     Benchmarks/count-worst-text.sh BUSD           print the most expensive lines
#     Benchmarks/count-worst-text.sh BUSD --all     print all lines
set -euo pipefail
busd=$1 show=${2-}
most=20000000

for program in valgrind vgdb socat strip; do
    if ! command -v $program >/dev/null; then
        echo "== test: skipped: the count of the worst texts: there is no $program"
        exit 0
    fi
done
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT

# --- Texts: a unit, repeated up to the length of a line.
declare -A units=(
    # Below the limit of marks in a row, with falling classes.
    [safe-marks]=$'a\u0345\u0345\u0345\u0345\u035D\u035D\u035D\u035D\u0315\u0315\u0315\u0315\u0301\u0301\u0301\u0301\u0316\u0316\u0316\u0316\u0327\u0327\u0327\u0327\u05B0\u05B0\u05B0\u05B0'
    [jamo]=$'\u1100\u1161\u11A8'
    [joiners]=$'\U1F469\u200D'
    [flags]=$'\U1F1E6'
    [conjuncts]=$'\u0915\u094D'
    [escaped]='\u0915\u094d'
)
# Refused, because no starter is between the marks. Their classes fall.
falling=($'\u0345' $'\u035D' $'\u0315' $'\u0301' $'\u0316' $'\u0327' $'\u05B0')

# fill UNIT BYTES: as many units as fit into so many bytes.
fill() {
    local LC_ALL=C
    local count=$(($2 / ${#1}))
    ((count)) || return 0
    printf -v text "%${count}s" ''
    printf %s "${text// /"$1"}"
}

# worst NAME BYTES: the text with this name
worst() {
    if [[ $1 == falling ]]; then
        for mark in "${falling[@]}"; do fill "$mark" $(($2 / ${#falling[@]})); done
    else
        fill "${units[$1]}" "$2"
    fi
}

# --- Lines: @ stands for the text.
lines() {
    cat <<'LINES'
{"op":"@"}
{"op":"ping","id":"@"}
{"op":"ping","@":1}
{"@":1,"@b":1,"op":"ping"}
{"op":"ping","x-@":{"@":["@"]}}
{"op":"hello","protocol":1,"name":"@"}
{"op":"list","to":"@"}
{"op":"describe","to":"@"}
{"op":"describe","to":"echo/@"}
{"op":"get","to":"@"}
{"op":"subscribe","to":"@"}
{"op":"subscribe","to":"echo/a","as":"@"}
{"op":"subscribe","to":"echo/a","only":["@","said"]}
{"op":"subscribe","to":"echo/a","since":"@"}
{"op":"subscribe","to":"echo/a","since":"a:@"}
{"op":"unsubscribe","to":"@"}
{"op":"send","to":"@","event":"say"}
{"op":"send","to":"echo/a","event":"@"}
{"op":"send","to":"echo/a","event":{"@":{}}}
{"op":"send","to":"echo/a","event":{"say":{"text":"a","@":1}}}
{"op":"send","to":"echo/a","event":{"say":{"@":"a"}}}
{"op":"send","to":"echo/a","event":{"say":{"text":"a"}},"key":"@"}
{"op":"send","to":"echo/a","event":{"say":{"text":"@"}}}
{"op":"send","to":"login/a","event":{"usernameChanged":{"username":"@"}}}
{"op":"send","to":"login/a","event":{"passwordChanged":{"password":"@"}}}
{"op":"send","to":"game-creator/a","event":{"teamNameChanged":{"side":"@","name":"a"}}}
{"op":"send","to":"game-creator/a","event":{"teamNameChanged":{"side":"home","name":"@"}}}
{"op":"send","to":"game-creator/a","event":{"teamNameChanged":{"side":"home","name":"@b"}}}
{"op":"send","to":"game-creator/a","event":{"playerNameChanged":{"side":"away","index":1,"name":"@"}}}
{"op":"send","to":"game-creator/a","event":{"playerNameChanged":{"side":"away","index":1,"name":"@b"}}}
{"op":"send","to":"book-creator/a","event":{"nameChanged":{"name":"@"}}}
{"op":"send","to":"book-creator/a","event":{"nameChanged":{"name":"@b"}}}
{"op":"send","to":"book-creator/a","event":{"cardsChanged":{"text":"@"}}}
{"op":"send","to":"book-creator/a","event":{"cardsChanged":{"text":"@\tb\n#@:@"}}}
{"op":"send","to":"book-creator/a","event":{"cardsChanged":{"text":"#deck:@\n@\tb"}}}
{"op":"send","to":"book-creator/a","event":{"cardsChanged":{"text":"#html:true\n#@:@\n<@>&@;\tb"}}}
{"op":"send","to":"games","event":{"createGame":{"home":{"name":"@","players":["a","b","c"]},"away":{"name":"b","players":["a","b","c"]}}}}
{"op":"send","to":"games","event":{"createGame":{"@":{"name":"a","players":["a","b","c"]}}}}
{"op":"send","to":"games","event":{"deleteGame":{"game":"@"}}}
{"op":"send","to":"books","event":{"importBook":{"name":"@","cards":[]}}}
{"op":"send","to":"books","event":{"importBook":{"name":"a","cards":[{"front":"@","back":"@"}]}}}
{"op":"send","to":"books","event":{"addCards":{"book":"@","cards":[]}}}
{"op":"send","to":"books","event":{"addCards":{"book":"1","cards":[{"front":"@","back":"@"}]}}}
{"op":"send","to":"books","event":{"addCards":{"book":"1","cards":[{"front":"a","back":"b","@":"@"}]}}}
{"op":"send","to":"books","event":{"deleteBook":{"book":"@"}}}
{"op":"send","to":"books","event":{"moveBook":{"book":"@","to":0}}}
{"op":"send","to":"study/1","event":{"@":{}}}
@
@ echo/a
list @
get @
describe @
subscribe @
subscribe echo/a @
unsubscribe @
send @ say
send echo/a @
send echo/a say @
send echo/a say {"@":"a"}
send echo/a say {"text":"@"}
ping @
LINES
}

# Many values in place of a long text. repeated COUNT TEXT: separated by commas; ~ is replaced by the number.
repeated() {
    local all=
    for ((number = 0; number < $1; number++)); do all+=,${2//\~/$number}; done
    printf %s "${all:1}"
}
many() {
    printf '{"op":"subscribe","to":"echo/a","only":[%s]}\n' "$(repeated 4000 '"e~"')"
    printf '{"op":"ping",%s}\n' "$(repeated 4000 '"x-~":1')"
    printf '{"op":"ping",%s}\n' "$(repeated 4000 '"y~":1')"
    printf '{"op":"send","to":"echo/a","event":{"say":{%s}}}\n' "$(repeated 4000 '"y~":1')"
    printf '{"op":"send","to":"games","event":{"createGame":{"home":{"name":"a","players":[%s]}}}}\n' \
        "$(repeated 4000 '"p~"')"
    printf '{"op":"send","to":"books","event":{"importBook":{"name":"a","cards":[%s]}}}\n' \
        "$(repeated 1300 '{"front":"f~","back":"é~"}')"
    printf '{"op":"send","to":"books","event":{"addCards":{"book":"1","cards":[%s]}}}\n' \
        "$(repeated 1300 '{"front":"f~","back":"é~"}')"
    printf '{"op":"send","to":"book-creator/a","event":{"cardsChanged":{"text":"%s"}}}\n' \
        "$(repeated 4000 '\n~a\tb')" "$(repeated 4000 '\n<br>&~\tb')" "$(repeated 4000 '\n\"\"~\"\tb')" \
        "#html:true$(repeated 4000 '\n<a &#38;')" "#guid column:1\n$(repeated 6000 '\ta')"
    printf '%s\n' "ping $(repeated 4000 ' ~ ')" "send echo/a say $(repeated 4000 '[~]')"
}

# --- The daemon, its clients, and the counter of valgrind: the remote protocol of gdb, through vgdb.
# Without debugging information: its version is too new for valgrind.
strip -o "$folder/busd" "$busd"
valgrind --tool=callgrind --callgrind-out-file=/dev/null --vgdb-prefix="$folder/vgdb" \
    "$folder/busd" --socket "$folder/socket" --state :memory: --clock manual 2>"$folder/log" &
daemon=$!
until socat -u OPEN:/dev/null "UNIX:$folder/socket" 2>/dev/null; do
    kill -0 $daemon || { cat "$folder/log" >&2; exit 1; }
    sleep 0.05
done

# Only answers to the pings pass: other answers are long, and bash reads them byte by byte.
mkfifo "$folder/requests" "$folder/answers"
socat -b131072 - "UNIX:$folder/socket" <"$folder/requests" |
    grep -a --line-buffered '^{"ok":{},"id":[0-9]*}$' >"$folder/answers" &
exec 3>"$folder/requests" 4<"$folder/answers"
mkfifo "$folder/asked" "$folder/told"
vgdb --max-invoke-ms=1 --vgdb-prefix="$folder/vgdb" --pid=$daemon <"$folder/asked" >"$folder/told" 2>/dev/null &
exec 5>"$folder/asked" 6<"$folder/told"

# "status internal", in hexadecimal digits, between a dollar sign and the sum of its bytes.
request=qRcmd,73746174757320696e7465726e616c sum=0
for ((i = 0; i < ${#request}; i++)); do
    printf -v byte %d "'${request:i:1}"
    sum=$((sum + byte))
done
printf -v request '$%s#%02x' "$request" $((sum % 256))
running=0
# count: sets `counted` to the instructions of the loop's thread so far.
count() {
    local part= all=
    # The process stops to answer, and continues after the command c.
    if ((running)); then
        printf '\003' >&5
        IFS= read -r -d '#' part <&6
        printf + >&5
    fi
    printf %s "$request" >&5
    while IFS= read -r -d '#' part <&6; do
        printf + >&5
        part=${part##*\$}
        [[ $part != OK* ]] || break
        all+=${part#O}
    done
    printf '$c#63' >&5
    running=1
    # Repeated characters are sent as the character, a star, and a byte: the number of repeats plus 29.
    local runs=$all repeat
    all=
    while [[ $runs == *'*'* ]]; do
        part=${runs%%\**} runs=${runs#*\*}
        printf -v repeat %d "'$runs"
        printf -v repeat "%$((repeat - 29))s" ''
        all+=$part${repeat// /${part: -1}}
        runs=${runs:1}
    done
    all+=$runs
    all=${all#*6576656e74732d313a20} # "events-1: "
    all=${all%%0a*}
    counted=
    while [[ -n $all ]]; do counted+=${all:1:1} all=${all:2}; done
}

number=0
# cost LINE NAME: records the cost of the line, and of a ping that is answered after it.
cost() {
    local before=$counted answer
    ((++number))
    printf '%s\n{"op":"ping","id":%s}\n' "$1" $number >&3
    until
        read -r -t300 answer <&4 || { echo "busd does not answer within 300 s: $2" >&2; exit 1; }
        [[ $answer == *":$number}" ]]
    do :; done
    count
    echo "$((counted - before)) $2" >>"$folder/costs"
}

count
game='{"op":"send","to":"games","event":{"createGame":{"home":T,"away":T}}}'
cost "${game//T/'{"name":"a","players":["a","b","c"]}'}" "a game"
cost '{"op":"send","to":"books","event":{"importBook":{"name":"a","cards":[{"front":"a","back":"b"}]}}}' "a book"
rm "$folder/costs"
length() { local LC_ALL=C; echo ${#1}; }
for name in falling "${!units[@]}"; do
    declare -A filled=()
    while read -r line; do
        places=${line//[^@]/}
        room=$(((65500 - $(length "$line")) / ${#places}))
        # Rounded, so that a few texts are enough for all lines.
        room=$((room / 64 * 64))
        [[ -n ${filled[$room]-} ]] || filled[$room]=$(worst "$name" $room)
        cost "${line//@/"${filled[$room]}"}" "$name $line"
    done < <(lines)
done
while read -r line; do cost "$line" "many ${line:0:100}"; done < <(many)
# And requests that show everything that these lines have left.
for line in list 'get bus/views' 'get books' 'get games' 'get book-creator/a' 'get game-creator/a' 'subscribe **'; do
    cost "$line" "after $line"
done

sort -rn "$folder/costs" >"$folder/sorted"
if [[ $show == --all ]]; then cat "$folder/sorted"; else head -n 5 "$folder/sorted" | cut -c1-120; fi
dear=$(awk -v most=$most '$1 > most' "$folder/sorted" | wc -l)
echo "== worst text: $(wc -l <"$folder/sorted") lines, $dear of them above $most instructions"
((!dear)) || { echo "These lines delay the daemon by more than 5 ms." >&2; exit 1; }
