#!/usr/bin/env bash
# Checks Debian packages with lintian, and their programs: they have no RUNPATH, and do not name the folder they were
# built in. Prints what is wrong, and fails if anything is.
#
#     scripts/deb-check.sh PACKAGE...
set -euo pipefail
mapfile -t packages < <(readlink -f "$@")
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
broken=0
refuse() {
    echo "deb-check.sh: $*" >&2
    broken=1
}

lintian --pedantic --allow-root --fail-on error,warning,info,pedantic "${packages[@]}" || broken=1
for package in "${packages[@]}"; do dpkg-deb --extract "$package" "$folder"; done
for program in "$folder"/usr/bin/*; do
    if readelf --dynamic "$program" | grep -E '\((RPATH|RUNPATH)\)'; then
        refuse "${program##*/} has a RUNPATH"
    fi
    if grep --quiet --fixed-strings --text "$PWD/Sources" "$program"; then
        refuse "${program##*/} has the path of the folder that it was built in"
    fi
done
exit $broken
