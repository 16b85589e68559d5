#!/usr/bin/env bash
# Makes the Debian packages of programs that are built, and prints their paths.
#
#     scripts/deb.sh FOLDER-OF-THE-PROGRAMS FOLDER
#
# The same commit gives the same bytes in any folder. All dates are the date of the commit, or SOURCE_DATE_EPOCH.
set -euo pipefail
export LC_ALL=C.UTF-8 TZ=UTC
umask 022

bin=$(cd "$1" && pwd)
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."

version=$(sed -nE 's/.* text = "(.*)"$/\1/p' Sources/Protocol/Version.swift)
date=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
names=$(sed -n 's/^Package: //p' debian/control)

# debhelper writes into the folder `debian`, so it works on a copy.
source=$folder/deb
rm -rf "$source" "$folder"/busd_*.deb "$folder"/busd-*.deb
mkdir "$source"
cp -R debian CHANGELOG.md "$source"
cat >"$source/debian/changelog" <<END
busd ($version) unstable; urgency=medium

  * CHANGELOG.md lists the changes.

 -- $(sed -n 's/^Maintainer: //p' debian/control)  $(date -R --date="@$date")
END
env -u MAKEFLAGS make -C "$source" --file=debian/rules binary SOURCE="$PWD" BIN="$bin" >"$folder/deb.log" 2>&1 || {
    cat "$folder/deb.log" >&2
    exit 1
}
for name in $names; do echo "$folder/${name}_${version}_$(dpkg --print-architecture).deb"; done
