# A fresh Debian 12 with Swift, for `make check test`; see CONTRIBUTING.md.
FROM swift:6.3-bookworm

RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        git make man-db pkg-config \
        libevent-dev libncurses-dev libsqlite3-dev libsodium-dev libhiredis-dev \
        libmicrohttpd-dev libqrencode-dev \
        curl jq mandoc netcat-openbsd openssh-client openssh-server redis-server redis-tools socat strace \
        debhelper fish i3blocks libjson-c-dev libpam-systemd lintian openssl python3-jsonschema stunnel4 \
        systemd systemd-container tmux valgrind zsh \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /busd
COPY . .
CMD ["make", "check", "test-all"]
