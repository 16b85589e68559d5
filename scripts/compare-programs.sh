#!/usr/bin/env bash
# Runs two versions of the programs side by side, and fails at the first difference, which it prints.
#
#     scripts/compare-programs.sh OLD NEW [REQUESTS]     OLD and NEW are folders of programs
#
# It compares the witness as both read it, every verb with its output and exit status, random requests (100,000 without
# REQUESTS), and what daemons of both versions show in one house. scripts/allowed-differences.txt has the outputs that
# may differ, with the reasons. An upgrade of the Debian packages: scripts/nspawn-package.sh --from.
set -euo pipefail
old=$(cd "$1" && pwd)
new=$(cd "$2" && pwd)
requests=${3:-100000}
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT

# compare WHAT SCRIPT: runs a script with the programs of each version, and compares the parts of both outputs.
compare() {
    "./$2" "$old" >"$folder/old" &
    "./$2" "$new" >"$folder/new"
    wait $!
    /usr/bin/python3 - "$folder/old" "$folder/new" allowed-differences.txt "$1" <<'PYTHON'
import sys
def parts(path):
    """The lines of each part, by its title, and how often the title was there before."""
    found = {}
    for text in open(path).read().split("\n== ")[1:]:
        title = text.partition("\n")[0]
        found[title, sum(title == other for other, _ in found)] = text.splitlines()[1:]
    return found
old, new, what = parts(sys.argv[1]), parts(sys.argv[2]), sys.argv[4]
allowed = {line.partition(":")[0] for line in open(sys.argv[3]) if not line.startswith("#")}
differing = 0
for key in old | new:
    before, after, title = old.get(key, ["no such part"]), new.get(key, ["no such part"]), key[0]
    differing += before != after
    if before == after or title in allowed: continue
    for a, b in zip(before + ["the end"], after + ["the end"]):
        if a != b: sys.exit(f"== {what}: the first difference is in: {title}\n-{a}\n+{b}")
print(f"== {what}: {len(old) - differing} parts are the same, and {differing} differ that may")
PYTHON
}

# serve NUMBER PROGRAMS: a daemon of the house.
serve() {
    "$2/busd" --socket "$folder/$1.sock" --view-socket "$folder/$1.view" --state "$folder/state-$1" --house league \
        --log "unix:$folder/redis.sock" --member "m$1" 2>"$folder/log-$1" &
    within_a_minute follows "$1"
}
within_a_minute() {
    local end=$((SECONDS + 60))
    until "$@"; do
        ((SECONDS < end)) || { echo "in vain: $*" >&2 && exit 1; }
        sleep 0.05
    done
}
ask() { socat -t60 - "UNIX:$folder/$1.sock" 2>/dev/null; }
follows() { [[ $(ask "$1" <<<'get bus/house') == *'"state":"following"'* ]]; }
shows() { [[ $(ask "$1" <<<'get scoreboard/1') == *"\"text\":\"$2\""* ]]; }
addresses() { printf 'get %s\n' games books scoreboard/1 scoreboard/1/{home,away}/1 scoreboard/1/plays study/1 cards/1; }
# The values of all things, without the marks of the daemon.
values() { addresses | ask "$1" | sed -E 's/"(cursor|done)":"[^"]*"//g'; }
send() { ask "$1" <<<"{\"op\":\"send\",\"to\":\"$2\",\"event\":$3,\"id\":1}" | grep -q '^{"ok"'; }

house() {
    redis-server --port 0 --unixsocket "$folder/redis.sock" --dir "$folder" --save '' --appendonly yes \
        --appendfsync always >/dev/null &
    within_a_minute test -S "$folder/redis.sock"
    serve 0 "$old"
    serve 1 "$new"
    local team='{"name":"A","players":["a"]}'
    send 0 games "{\"createGame\":{\"home\":$team,\"away\":$team,\"rules\":{\"pointsToWin\":99,\"margin\":1}}}"
    within_a_minute shows 1 '0 - 0'
    send 1 books '{"importBook":{"name":"K","cards":[{"front":"a","back":"b"}]}}'
    local move points=0
    for move in {1..20}; do
        ((points += 1))
        within_a_minute shows $((move % 2)) "$((points - 1)) - 0"
        send $((move % 2)) scoreboard/1/home/1 '"onePointMove"'
        ((move % 5)) || { within_a_minute shows $((1 - move % 2)) "$points - 0"
            send $((1 - move % 2)) scoreboard/1 '"undo"' && ((points -= 1)); }
    done
    # A daemon of each version that loads the house later shows the same.
    serve 2 "$old"
    serve 3 "$new"
    for daemon in 0 1 2 3; do
        within_a_minute shows "$daemon" "$points - 0"
        values "$daemon" >"$folder/values-$daemon"
        cmp "$folder/values-0" "$folder/values-$daemon" ||
            { diff "$folder/values-0" "$folder/values-$daemon" | head -4 && exit 1; }
    done
    echo "== a house: four daemons, two of each version, show the same"
}

compare "the witness" open-witness.sh
compare "the verbs" exercise-programs.sh
/usr/bin/python3 compare-requests.py "$old" "$new" "$requests"
house
