#!/usr/bin/env bash
# Writes zeros over the compiler's hashes of the modules of a program. They depend on the folder of the build, and a
# program needs none. The section stays in its place.
#
#     scripts/clear-hashes.sh PROGRAM
set -euo pipefail
size=$(readelf --section-headers --wide "$1" |
    sed -nE 's/.*\.swift_modhash +PROGBITS +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+).*/\1/p')
[[ -n $size ]] || exit 0
zeros=$(mktemp)
trap 'rm -f "$zeros"' EXIT
head -c "$((16#$size))" /dev/zero >"$zeros"
objcopy --update-section .swift_modhash="$zeros" "$1"
