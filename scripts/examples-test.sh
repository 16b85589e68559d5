#!/usr/bin/env bash
# Builds and tests the example packages as separate packages, and runs their daemons with their clients.
#
#     scripts/examples-test.sh SCRATCH [OPTION-OF-SWIFT-BUILD...]
set -euo pipefail
mkdir -p "$1"
scratch=$(cd "$1" && pwd)
cd "$(dirname "$0")/../Examples"

# The packages share one scratch path, so the modules of busd are built once.
for package in Counter Kitchen Shopping Timer; do
    echo "== examples: $package"
    swift build --package-path $package --scratch-path "$scratch" --build-tests "${@:2}"
    swift test --package-path $package --scratch-path "$scratch" --skip-build --disable-xctest
done

folder=$(mktemp -d)
export XDG_RUNTIME_DIR=$folder HOME=$folder
unset STATE_DIRECTORY XDG_STATE_HOME BUSD_SOCKET COUNTERD_SOCKET SHOPPINGD_SOCKET TIMERD_SOCKET
daemons=()
trap 'kill "${daemons[@]}" && wait "${daemons[@]}"; rm -r "$folder"' EXIT

# Without options, each daemon uses the default paths of its name.
for name in counterd kitchend shoppingd timerd; do
    "$scratch/debug/$name" 2>"$folder/$name.log" &
    daemons+=($!)
    for ((attempt = 0; attempt < 2400; attempt++)); do
        [[ -S $folder/$name/view.sock ]] && break
        sleep 0.05
    done
done

# expect WHAT EXPECTED ACTUAL
expect() {
    [[ $2 == "$3" ]] && return
    printf '%s: expected:\n%s\ngot:\n%s\nlogs of the daemons:\n' "$@" >&2
    cat "$folder"/*.log >&2
    exit 1
}

count() { timeout 120 "$scratch/debug/count" "$@" 2>&1; }
expect "keys of a pipe" $'0 of 100\n1 of 100\n2 of 100\n1 of 100' "$(printf '++-' | count hall)"
printf '+' >"$folder/keys"
expect "keys of a file" $'1 of 100\n2 of 100' "$(count hall <"$folder/keys")"
expect "no keys at all" '2 of 100' "$(count hall </dev/null)"
expect "a bad name" $'count: a b is not a name\n64' "$(count 'a b' </dev/null || echo $?)"
expect "no daemon" "count: no daemon listens at $folder/none"$'\n1' \
    "$(COUNTERD_SOCKET=$folder/none count hall </dev/null || echo $?)"

shop() { printf '%s' "$1" | timeout 120 "$scratch/debug/shop" home 2>&1; }
expect "a shopping list" $'0 to buy, nothing to undo\n1 to buy\n1 [ ] milk' "$(shop $'add milk\n')"
expect "a place that does not exist, and undo" $'1 to buy\n1 [ ] milk\n0 to buy, nothing to undo' \
    "$(shop $'check 2\nundo\n')"
expect "a text that is too long" \
    $'0 to buy, nothing to undo\nshop: an item has at most 200 bytes (limit itemText)' \
    "$(shop "add $(printf '%0201d' 0)"$'\n')"

board() { printf '%s' "$1" | timeout 120 "$scratch/debug/board" 2>&1; }
expect "a board of orders" $'0 open\n1 open\n1 table 4: soup, bread\n1 open\n1 table 4: soup, bread ready' \
    "$(board $'place 4 soup bread\nready 1 2\n')"
expect "undo, and an order that is served" \
    $'1 open\n1 table 4: soup, bread ready\n1 open\n1 table 4: soup, bread\n0 open\n1 table 4: served' \
    "$(board $'undo 1\nserve 1\n')"
expect "an order without dishes" \
    $'0 open\n1 table 4: served\nboard: an order has 1 to 20 dishes (limit dishes)\n0 open\n1 table 4: served' \
    "$(board $'place 4\n')"

timer=$folder/timerd/timerd.sock
ask() { socat -t60 - "UNIX-CONNECT:$timer"; }
expect "a timer" '{"time":{"text":"0:07","seconds":7}}' \
    "$(printf '%s\n' 'send timer/tea lengthChanged {"seconds":7}' 'get timer/tea' | ask | jq -c '.ok.events[0]')"

# The sessions of the tutorials: each line after `$ ` is a command, and the lines behind it are its output.
ln -s "$scratch" "$folder/.build"
tutorials=../docs/Tutorials.docc
for session in $(grep -ho '[A-Za-z]*\.console' $tutorials/*.tutorial); do
    text=$(<"$tutorials/Resources/$session")
    commands=$(awk '/^\$ / { isCommand = 1 } isCommand { print substr($0, 3) } !/[|\\]$/ { isCommand = 0 }' <<<"$text")
    output=$(awk '/^\$ / { isCommand = 1 } !isCommand { print } !/[|\\]$/ { isCommand = 0 }' <<<"$text")
    expect "$session" "$output" "$(cd "$folder" && timeout 120 bash -c "$commands" 2>&1)"
done

if command -v tmux >/dev/null; then
    # Uses a server of its own.
    tmux() { command tmux -S "$folder/tmux" -f /dev/null "$@"; }
    tmux new-session -d -x 80 -y 24 "exec '$scratch/debug/countdown' tea"
    # shows TEXT: waits at most two minutes for it.
    shows() {
        for ((attempt = 0; attempt < 2400; attempt++)); do
            screen=$(tmux capture-pane -p)
            [[ $screen == *"$1"* ]] && return
            sleep 0.05
        done
        expect "the screen" "$1" "$screen"
    }
    shows "0:07  paused"
    tmux send-keys l
    shows "lap 1  0:07"
    tmux send-keys Up
    shows "1:07  paused"
    tmux send-keys Space
    shows "1:06"
    tmux send-keys q
else
    echo "== test: skipped: the screen of the timer example: there is no tmux"
fi
echo "the daemons and clients of the examples work together"
