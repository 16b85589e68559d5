#!/usr/bin/env bash
# Writes the man pages. The programs print them from the same tables as their --help.
#
#     scripts/manuals.sh FOLDER-OF-THE-PROGRAMS
set -euo pipefail
man=$(cd "$(dirname "$0")/../docs/man" && pwd)
for program in viewctl scoreboard books busd-login; do "$1/$program" --manual >"$man/$program.1"; done
"$1/busd" --manual >"$man/busd.8"
