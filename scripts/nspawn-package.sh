#!/usr/bin/env bash
# Boots a container (systemd-nspawn, as root) with the root folder of this machine, and runs a script in it, which
# installs, upgrades and removes the Debian packages. Prints the output of the script, and fails unless it prints
# "passed". What is written in the container is deleted afterwards, so nothing on this machine is changed.
#
#     scripts/nspawn-package.sh [--from FOLDER-OF-OLDER-PACKAGES] FOLDER-OF-THE-PACKAGES SCRIPT SECONDS
#     scripts/nspawn-package.sh --why-not    print why it cannot be done here; nothing if it can
#
# The container has two versions of each package: /old/busd.deb, as it is in the folder of older packages, and
# /new/busd.deb, that of the other folder with a later version; likewise busd-web.deb. Without --from, both are of one
# folder. Script NAME of a new package removes the file /run/kill-dpkg-in-NAME, if it
# exists, and kills dpkg. SECONDS is long, for a busy machine.
set -euo pipefail

# mount_root FOLDER: the root folder of this machine, at FOLDER/root. What is written is on a disk of 512 MiB in memory.
mount_root() {
    mount -t tmpfs -o size=512M,mode=755 tmpfs "$1"
    mkdir "$1/root" "$1/written" "$1/work"
    mount -t overlay -o "lowerdir=/,upperdir=$1/written,workdir=$1/work" overlay "$1/root"
}

if [[ $1 == --why-not ]]; then
    reason=$("${0%/*}/nspawn-test.sh" --why-not)
    if [[ -n $reason ]]; then
        echo "$reason"
    elif ! command -v dpkg >/dev/null || ! command -v apt-get >/dev/null; then
        echo "there is no dpkg"
    elif mountpoint --quiet /usr; then
        echo "/usr has a file system of its own"
    else
        export -f mount_root
        output=$(unshare --mount bash -ec 'mount_root /mnt' 2>&1) ||
            echo "there is no overlay of the root folder: ${output##*$'\n'}"
    fi
    exit
fi
# Only this script sees what it mounts.
if [[ ${BUSD_MOUNTS-} != "$PPID" ]]; then
    export BUSD_MOUNTS=$$
    exec unshare --mount --fork "$0" "$@"
fi
older=
if [[ $1 == --from ]]; then
    older=$(cd "$2" && pwd)
    shift 2
fi
packages=$(cd "$1" && pwd)
script=$2
seconds=$3
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
disk=$(mktemp -d)
cleanup() {
    umount "$disk/root" "$disk" 2>/dev/null || true
    rm -rf --one-file-system "$folder" "$disk"
}
trap cleanup EXIT
mkdir "$folder/results"
mount_root "$disk"
# The disks of this machine are not mounted. A container of Docker forbids packages to start anything. An index of all
# man pages, after each upgrade, takes longer than the upgrade.
: >"$disk/root/etc/fstab"
rm -f "$disk/root/usr/sbin/policy-rc.d" "$disk/root/var/lib/man-db/auto-update"

# renew PACKAGE NEW: a package with a later version.
renew() {
    local scripts=$folder/raw/DEBIAN
    rm -rf "$folder/raw"
    dpkg-deb --raw-extract "$1" "$folder/raw"
    sed -i "s/^Version: .*/&+next/" "$scripts/control"
    for name in preinst prerm postinst; do
        kill="rm /run/kill-dpkg-in-$name 2>/dev/null && kill -KILL \$PPID && exec sleep 1"
        if [[ -e $scripts/$name ]]; then
            sed -i "1a $kill" "$scripts/$name"
        else
            printf '#!/bin/sh\n%s\nexit 0\n' "$kill" >"$scripts/$name"
            chmod 755 "$scripts/$name"
        fi
    done
    dpkg-deb --build --root-owner-group -Zgzip -z1 "$folder/raw" "$2" >/dev/null
}
mkdir "$folder/old" "$folder/new"
for name in busd busd-web; do
    cp "${older:-$packages}/${name}"_*.deb "$folder/old/$name.deb"
    renew "$packages/${name}"_*.deb "$folder/new/$name.deb"
done

cat >"$folder/probe.service" <<UNIT
[Unit]
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
ExecStart=/bin/bash /$script
StandardOutput=file:/results/log
StandardError=inherit
TimeoutStartSec=$((seconds - 5))
UNIT
timeout --kill-after=5 "$seconds" systemd-nspawn --quiet --directory="$disk/root" --machine="busd-$$" \
    --register=no --keep-unit --private-network --console=pipe --boot \
    --bind="$folder/results:/results" --bind-ro="$PWD/scripts:/scripts" --bind-ro="$PWD/Examples/game.busd:/game.busd" \
    --bind-ro="$folder/old:/old" --bind-ro="$folder/new:/new" \
    --bind-ro="$folder/probe.service:/etc/systemd/system/probe.service" \
    -- --unit=probe.service >"$folder/console" 2>&1 </dev/null || true

if grep -qx passed "$folder/results/log" 2>/dev/null; then
    cat "$folder/results/log"
else
    cat "$folder/console" "$folder/results/log" >&2
    exit 1
fi
