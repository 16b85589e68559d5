#!/usr/bin/env bash
# Opens copies of all parts of the witness (scripts/write-witness.sh) with some programs, and prints what is in them.
#
#     scripts/open-witness.sh FOLDER-OF-THE-PROGRAMS
set -euo pipefail
programs=$(cd "$1" && pwd)
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
cp -r "$(dirname "$0")/../Tests/Witness" "$folder/witness"
# A folder of a checkout is open to others.
chmod -R go= "$folder/witness"
cd "$folder/witness"
export BUSD_SOCKET=$folder/busd.sock
unset BUSD_HOST XDG_RUNTIME_DIR STATE_DIRECTORY
PATH=$programs:$PATH

part() { printf '\n== %s\n' "$*"; }

# run COMMAND...: prints its output, and its exit status unless it is 0. Paths do not matter.
run() {
    local status=0
    "$@" >"$folder/output" 2>&1 </dev/null || status=$?
    sed "s|$folder/||g" "$folder/output"
    ((status == 0)) || echo "exit status $status"
}

ask() { socat -t60 - "UNIX:$BUSD_SOCKET" | sed -E 's/"(cursor|done)":"[^"]*"/"\1":""/g; s/"stopped":[0-9]+/"stopped":0/g'; }

within_a_minute() {
    local end=$((SECONDS + 60))
    until "$@"; do
        ((SECONDS < end)) || { cat "$folder/log" && exit 1; }
        sleep 0.05
    done
}

serves() { grep -qs 'busd: serving' "$folder/log" || ! kill -0 $! 2>/dev/null; }

# contents STATE [OPTION...]: serves a state folder, and prints its drafts, then all its view models, and its users.
contents() {
    local state=$1
    shift
    rm -f "$folder/log"
    busd --socket "$BUSD_SOCKET" --state "$state" "$@" >"$folder/log" 2>&1 &
    within_a_minute serves
    addresses | sed -n '/-creator/s/^/get /p' | ask
    # What was marked as deleted long ago is deleted now, not at some time after the start.
    [[ ${1-} != --clock ]] || ask <<<'send bus/clock advance {"by":601}'
    [[ ${1-} != --house ]] || within_a_minute follows
    addresses | sed 's/^/get /' | ask
    run busd user list --state "$state"
    kill $!
    wait $! || true
    # Which copies are made depends on the free space.
    grep -v -e 'a copy of the store' -e serving "$folder/log" | sed "s|$folder/||g"
}
addresses() { ask <<<list | jq -r '.ok.viewModels[].address | select(startswith("bus/") | not)'; }
follows() { ask <<<'get bus/house' | grep -q '"state":"following"'; }

histories() {
    local address
    for address in "${@:2}"; do
        part "$1: the history of $address"
        run busd --replay "$1" --history "$address"
    done
}

for state in store killed; do
    part "$state"
    contents $state --clock manual
    run busd check --state $state
done

gzip -dc <cut.gz >cut
for backup in backup cut; do
    part "$backup, restored"
    run busd restore $backup --state restored-$backup
    contents restored-$backup --clock manual
    run busd check --state restored-$backup
done
histories backup games scoreboard/1 scoreboard/1/home/1 scoreboard/2 scoreboard/2/plays books study/1 cards/1
histories cut books cards/1

part "pairings"
run busd-web pairs --json --state web

part "policy"
run busd policy check policy
for question in '4001 games createGame' '4001 games deleteGame' '4003 games' '4004 echo/x say'; do
    # shellcheck disable=SC2086 # words
    run busd policy who $question --policy policy
done

redis-server --port 0 --unixsocket "$folder/redis.sock" --dir "$folder" --save '' --appendonly yes \
    --appendfsync always >/dev/null &
within_a_minute test -S "$folder/redis.sock"
part "house: its keys are loaded"
redis-cli -s "$folder/redis.sock" --pipe <house.aof | tail -1
for state in member new; do
    part "house: a daemon with the store $state"
    contents $state --house league --log "unix:$folder/redis.sock" --member "$state"
done
