#!/usr/bin/env bash
# Runs every verb of some programs with a daemon of its own, and prints the outputs and exit statuses. Only what differs
# between two runs of one program is masked. scripts/compare-programs.sh compares what two versions print.
#
#     scripts/exercise-programs.sh FOLDER-OF-THE-PROGRAMS
set -uo pipefail
programs=$(cd "$1" && pwd)
package=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$folder"' EXIT
cd "$folder" || exit
umask 077
export BUSD_SOCKET=$folder/busd.sock LC_ALL=C.UTF-8 NO_COLOR=1 HOME=$folder
unset BUSD_HOST XDG_RUNTIME_DIR XDG_STATE_HOME STATE_DIRECTORY
PATH=$programs:$PATH
names=(busd viewctl scoreboard books busd-login busd-web)

mask() {
    sed -E -e "s|$folder|FOLDER|g; s|$programs|PROGRAMS|g" -e 's/[0-9a-z]{9,14}:([0-9]+)/RUN:\1/g' \
        -e 's/"(created|since|pid|microseconds|memory|made|until)":[0-9.]+/"\1":0/g' \
        -e 's/\b(busd|viewctl|scoreboard|books|busd-login|busd-web) [0-9]+\.[0-9]+\.[0-9]+/\1 VERSION/' \
        -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]?[0-9:.]*Z?/DATE/g; s/ \(?[0-9]+ (ms|µs|s)\b\)?//g' "$@"
}

# run WORD...: prints the words as a part, and what the program does. Standard input is that of the caller.
run() {
    printf '\n== %s\n' "$*" | mask
    timeout 60 "$@" >output 2>errors
    local status=$?
    mask output
    mask errors | sed 's/^/stderr: /'
    echo "exit status $status"
}

for name in "${names[@]}"; do
    run "$name" --help
    run "$name" --version
    run "$name" --manual
    run "$name" --wrong
    for shell in bash zsh fish; do run "$name" --completion $shell; done
done </dev/null
for verb in check backup restore user policy house; do run busd $verb --help; done </dev/null
for verb in list describe get watch wait send who top tap ping relay expect house; do
    run viewctl $verb --help
    run viewctl $verb --wrong
    run viewctl $verb
done </dev/null
for verb in import export; do
    run books $verb --help
    run books $verb --wrong
    run books $verb
done </dev/null
for words in '--help' '--wrong' ''; do run scoreboard export $words; done </dev/null
for verb in pair pairs unpair; do run busd-web $verb --help; done </dev/null

cp "$package/Tests/Witness/policy" policy && cp "$package/Tests/Witness/backup" backup
chmod 600 backup policy
busd --socket "$BUSD_SOCKET" --state state --clock manual --policy policy 2>log &
daemon=$!
until grep -q 'busd: serving' log; do kill -0 $daemon || exit; sleep 0.05; done
game='{"home":{"name":"Owls","players":["Ann","Bo"]},"away":{"name":"Jets","players":["Cy","Di"]}}'
printf '水\twater\n火\tfire\n' >cards.txt
printf 'Word,Meaning\n木,tree\n' >cards.csv
# Each line is a command. Its standard input is a pipe with one line; a screen without a terminal ends after it.
while read -r -a words; do
    eval "run ${words[*]}" < <(echo undo)
done <<COMMANDS
viewctl ping
viewctl send games createGame '$game'
viewctl send games createGame '{}'
viewctl send games createGam
viewctl send scoreboard/1/home/1 twoPointMove --events
viewctl send scoreboard/1 undo --if-seq 99
viewctl send scoreboard/1 redo --expect-change
viewctl send scoreboard/1 pause --expect-change
viewctl send nothing pause
viewctl list
viewctl list 'scoreboard/*' --plain
viewctl describe
viewctl describe scoreboard --plain
viewctl get scoreboard/1
viewctl get scoreboard/1 --plain
viewctl get scoreboard/1 --cursor
viewctl get scoreboard/1 teams.home score.home
viewctl get scoreboard/1 nothing.here
viewctl wait scoreboard/1 score.home=2
viewctl wait scoreboard/1 finished.winner --now
viewctl wait scoreboard/1 finished.winner --timeout 0.2
viewctl watch scoreboard/1 --timeout 0.5
viewctl watch scoreboard/1 --timeout 0.5 --format '{teams.home}'
books import cards.txt
books import cards.txt --again update
books import cards.csv --columns front=Word,back=Meaning
books import nothing.txt
books export study/1
scoreboard export scoreboard/1 --csv
scoreboard export --all --json
viewctl who --plain
viewctl tap --timeout 0.3
viewctl house
viewctl expect '$package/Examples/game.busd'
viewctl --socket nothing.sock ping
scoreboard --once
scoreboard --once --view content 1
scoreboard --plain 1
scoreboard --plain 99
books --once
books --plain 1
books --plain 99
busd-login --plain --user ann
busd user list
busd user add ann
busd user remove ann
busd policy check policy
busd policy check backup
busd policy who 4001 games createGame
busd policy reload
busd backup copy --state state
busd check --state state
busd restore nothing --state state
busd restore backup --state state
busd house list --log unix:nothing.sock
busd house status --state state
busd house leave --state state
busd --replay backup --history scoreboard/1
busd --replay backup --history nothing
busd --replay nothing --history games
busd-web pairs --state web
busd-web unpair abcdef --state web
busd-web pair --to games --for 1h --as Ann --state web
COMMANDS
kill -TERM $daemon
wait $daemon
run busd check --state state </dev/null
