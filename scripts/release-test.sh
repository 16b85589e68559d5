#!/usr/bin/env bash
# Tests short texts with an escape in the optimised build. Only there the compiler keeps them on the stack.
#
#     scripts/release-test.sh BIN
set -euo pipefail
bin=$1
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
"$bin/busd" --socket "$folder/socket" --state :memory: 2>"$folder/log" &
until [[ -S $folder/socket ]]; do
    kill -0 $! || { cat "$folder/log" >&2; exit 1; }
    sleep 0.05
done

texts() {
    jq -nc 'range(24) as $length | ("\"", "\\", "\t", "\n", "\u0001", "é", "x") as $last
        | ("x" * ($length + 1))[1:] + $last'
}
{
    echo 'subscribe echo/a'
    texts | jq -c '{op: "send", to: "echo/a", event: {say: {text: .}}}'
    echo 'unsubscribe echo/a'
} | socat -t60 - "UNIX:$folder/socket" | jq -c 'select(.event.said and (.snapshot | not)).event.said.text' |
    diff <(texts) - >"$folder/wrong" || { echo "== wrong texts:" >&2; head "$folder/wrong" >&2; exit 1; }
echo "== $(texts | wc -l) short texts came back as they were sent"
