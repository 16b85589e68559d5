#!/usr/bin/env bash
# Writes the witness: what a version of busd has written, in small. Later versions must read all of it. Each commit
# opens copies (scripts/open-witness.sh), so the witness is written again only by a version that leaves the past.
#
#     scripts/write-witness.sh FOLDER-OF-THE-PROGRAMS
#
# Tests/Witness/ has then:
#     store         a state folder after a planned stop: games, books, users, corrections, a deletion, drafts
#     backup        of this store, before the stop; it has no drafts
#     killed        the same folder after two more moves and a kill, with the write-ahead logs
#     cut.gz        a backup of a store. Its log was cut: of the 205 entries of a book, one is left
#     house.aof     the keys of a house with a game and a book, as the commands of an append-only file of Redis
#     member        the state folder of a daemon of this house
#     web           the state folder of busd-web, with an unused and a used pairing
#     policy        a policy with each form of a line
#     expected.txt  what scripts/open-witness.sh prints for all this
#
# The time is that of `--clock manual`. Random are the salt and the hash of a user's password, the tokens of the
# pairings, the names of the runs in cursors, and the house's identity; the dates of games are those of this run.
set -euo pipefail
programs=$(cd "$1" && pwd)
witness=$(cd "$(dirname "$0")/../Tests/Witness" && pwd)
scripts=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
umask 077
cd "$folder"
export BUSD_SOCKET=$folder/busd.sock
unset BUSD_HOST XDG_RUNTIME_DIR
PATH=$programs:$PATH

within_a_minute() { timeout 60 bash -c "until $1; do sleep 0.05; done" || { echo "in vain: $1" >&2; exit 1; }; }

# serve STATE [OPTION...]
serve() {
    rm -f log
    busd --socket "$BUSD_SOCKET" --state "$1" "${@:2}" 2>log &
    daemon=$!
    within_a_minute 'grep -qs "busd: serving" log'
}
# stop SIGNAL
stop() { kill "-$1" "$daemon" && { wait "$daemon" 2>/dev/null || true; }; }
send() { viewctl send --timeout 60 - >/dev/null; }
# keep NAME [AS]: a state folder becomes a part of the witness.
keep() {
    rm -rf "$witness/${2:-$1}"
    cp -r "$1" "$witness/${2:-$1}"
    find "$witness/${2:-$1}" \( -type l -o -name server -o -name '*lock' -o -size 0 \) -delete
}
game='games createGame {"home":{"name":"Owls","players":["Ann","Bö"]},"away":{"name":"Jets","players":["Cy","Di"]}'

serve store --clock manual
printf 'correct horse\n' | busd user add ann --state store >/dev/null
printf 'battery staple\n' | busd user add 'Bö 水' --state store >/dev/null
send <<REQUESTS
bus/clock advance {"by":10}
$game,"rules":{"pointsToWin":7,"margin":1}}
$game}
$game}
scoreboard/1 resume
bus/clock advance {"by":61.5}
scoreboard/1/home/1 twoPointMove
scoreboard/1/away/2 onePointMove
scoreboard/1/home/2 assistMove
scoreboard/1/home/2 twoPointMove
scoreboard/1/home/2 reboundMove
scoreboard/1/home/1 twoPointMove
scoreboard/1/home/1 onePointMove
scoreboard/1/away/1 foulMove
scoreboard/2 resume
bus/clock advance {"by":5}
scoreboard/2/home/1 twoPointMove
scoreboard/2/home/1 onePointMove
scoreboard/2/away/1 foulMove
scoreboard/2 undo
scoreboard/2 undo
scoreboard/2 redo
scoreboard/2 renameTeam {"side":"home","name":"Hawks","was":"Owls"}
scoreboard/2 renamePlayer {"side":"away","index":1,"name":"Dee","was":"Di"}
scoreboard/2 setClock {"time":"01:10.3"}
scoreboard/2 moveClock {"seconds":-2}
games deleteGame {"game":"3"}
books importBook {"name":"Kanji","cards":[{"front":"水","back":"water"},{"front":"火","back":"fire"}]}
books importBook {"name":"Empty","cards":[]}
books importBook {"name":"Gone","cards":[{"front":"a","back":"b"}]}
REQUESTS
# Not in one commit with the creation of the book, or `--history` leaves the book out.
send <<'REQUESTS'
books addCards {"book":"1","cards":[{"front":"木","back":"tree"},{"front":"金","back":"gold"}]}
books moveBook {"book":"2","to":0}
books renameBook {"book":"1","from":"Kanji","to":"Kanji 1"}
books deleteBook {"book":"3"}
study/1 reveal
study/1 known
study/1 reveal
study/1 unknown
study/1 reveal
cards/1 changeCard {"at":1,"card":{"front":"火","back":"fire"},"to":{"front":"火","back":"flame"}}
cards/1 addCard {"at":0,"card":{"front":"土","back":"earth"}}
cards/1 moveCard {"at":4,"card":{"front":"金","back":"gold"},"to":1}
cards/1 removeCard {"at":4,"card":{"front":"木","back":"tree"}}
game-creator/court teamNameChanged {"side":"home","name":"Crows"}
game-creator/court playerNameChanged {"side":"home","index":0,"name":"Em"}
game-creator/court playersChanged {"count":2}
game-creator/court pointsToWinChanged {"points":11}
book-creator/ann nameChanged {"name":"Kana"}
book-creator/ann nextTapped
book-creator/ann cardsChanged {"text":"あ\ta\nい i"}
REQUESTS
# The first move of the second game becomes one of the other team.
change_move() {
    viewctl get scoreboard/2/plays --json | jq -c 'select(.plays).plays.plays[0] | {op: "send", to: "scoreboard/2/plays",
        key: "change", id: 1, event: {change: {play: ., side: "away", index: 0, move: "assist"}}}' |
        socat -t60 - "UNIX:$BUSD_SOCKET" >/dev/null
}
change_move
busd backup backup --state store >/dev/null
cp backup "$witness/backup"
stop TERM
keep store

