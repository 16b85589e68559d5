#!/usr/bin/env bash
# Builds and tests the example package as somebody else's, and lets its daemon and its client talk.
#
#     scripts/counter-test.sh SCRATCH
set -euo pipefail
mkdir -p "$1"
scratch=$(cd "$1" && pwd)
cd "$(dirname "$0")/../Examples/Counter"

swift build --scratch-path "$scratch" --build-tests
swift test --scratch-path "$scratch" --skip-build --disable-xctest

folder=$(mktemp -d)
export BUSD_SOCKET=$folder/counter.sock
"$scratch/debug/counterd" --socket "$BUSD_SOCKET" --state :memory: 2>"$folder/log" &
daemon=$!
trap 'kill $daemon && wait $daemon; rm -r "$folder"' EXIT
for ((attempt = 0; attempt < 200; attempt++)); do
    [[ -S $BUSD_SOCKET ]] && break
    sleep 0.05
done

came=$(printf '++-' | timeout 10 "$scratch/debug/count" hall)
if [[ $came != $'0 of 100\n1 of 100\n2 of 100\n1 of 100' ]]; then
    printf 'the client printed:\n%s\nthe daemon:\n' "$came" >&2
    cat "$folder/log" >&2
    exit 1
fi
echo "counterd and count understand each other"
