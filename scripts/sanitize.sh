#!/usr/bin/env bash
# Runs all tests, and the daemons that they start, under a sanitizer. Prints the sanitizer's reports. Fails if
# there is a report or if a test fails.
#
#     scripts/sanitize.sh address|thread SCRATCH
set -euo pipefail
cd "$(dirname "$0")/.."
sanitizer=$1
scratch=$2
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT

# The leak detector does not understand Swift's weak references: it reports all objects that are alive at the
# end. `make soak` and `make siege` check that memory use does not grow.
export ASAN_OPTIONS="log_path=$found/report detect_leaks=0"
export TSAN_OPTIONS="log_path=$found/report suppressions=$PWD/scripts/thread-sanitizer.supp"
# The schedules use one thread, so more of them find nothing more with a sanitizer.
export BUSD_SCHEDULES=${BUSD_SCHEDULES-500}

echo "== sanitize: building for the $sanitizer sanitizer, into $scratch"
swift build --scratch-path "$scratch" --build-tests --sanitize="$sanitizer"
echo "== sanitize: running"
status=0
swift test --scratch-path "$scratch" --skip-build --disable-xctest --sanitize="$sanitizer" || status=1
if compgen -G "$found/report*" >/dev/null; then
    cat "$found"/report*
    echo "== sanitize: the $sanitizer sanitizer has reported an error" >&2
    status=1
fi
exit $status
