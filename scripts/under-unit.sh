#!/usr/bin/env bash
# Runs a daemon with systemd, like the shipped unit: with its user, its sandbox and its limits. The
# differences
# are: a test gives the options, the test's folder is visible, the daemon opens its own sockets, and it is
# not restarted. Needs root, and a systemd that may be changed: see nspawn-test.sh.
#
#     scripts/under-unit.sh NAME FOLDER PROGRAM [OPTION...]
#
# Exits with the status of the daemon. The process id of the daemon is `systemctl show --value -p MainPID
# NAME`.
set -euo pipefail
name=$1
folder=$2
shift 2
errors=/run/$name.errors

command=
redis=
for word in "$@"; do
    # The socket of a test's Redis is in a folder of its own, which needs access too.
    if [[ $word == unix:/* ]]; then
        redis=${word#unix:}
        redis=${redis%/*}
        chown busd:busd "$redis"
    fi
    word=${word//\\/\\\\}
    word=${word//\"/\\\"}
    word=${word//%/%%}
    command+=" \"${word//\$/\$\$}\""
done
chown -R busd:busd "$folder"
mkfifo "$errors"
grep -vE '^(Requires|After|Sockets)=' /usr/local/lib/systemd/system/busd.service >"/run/systemd/system/$name.service"
mkdir "/run/systemd/system/$name.service.d"
cat >"/run/systemd/system/$name.service.d/test.conf" <<UNIT
[Service]
ExecStart=
ExecStart=$command
Restart=no
# The folder may be gone before ExecStopPost= runs.
BindPaths=-$folder
ReadWritePaths=-$folder
${redis:+BindReadOnlyPaths=-$redis}
StandardError=file:$errors
ExecStopPost=+/bin/sh -c 'echo "ended \$\$EXIT_CODE \$\$EXIT_STATUS" >&2'
UNIT
# Open for reading and writing, so that it has no end between the daemon and ExecStopPost=.
exec 3<>"$errors"
systemctl start --no-block "$name"
while IFS= read -r line <&3; do
    [[ $line != "ended "* ]] || break
    printf '%s\n' "$line" >&2
done
read -r _ code status <<<"$line"
[[ $code == exited ]] || status=$((128 + $(kill -l "$status")))
exit "$status"
