# Runs inside the machine that nspawn-test.sh boots.
set -uo pipefail

fail() {
    echo "FAILED: $*"
    systemctl status --no-pager busd.service busd.socket busd-view.socket
    journalctl --no-pager -u busd.service | tail -30
    exit 1
}

# expect WHAT WANTED CAME
expect() {
    [[ $3 == $2 ]] || fail "$1: wanted $2, came $3"
    echo "$1: ${3:0:120}"
}

ask() { socat -t5 - "UNIX-CONNECT:/run/busd/$1" 2>&1; }
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups socat -t5 - "UNIX-CONNECT:/run/busd/$1" 2>&1; }
property() { systemctl show --value -p "$1" busd.service; }

expect "the daemon has not been started" inactive "$(property ActiveState)"
expect "the control socket is the group's" 'root busd 660' "$(stat -c '%U %G %a' /run/busd/busd.sock)"
expect "the view socket is everybody's" '* 666' "$(stat -c '%U %G %a' /run/busd/view.sock)"

expect "the first request starts it" '{"ok":{}}' "$(ask busd.sock <<<ping)"
expect "it is ready" active "$(property ActiveState)"
expect "it says what it serves" 'serving *' "$(property StatusText)"
expect "who is in no group may look" '{"ok":{}}' "$(nobody view.sock <<<ping)"
expect "who only looks may not send" '{"error":{"code":"notAllowed"*' \
    "$(nobody view.sock <<<'send games createGame {}')"
expect "who is not in the group may not send" '*Permission denied*' "$(nobody busd.sock <<<ping)"
expect "a peer's user is known" '*"uid":65534*' \
    "$(nobody view.sock <<<'{"op":"subscribe","to":"bus/views","id":1}
unsubscribe bus/views')"

# of FIELD: the last word of that line in the daemon's status.
of() { sed -n "s/^$1:.*\s//p" "/proc/$(property MainPID)/status"; }
expect "it is not root" "$(id -u busd)" "$(of Uid)"
expect "it has no capability" 0000000000000000 "$(of CapEff)"
expect "its system calls are filtered" 2 "$(of Seccomp)"
expect "its state is its own" 'busd 700' "$(stat -c '%U %a' /var/lib/busd)"

expect "it leaves no core" 'Max core file size* 0 * 0 *' "$(grep core "/proc/$(property MainPID)/limits")"

expect "root adds a user while it runs" 'ann can sign in' \
    "$(printf hush | busd user add ann --state /var/lib/busd 2>&1)"
expect "who signs in" '*Login Successful!*' "$(socat -t5 - UNIX-CONNECT:/run/busd/busd.sock <<<'subscribe login/me
send login/me usernameChanged {"username":"ann"}
send login/me passwordChanged {"password":"hush"}
send login/me loginTapped' | grep -m1 show)"
systemctl stop busd.service
expect "root adds a user while it does not" 'bob can sign in' \
    "$(printf hush | busd user add bob --state /var/lib/busd 2>&1)"
expect "which the daemon can read" $'ann\nbob' "$(ask busd.sock <<<ping >/dev/null; busd user list --state /var/lib/busd 2>&1)"

expect "it keeps a game" '*"15 - 13"*' "$(ask busd.sock </game.busd)"
kill -STOP "$(property MainPID)"
expect "a daemon that hangs is replaced, and who waited is served" '{"ok":{}}' \
    "$(socat -t8 - UNIX-CONNECT:/run/busd/busd.sock <<<ping)"
expect "it was the watchdog" 1 "$(property NRestarts)"
expect "the game is still there" '*"15 - 13"*' "$(ask view.sock <<<'get scoreboard/1')"

systemctl stop busd.service
expect "it ends by itself when told to" success "$(property Result)"
expect "its sockets stay without it" '/run/busd/*sock' "$(ls /run/busd/busd.sock)"
expect "and are there for the next one" '{"ok":{}}' "$(ask busd.sock <<<ping)"
expect "nothing was logged above information" '' "$(journalctl -q -o cat -p warning -u busd.service -t busd)"

# A user's own, under the systemd that everybody has who signs in.
useradd --create-home --user-group eve
mine=/run/user/$(id -u eve)
as_eve() {
    setpriv --reuid=eve --regid=eve --clear-groups \
        env -i PATH="$PATH" XDG_RUNTIME_DIR="$mine" HOME=/home/eve "$@"
}
eves() { as_eve systemctl --user show --value -p "$1" busd.service; }
eve_asks() { as_eve socat -t5 - "UNIX-CONNECT:$mine/busd/$1" 2>&1; }
systemctl start dbus.socket
loginctl enable-linger eve
systemctl start "user@$(id -u eve).service" || fail "a user's systemd has not started"
as_eve systemctl --user start busd.socket busd-view.socket

expect "a user has one of their own" '*"15 - 13"*' "$(eve_asks busd.sock </game.busd)"
expect "with systemd's sockets" $'660\n666' "$(stat -c %a "$mine"/busd/*.sock)"
expect "it is ready" active "$(eves ActiveState)"
expect "it keeps its games at home" 'eve 700' "$(stat -c '%U %a' /home/eve/.local/state/busd)"
expect "it is exposed by 0.5 at most" '*level for busd.service: 0.[1-5] *' \
    "$(as_eve systemd-analyze --user security --threshold=5 --no-pager busd.service | tail -1)"
inside=/proc/$(eves MainPID)/root
expect "it sees of the home its store" './.local/state/busd' \
    "$(cd "$inside/home/eve" && find . -mindepth 3 -maxdepth 3)"
expect "of the processes itself" self "$(ls "$inside/proc")"
expect "and no network" 'lo' "$(sed -n 's/^ *\(.*\):.*/\1/p' "$inside/proc/self/net/dev" | sort | tail -1)"
expect "it knows whose view looks" "*\"uid\":$(id -u eve)*" \
    "$(eve_asks view.sock <<<'{"op":"subscribe","to":"bus/views","id":1}
unsubscribe bus/views')"
expect "the user adds a user while it runs" 'ann can sign in' "$(printf hush | as_eve busd user add ann 2>&1)"
expect "and copies the store" '*complete' "$(as_eve busd backup /home/eve/copy 2>&1)"
kill -KILL "$(eves MainPID)"
expect "killed, it comes back with its games" '*"15 - 13"*' "$(eve_asks view.sock <<<'get scoreboard/1')"
expect "once" 1 "$(eves NRestarts)"

# As where users can have no namespaces.
as_eve systemctl --user stop busd.service 2>&1
mkdir -p /etc/systemd/system/user@.service.d /etc/systemd/user/busd.service.d
printf '[Service]\nRestrictNamespaces=~user\n' >/etc/systemd/system/user@.service.d/probe.conf
sed -n 's/^#     //p' /usr/local/lib/systemd/user/busd.service >/etc/systemd/user/busd.service.d/probe.conf
systemctl daemon-reload
systemctl restart "user@$(id -u eve).service"
as_eve systemctl --user start busd.socket busd-view.socket
expect "without namespaces it runs as its unit says" '*"15 - 13"*' "$(eve_asks view.sock <<<'get scoreboard/1')"
expect "and is ready" active "$(eves ActiveState)"
echo passed
