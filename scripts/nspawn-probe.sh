# Runs inside the machine that nspawn-test.sh boots, and tests the units.
set -uo pipefail

fail() {
    echo "FAILED: $*"
    systemctl status --no-pager busd.service busd.socket busd-view.socket
    journalctl --no-pager -u busd.service | tail -30
    exit 1
}

# expect WHAT EXPECTED ACTUAL
expect() {
    [[ $3 == $2 ]] || fail "$1: expected $2, got $3"
    echo "$1: ${3:0:120}"
}

ask() { socat -t60 - "UNIX-CONNECT:/run/busd/$1" 2>&1; }
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups socat -t60 - "UNIX-CONNECT:/run/busd/$1" 2>&1; }
property() { systemctl show --value -p "$1" busd.service; }

expect "the daemon is not running yet" inactive "$(property ActiveState)"
expect "the control socket belongs to the group busd" 'root busd 660' "$(stat -c '%U %G %a' /run/busd/busd.sock)"
expect "all users may use the view socket" '* 666' "$(stat -c '%U %G %a' /run/busd/view.sock)"

expect "the first request starts the daemon" '{"ok":{}}' "$(ask busd.sock <<<ping)"
expect "the daemon is ready" active "$(property ActiveState)"
expect "the status names the sockets" 'serving *' "$(property StatusText)"
expect "a user without groups may read" '{"ok":{}}' "$(nobody view.sock <<<ping)"
expect "the view socket refuses send" '{"error":{"code":"notAllowed"*' \
    "$(nobody view.sock <<<'send games createGame {}')"
expect "a user outside the group cannot use the control socket" '*Permission denied*' "$(nobody busd.sock <<<ping)"
expect "the daemon knows the user of a client" '*"uid":65534*' \
    "$(nobody view.sock <<<'{"op":"subscribe","to":"bus/views","id":1}
unsubscribe bus/views')"

# of FIELD: the last word of the line FIELD in the daemon's /proc status.
of() { sed -n "s/^$1:.*\s//p" "/proc/$(property MainPID)/status"; }
expect "the daemon runs as the user busd" "$(id -u busd)" "$(of Uid)"
expect "the daemon has no capability" 0000000000000000 "$(of CapEff)"
expect "the system calls of the daemon are filtered" 2 "$(of Seccomp)"
expect "the state folder belongs to busd" 'busd 700' "$(stat -c '%U %a' /var/lib/busd)"

expect "the daemon leaves no core dump" 'Max core file size* 0 * 0 *' "$(grep core "/proc/$(property MainPID)/limits")"

expect "root adds a user to the store of the running daemon" \
    $'ann can sign in\nchanged the store in /var/lib/busd' "$(printf hush | busd user add ann 2>&1)"
expect "the user signs in" '*Login Successful!*' "$(socat -t60 - UNIX-CONNECT:/run/busd/busd.sock <<<'subscribe login/me
send login/me usernameChanged {"username":"ann"}
send login/me passwordChanged {"password":"hush"}
send login/me loginTapped' | grep -m1 show)"
expect "root makes a backup of the store of the running daemon" '*complete' "$(busd backup /root/copy 2>&1)"
expect "a check names the store of the running daemon" '*/var/lib/busd is in use*--state /var/lib/busd,*' \
    "$(busd check 2>&1)"
expect "a user outside the group is told what to do" \
    '*usermod --append --groups busd *log in again*--socket /run/busd/view.sock' \
    "$(setpriv --reuid=65534 --regid=65534 --clear-groups viewctl list 2>&1)"
systemctl stop busd.service
expect "root adds a user while the daemon is stopped" $'bob can sign in\nchanged the store in /var/lib/busd' \
    "$(printf hush | busd user add bob --state /var/lib/busd 2>&1)"
expect "the daemon can read the changed store" $'ann\nbob' "$(ask busd.sock <<<ping >/dev/null; busd user list --state /var/lib/busd 2>&1)"

expect "a game can be played" '*"15 - 13"*' "$(ask busd.sock </game.busd)"
kill -STOP "$(property MainPID)"
expect "a hanging daemon is replaced, and a waiting client is served" '{"ok":{}}' \
    "$(socat -t60 - UNIX-CONNECT:/run/busd/busd.sock <<<ping)"
expect "the watchdog has restarted the daemon once" 1 "$(property NRestarts)"
expect "the game is still there after the restart" '*"15 - 13"*' "$(ask view.sock <<<'get scoreboard/1')"

systemctl stop busd.service
expect "the daemon stops without being killed" success "$(property Result)"
expect "the sockets stay while the daemon is stopped" '/run/busd/*sock' "$(ls /run/busd/busd.sock)"
expect "a request to a socket that stayed is answered" '{"ok":{}}' "$(ask busd.sock <<<ping)"
expect "the daemon has logged no warning" '' "$(journalctl -q -o cat -p warning -u busd.service -t busd)"

systemctl start busd-web.service || fail "busd-web does not start: $(systemctl status busd-web.service)"
expect "a browser is shown the game" '*15 - 13*' \
    "$(curl -sS --retry 60 --retry-delay 1 http://127.0.0.1:8080/scoreboard/1 2>&1 | grep '<title>')"
expect "the exposure of busd-web is at most 1.1" '*level for busd-web*: 1.[01] *' \
    "$(systemd-analyze security --threshold=11 --no-pager busd-web.service | tail -1)"
expect "busd-web runs as its own user" "$(id -u busd-web)" \
    "$(sed -n 's/^Uid:.*\s//p' "/proc/$(systemctl show --value -p MainPID busd-web.service)/status")"
