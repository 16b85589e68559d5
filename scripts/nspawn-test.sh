#!/usr/bin/env bash
# Boots a container (systemd-nspawn, as root) with the units that `make install` installs, and runs a script
# in it. Prints the output of the script, and fails unless it prints "passed". Nothing on this machine
# is changed.
#
#     scripts/nspawn-test.sh FOLDER-OF-THE-PROGRAMS SCRIPT SECONDS [OPTION-OF-NSPAWN...]
#     scripts/nspawn-test.sh --why-not    print why no container can be booted here; nothing if one can
#
# The programs are built with --static-swift-stdlib. SECONDS is long, for a busy machine.
set -euo pipefail

in_container=(systemd-nspawn --quiet --directory=/ --volatile=yes --register=no --keep-unit
    --private-network --console=pipe)

if [[ $1 == --why-not ]]; then
    if ((EUID)); then
        echo "only root can boot them"
    elif ! command -v systemd-nspawn >/dev/null; then
        echo "there is no systemd-nspawn"
    elif ! output=$("${in_container[@]}" true 2>&1 </dev/null); then
        echo "systemd-nspawn cannot start a container: ${output##*$'\n'}"
    fi
    exit
fi
bin=$(cd "$1" && pwd)
script=$2
seconds=$3
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/results"
make -s install DESTDIR="$folder" PREFIX=/usr/local BIN="$bin" >/dev/null

cat >"$folder/probe.service" <<UNIT
[Unit]
Wants=busd.socket busd-view.socket
After=busd.socket busd-view.socket
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
ExecStart=/bin/bash /$script
StandardOutput=file:/results/log
StandardError=inherit
TimeoutStartSec=$((seconds - 5))
UNIT
# A hanging loop is found after 4 s, not 10 s. A shorter watchdog would find a busy machine.
printf '[Service]\nWatchdogSec=4\n' >"$folder/watchdog.conf"

timeout --kill-after=5 "$seconds" "${in_container[@]}" --boot \
    --bind="$folder/results:/results" --bind-ro=/etc/alternatives \
    --bind-ro=/etc/pam.d --bind-ro=/etc/security \
    --bind-ro="$folder/usr/local:/usr/local" \
    --bind-ro="$PWD/scripts:/scripts" --bind-ro="$PWD/Examples/game.busd:/game.busd" \
    --bind-ro="$folder/probe.service:/etc/systemd/system/probe.service" \
    --bind-ro="$folder/watchdog.conf:/etc/systemd/system/busd.service.d/watchdog.conf" \
    "${@:4}" -- --unit=probe.service >"$folder/console" 2>&1 </dev/null || true

if grep -qx passed "$folder/results/log" 2>/dev/null; then
    cat "$folder/results/log"
else
    cat "$folder/console" "$folder/results/log" >&2
    exit 1
fi