cp -r store killed
serve killed --clock manual
send <<<'scoreboard/2/away/2 twoPointMove'
send <<<'scoreboard/2/away/2 onePointMove'
within_a_minute '(($(stat -c %s killed/state.sqlite-wal) > 100))'
stop KILL
rm -f "$BUSD_SOCKET" view.sock
keep killed

serve cut --clock manual --history-size 16M
/usr/bin/python3 - <<'PYTHON' | send
# The first book gets long entries, and its state is saved. Those of the second book make the log too long.
import json
card = lambda letter: {"front": letter * 15_000, "back": letter * 14_000}
small = {"front": "c", "back": "d"}
def change(book, a, b): print(f"cards/{book} changeCard", json.dumps({"at": 0, "card": a, "to": b}))
for book, pairs in (1, 100), (2, 12):
    cards = [small, {"front": "a", "back": "b"}]
    print("books importBook", json.dumps({"name": f"Long {book}", "cards": cards}))
    change(book, small, card("x"))
    for a, b in ["xy", "yx"] * pairs: change(book, card(a), card(b))
    change(book, card("x"), small)
    print(f'cards/{book} removeCard {{"at":1,"card":{{"front":"a","back":"b"}}}}')
    print('bus/clock advance {"by":70}')
PYTHON
stop TERM
# With the real time, the cut is reported when it is done.
serve cut --history-size 16M
within_a_minute 'grep -q "were replaced by states: .* of book 1" log'
stop TERM
serve cut --clock manual
busd backup cut.sqlite --state cut >/dev/null
stop TERM
gzip -9n <cut.sqlite >"$witness/cut.gz"

redis-server --port 0 --unixsocket "$folder/redis.sock" --dir "$folder" --save '' --appendonly yes \
    --appendfsync always --aof-use-rdb-preamble no >redis.log &
within_a_minute '[[ -S redis.sock ]]'
serve member --house league --log "unix:$folder/redis.sock" --member court
within_a_minute "viewctl get bus/house --json | grep -q '\"state\":\"following\"'"
send <<REQUESTS
$game}
scoreboard/1/home/1 twoPointMove
scoreboard/1/away/1 foulMove
books importBook {"name":"Kanji","cards":[{"front":"水","back":"water"}]}
study/1 reveal
study/1 known
REQUESTS
printf 'correct horse\n' | busd user add ann --state member >/dev/null
stop TERM
keep member
redis-cli -s redis.sock bgrewriteaof >/dev/null
within_a_minute '[[ -s $(echo appendonlydir/*.2.base.aof) ]]'
within_a_minute 'grep -q "Background AOF rewrite finished" redis.log'
cat appendonlydir/*.base.aof >"$witness/house.aof"

serve phones --clock manual
send <<<"$game}"
busd-web --listen 127.0.0.1:0 --control "$BUSD_SOCKET" --plain --state web 2>web.log &
within_a_minute 'grep -qs serving web.log'
busd-web pair --no-qr --to 'scoreboard/1/**' --for 30d --as Ann --state web >/dev/null
link=$(busd-web pair --no-qr --to 'scoreboard/1/**' --for 30d --as Phone --state web | grep -m1 -o 'http.*#.*')
url=${link%/pair#*}
curl -sS --max-time 60 -H "Origin: $url" --json '{"link":"'"${link#*#}"'"}' "$url/pair" >/dev/null
busd-web pair --no-qr --to 'scoreboard/*' --for 1m --as 'Bö 水' --state web >/dev/null
keep web
/usr/bin/python3 - "$witness"/web/pairings/*.json <<'PYTHON'
# The pairings and their links last until the year 2100, longer than busd-web allows.
import base64, hashlib, re, sys
for path in sys.argv[1:]:
    pairing = re.fullmatch(r'\{"pairing":(.*),"checksum":"[^"]*"\}\n', open(path).read())[1]
    pairing = re.sub(r'"(ends|linkEnds)":\d+', r'"\1":4102444800', pairing)
    digest = base64.urlsafe_b64encode(hashlib.blake2b(pairing.encode(), digest_size=32).digest())
    open(path, "w").write('{"pairing":%s,"checksum":"%s"}\n' % (pairing, digest.decode().rstrip("=")))
PYTHON

cat >"$witness/policy" <<'POLICY'
# A user, a group, numbers, an event, and each right.
root       send   **
@root      send   scoreboard/** game-creator/*
4001       send   games:createGame
@4002      look   books study/*
4003       -      games
*          send   echo/*
POLICY
chmod -R u=rwX,go=rX "$witness"
"$scripts/open-witness.sh" "$programs" >"$witness/expected.txt"
du -sh "$witness"
