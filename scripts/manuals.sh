#!/usr/bin/env bash
# Writes the man pages. The programs print them from the same tables as their --help.
#
#     scripts/manuals.sh FOLDER-OF-THE-PROGRAMS
set -euo pipefail
man=$(cd "$(dirname "$0")/../docs/man" && pwd)
for program in viewctl scoreboard books busd-login; do "$1/$program" --manual >"$man/$program.1"; done
for program in busd busd-web; do "$1/$program" --manual >"$man/$program.8"; done
