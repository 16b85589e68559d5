#!/usr/bin/env bash
# Runs a daemon as systemd would: as the shipped unit's user, in its sandbox and within its limits. Only what
# a test decides is different: the options, that its folder can be seen, that the sockets are the daemon's
# own, and that it is not started again. Needs root, and a systemd that may be changed: see nspawn-test.sh.
#
#     scripts/under-unit.sh NAME FOLDER PROGRAM [OPTION...]
#
# Ends as the daemon does; until then its process is `systemctl show --value -p MainPID NAME`.
set -euo pipefail
name=$1
folder=$2
shift 2
errors=/run/$name.errors

command=
redis=
for word in "$@"; do
    # The Redis of a test is in a folder of its own.
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
# It may be gone before the last command.
BindPaths=-$folder
ReadWritePaths=-$folder
${redis:+BindReadOnlyPaths=-$redis}
StandardError=file:$errors
ExecStopPost=+/bin/sh -c 'echo "ended \$\$EXIT_CODE \$\$EXIT_STATUS" >&2'
UNIT
# Open for both, so that it has no end between the daemon and what comes after it.
exec 3<>"$errors"
systemctl start --no-block "$name"
while IFS= read -r line <&3; do
    [[ $line != "ended "* ]] || break
    printf '%s\n' "$line" >&2
done
read -r _ code status <<<"$line"
[[ $code == exited ]] || status=$((128 + $(kill -l "$status")))
exit "$status"
