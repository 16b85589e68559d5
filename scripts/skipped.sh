#!/usr/bin/env bash
# Prints one line with the tests that were skipped, each with its reason; nothing if none was.
#
#     scripts/skipped.sh LOG...
#
# LOG has the output of Swift Testing, and lines such as `skipped: the units: only root can boot them`.
set -euo pipefail
export LC_ALL=C.UTF-8

# The reasons may be in colours. A skipped suite is reported with each of its tests.
all=$(sed $'s/\e\\[[0-9;]*m//g' "$@" | sed -nE \
    -e 's/^[^ ]+ +Test "?([^"]+)"?.* skipped: "(.*)"$/\1: \2/p' \
    -e 's/^(== test: )?skipped: //p' | sort -u)
[[ -z $all ]] || echo "== test: skipped: ${all//$'\n'/; }"
