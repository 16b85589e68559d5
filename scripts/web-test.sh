#!/usr/bin/env bash
# Tests busd-web in real browsers, under attack and behind proxies, and prints what this machine does not have.
#
#     scripts/web-test.sh BIN PICTURES [unittest's arguments]     PICTURES is the folder for screenshots
set -euo pipefail
BUSD_PROGRAMS=$(cd "$1" && pwd)
BUSD_PICTURES=$(mkdir -p "$2" && cd "$2" && pwd)
export BUSD_PROGRAMS BUSD_PICTURES PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")/../Tests/Web"
unset BUSD_SOCKET BUSD_HOST
run=(/usr/bin/python3 run.py "${@:3}")
# WebKit needs a display.
if command -v xvfb-run >/dev/null; then run=(xvfb-run -a "${run[@]}"); fi
"${run[@]}"