expect "busd-web has a state folder of its own" 'busd-web 700' "$(stat -c '%U %a' /var/lib/busd-web)"
systemctl stop busd-web.service

# The daemon of one user.
useradd --create-home --user-group eve
eve=$(id -u eve)
mine=/run/user/$eve
as_eve() {
    setpriv --reuid=eve --regid=eve --clear-groups \
        env -i PATH="$PATH" XDG_RUNTIME_DIR="$mine" HOME=/home/eve "$@"
}
eves() { systemctl show --value -p "$1" "busd@$eve.service"; }
eve_asks() { as_eve socat -t60 - "UNIX-CONNECT:$mine/busd/$1" 2>&1; }
nobody_asks() { setpriv --reuid=65534 --regid=65534 --clear-groups socat - "UNIX-CONNECT:$mine/busd/$1" 2>&1; }
systemctl start dbus.socket
systemctl enable "busd@$eve.socket" "busd-view@$eve.socket" 2>/dev/null
expect "a user who is not logged in has no daemon" 'ls: *' "$(ls "$mine/busd" 2>&1)"
loginctl enable-linger eve
systemctl start "user@$eve.service" || fail "the systemd of the user has not started"

expect "a user has a daemon of their own" '*"15 - 13"*' "$(eve_asks busd.sock </game.busd)"
expect "only the user may use the sockets" $'eve 600\neve 600' "$(stat -c '%U %a' "$mine"/busd/*.sock)"
expect "the folder of the sockets belongs to root" 'root 755' "$(stat -Lc '%U %a' "$mine/busd")"
expect "another user cannot use the sockets" '*Permission denied*' "$(nobody_asks view.sock <<<ping)"
expect "the user's daemon is ready" active "$(eves ActiveState)"
expect "the user's daemon runs as the user" "$eve" "$(sed -n 's/^Uid:.*\s//p' "/proc/$(eves MainPID)/status")"
expect "the user's daemon has a state folder of its own" 'eve 700' "$(stat -c '%U %a' "/var/lib/busd-$eve")"
expect "the exposure of the user's daemon is at most 0.4" '*level for busd@*: 0.[1-4] *' \
    "$(systemd-analyze security --threshold=4 --no-pager "busd@$eve.service" | tail -1)"
inside=/proc/$(eves MainPID)/root
expect "the user's daemon cannot see the home folder" '' "$(ls "$inside/home" 2>&1)"
expect "the user's daemon has no network" 'lo' "$(sed -n 's/^ *\(.*\):.*/\1/p' "$inside/proc/self/net/dev" | sort | tail -1)"
expect "the user's daemon knows the user of a client" "*\"uid\":$eve*" \
    "$(eve_asks view.sock <<<'{"op":"subscribe","to":"bus/views","id":1}
unsubscribe bus/views')"
expect "the user adds a user to the store of their daemon" \
    $'ann can sign in\n'"changed the store in /var/lib/busd-$eve" \
    "$(printf hush | as_eve busd user add ann 2>&1)"
expect "the user makes a backup of the store" '*complete' \
    "$(as_eve busd backup /home/eve/copy --state "/var/lib/busd-$eve" 2>&1)"
kill -KILL "$(eves MainPID)"
expect "a killed daemon comes back with its games" '*"15 - 13"*' "$(eve_asks view.sock <<<'get scoreboard/1')"
expect "the killed daemon was restarted once" 1 "$(eves NRestarts)"
systemctl stop "busd@$eve.socket" "busd-view@$eve.socket"
expect "sockets that are stopped leave nothing behind" 'ls: *' "$(ls "$mine/busd" 2>&1)"
# A link that the user has made must not be followed.
mkdir -m 700 /run/secret
as_eve ln -sfnT /run/secret "$mine/busd"
systemctl start "busd@$eve.socket" "busd-view@$eve.socket"
expect "a link that the user has made is not followed" 'root 700' "$(stat -c '%U %a' /run/secret; ls /run/secret)"
expect "a link that the user has made is replaced" '*"15 - 13"*' "$(eve_asks view.sock <<<'get scoreboard/1')"
systemctl stop "user@$eve.service"
expect "the user's daemon stops when the user logs out" inactive "$(eves ActiveState)"
systemctl start "user@$eve.service"
expect "the user's daemon starts when the user logs in" '*"15 - 13"*' "$(eve_asks view.sock <<<'get scoreboard/1')"

# A policy with a fault.
mkdir -p /run/systemd/system/busd.service.d
cat >/run/systemd/system/busd.service.d/policy.conf <<'END'
[Service]
ExecStart=
ExecStart=/usr/local/bin/busd --policy /run/policy
END
echo '* sned **' >/run/policy
systemctl daemon-reload
systemctl stop busd.service
expect "a client of a daemon with a bad policy is answered" '{"bye":*"busd cannot start: *' "$(ask view.sock <<<ping)"
expect "each client is answered" '{"bye":*' "$(ask busd.sock <<<ping)"
for ((second = 0; second < 60; second++)); do
    [[ $(property ActiveState) == failed ]] && break
    sleep 1
done
expect "the unit has failed" failed "$(property ActiveState)"
expect "the unit is not restarted" 0 "$(property NRestarts)"
printf '%s\n' 'removed-user send **' '* look **' >/run/policy
systemctl restart busd.service
expect "a line about a removed user does no harm" '{"ok":{}}' "$(ask view.sock <<<ping)"
chown eve /run/policy
expect "a policy of another user is refused" '*belongs to user*' "$(busd policy reload 2>&1)"
echo passed
