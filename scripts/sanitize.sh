#!/usr/bin/env bash
# All tests under a sanitizer, and with it the daemons that they start, which write what was found into
# a file. Prints it, and fails where there is some or where a test fails.
#
#     scripts/sanitize.sh address|thread SCRATCH
set -euo pipefail
cd "$(dirname "$0")/.."
sanitizer=$1
scratch=$2
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT

# The search for leaks does not know how Swift refers to an object that is held weakly, and takes all
# that is alive at the end for leaked. `make soak` and `make siege` look whether memory is flat.
export ASAN_OPTIONS="log_path=$found/report detect_leaks=0"
export TSAN_OPTIONS="log_path=$found/report suppressions=$PWD/scripts/thread-sanitizer.supp"
# In one thread, so the sanitizer sees nothing new in the ten-thousandth.
export BUSD_SCHEDULES=${BUSD_SCHEDULES-500}

echo "== sanitize: building for the $sanitizer sanitizer, into $scratch"
swift build --scratch-path "$scratch" --build-tests --sanitize="$sanitizer"
echo "== sanitize: running"
status=0
swift test --scratch-path "$scratch" --skip-build --disable-xctest --sanitize="$sanitizer" || status=1
if compgen -G "$found/report*" >/dev/null; then
    cat "$found"/report*
    echo "== sanitize: the $sanitizer sanitizer has found something" >&2
    status=1
fi
exit $status
