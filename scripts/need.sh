#!/usr/bin/env bash
# Installs missing packages on a Debian machine, and lists them first. Prints nothing if none is missing.
#
#     scripts/need.sh build run test
set -euo pipefail

packages() {
    case $1 in
        build) echo pkg-config libevent-dev libncurses-dev libsqlite3-dev libsodium-dev libhiredis-dev libmicrohttpd-dev libqrencode-dev ;;
        run) echo socat jq ;;
        docs) echo jq mandoc ;;
        deb) echo debhelper ;;
        house) echo redis-server tmux ;;
        pictures) echo socat tmux ;;
        recording) echo tmux chromium chromium-driver python3-selenium webp fonts-inter fonts-dejavu-core ;;
        test) echo socat jq curl netcat-openbsd tmux strace man-db redis-server stunnel4 openssl systemd python3-jsonschema libjson-c-dev redis-tools i3blocks zsh fish ;;
        test-rest) echo valgrind systemd-container libpam-systemd debhelper lintian ;;
        bench) echo redis-server redis-tools mosquitto strace ;;
        polybar) echo polybar xvfb xdotool ;;
        waybar) echo waybar sway grim ;;
        i3blocks) echo i3blocks sway grim ;;
        web) echo chromium chromium-driver webkit2gtk-driver xvfb xauth python3-selenium python3-pip nginx-light caddy openssl socat curl valgrind ;;
        *) echo "need.sh: $1 is not build, run, docs, deb, house, pictures, recording, test, test-rest, bench, polybar, waybar, i3blocks or web" >&2 && exit 64 ;;
    esac
}

# Checks for the content of a package, because its name differs between distributions.
is_there() {
    case $1 in
        debhelper) command -v dh ;;
        libevent-dev) pkg-config --exists libevent_core ;;
        libncurses-dev) pkg-config --exists ncursesw ;;
        libsqlite3-dev) pkg-config --exists sqlite3 ;;
        libsodium-dev) pkg-config --exists libsodium ;;
        libhiredis-dev) pkg-config --exists hiredis ;;
        libmicrohttpd-dev) pkg-config --exists libmicrohttpd ;;
        libqrencode-dev) pkg-config --exists libqrencode ;;
        netcat-openbsd) nc -h 2>&1 | grep -q -- -U ;;
        man-db) command -v man ;;
        systemd) command -v systemd-analyze ;;
        systemd-container) command -v systemd-nspawn ;;
        libpam-systemd) compgen -G '/lib/*/security/pam_systemd.so' || compgen -G '/lib*/security/pam_systemd.so' ;;
        libjson-c-dev) pkg-config --exists json-c ;;
        python3-jsonschema) /usr/bin/python3 -c 'import jsonschema' ;;
        redis-tools) command -v redis-cli ;;
        xvfb) command -v Xvfb ;;
        chromium-driver) command -v chromedriver ;;
        webkit2gtk-driver) command -v WebKitWebDriver ;;
        python3-selenium) /usr/bin/python3 -c 'import selenium' ;;
        webp) command -v img2webp ;;
        fonts-inter) compgen -G '/usr/share/fonts/*/inter*/Inter-Bold.*' ;;
        fonts-dejavu-core) compgen -G '/usr/share/fonts/*/dejavu*/DejaVuSansMono.ttf' ;;
        python3-pip) /usr/bin/python3 -m pip --version ;;
        nginx-light) command -v nginx || command -v /usr/sbin/nginx ;;
        mosquitto) command -v mosquitto || command -v /usr/sbin/mosquitto ;;
        *) command -v "$1" ;;
    esac >/dev/null 2>&1
}

if ! command -v swift >/dev/null; then
    echo "Swift is not in PATH: install Swift 6.2 or later from https://www.swift.org/install" >&2
    exit 1
fi

missing=()
for group in "$@"; do
    for package in $(packages "$group"); do
        if [[ " ${missing[*]-} " != *" $package "* ]] && ! is_there "$package"; then
            missing+=("$package")
        fi
    done
done
((${#missing[@]})) || exit 0

echo "== missing: ${missing[*]}"
if ! command -v apt-get >/dev/null; then
    echo "There is no apt-get: install the packages of this system that match." >&2
    exit 1
fi
as_root=()
if ((EUID)); then
    command -v sudo >/dev/null || {
        echo "Run as root: apt-get install ${missing[*]}" >&2
        exit 1
    }
    as_root=(sudo)
fi
echo "== installing them with apt-get${as_root:+ through sudo}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}"
