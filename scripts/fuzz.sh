#!/usr/bin/env bash
# Runs a fuzzer, which searches for input that crashes or hangs the daemon. Fails if it finds one. Interesting
# inputs are kept in FOLDER/TARGET, and the next run begins with them.
#
#     scripts/fuzz.sh FOLDER reader|words|bus RUNS      built by `make fuzz`
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
runs=$3
export BUSD_FUZZ=$2 SWIFT_BACKTRACE=enable=no
corpus=Tests/Fuzzing/Corpus
log=$folder/$BUSD_FUZZ.log
mkdir -p "$folder/$BUSD_FUZZ"

# look RUNS LENGTH [OPTION]: runs with input of at most LENGTH bytes.
# The timeout of a minute is long, because it also counts time in which the machine is suspended.
look() {
    "$folder/build/release/fuzz" -runs="$1" -max_len="$2" "${@:3}" -timeout=60 -entropic=0 \
        -dict=$corpus/words.dict -artifact_prefix="$folder/$BUSD_FUZZ-" "$folder/$BUSD_FUZZ" "$corpus/$BUSD_FUZZ" >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        exit 1
    }
    echo "== fuzz: $BUSD_FUZZ, up to $2 bytes: $(tail -n 1 "$log")"
}
# Short inputs are fast and reach most of the code. Then a few runs use inputs longer than a line may be.
# Replaying the kept inputs counts as runs, so their number is added.
look "$runs" 512
found=("$folder/$BUSD_FUZZ"/* "$corpus/$BUSD_FUZZ"/*)
look $((${#found[@]} + runs / 1000)) 100000 -len_control=0
