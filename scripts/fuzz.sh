#!/usr/bin/env bash
# Lets one of the fuzzers look for input that the daemon can't take, and fails where it finds some. What
# it finds on its way stays in FOLDER/TARGET, and it goes on from there the next time.
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

# look RUNS LENGTH [OPTION]: with input of so many bytes at most.
# A minute by the clock is long enough for a machine that stood still meanwhile.
look() {
    "$folder/build/release/fuzz" -runs="$1" -max_len="$2" "${@:3}" -timeout=60 -entropic=0 \
        -dict=$corpus/words.dict -artifact_prefix="$folder/$BUSD_FUZZ-" "$folder/$BUSD_FUZZ" "$corpus/$BUSD_FUZZ" >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        exit 1
    }
    echo "== fuzz: $BUSD_FUZZ, up to $2 bytes: $(tail -n 1 "$log")"
}
# Short ones are fast, and do most of what there is to do. A few are longer than a line may be, after all
# that was found, which is played again and counts.
look "$runs" 512
found=("$folder/$BUSD_FUZZ"/* "$corpus/$BUSD_FUZZ"/*)
look $((${#found[@]} + runs / 1000)) 100000 -len_control=0
