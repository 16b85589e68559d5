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

expect "root adds a user to the store of the daemon that runs" \
    $'ann can sign in\nchanged the store in /var/lib/busd' "$(printf hush | busd user add ann 2>&1)"
expect "who signs in" '*Login Successful!*' "$(socat -t5 - UNIX-CONNECT:/run/busd/busd.sock <<<'subscribe login/me
send login/me usernameChanged {"username":"ann"}
send login/me passwordChanged {"password":"hush"}
send login/me loginTapped' | grep -m1 show)"
systemctl stop busd.service
expect "root adds a user while it does not" $'bob can sign in\nchanged the store in /var/lib/busd' \
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

# A user's own.
useradd --create-home --user-group eve
eve=$(id -u eve)
mine=/run/user/$eve
as_eve() {
    setpriv --reuid=eve --regid=eve --clear-groups \
        env -i PATH="$PATH" XDG_RUNTIME_DIR="$mine" HOME=/home/eve "$@"
}
eves() { systemctl show --value -p "$1" "busd@$eve.service"; }
eve_asks() { as_eve socat -t5 - "UNIX-CONNECT:$mine/busd/$1" 2>&1; }
nobody_asks() { setpriv --reuid=65534 --regid=65534 --clear-groups socat - "UNIX-CONNECT:$mine/busd/$1" 2>&1; }
systemctl start dbus.socket
systemctl enable "busd@$eve.socket" "busd-view@$eve.socket" 2>/dev/null
expect "a user who is not there has no daemon" 'ls: *' "$(ls "$mine/busd" 2>&1)"
loginctl enable-linger eve
systemctl start "user@$eve.service" || fail "a user's systemd has not started"

expect "a user has one of their own" '*"15 - 13"*' "$(eve_asks busd.sock </game.busd)"
expect "with sockets that nobody else can reach" $'eve 600\neve 600' "$(stat -c '%U %a' "$mine"/busd/*.sock)"
expect "in a folder that nobody else can change" 'root 755' "$(stat -Lc '%U %a' "$mine/busd")"
expect "somebody else is not let in" '*Permission denied*' "$(nobody_asks view.sock <<<ping)"
expect "it is ready" active "$(eves ActiveState)"
expect "it is the user" "$eve" "$(sed -n 's/^Uid:.*\s//p' "/proc/$(eves MainPID)/status")"
expect "it keeps its games in a place of its own" 'eve 700' "$(stat -c '%U %a' "/var/lib/busd-$eve")"
expect "it is exposed by 0.4 at most" '*level for busd@*: 0.[1-4] *' \
    "$(systemd-analyze security --threshold=4 --no-pager "busd@$eve.service" | tail -1)"
inside=/proc/$(eves MainPID)/root
expect "it sees nothing of the home" '' "$(ls "$inside/home" 2>&1)"
expect "and no network" 'lo' "$(sed -n 's/^ *\(.*\):.*/\1/p' "$inside/proc/self/net/dev" | sort | tail -1)"
expect "it knows whose view looks" "*\"uid\":$eve*" \
    "$(eve_asks view.sock <<<'{"op":"subscribe","to":"bus/views","id":1}
unsubscribe bus/views')"
expect "the user adds a user to the store of the own daemon" \
    $'ann can sign in\n'"changed the store in /var/lib/busd-$eve" \
    "$(printf hush | as_eve busd user add ann 2>&1)"
expect "and copies the store" '*complete' \
    "$(as_eve busd backup /home/eve/copy --state "/var/lib/busd-$eve" 2>&1)"
kill -KILL "$(eves MainPID)"
expect "killed, it comes back with its games" '*"15 - 13"*' "$(eve_asks view.sock <<<'get scoreboard/1')"
expect "once" 1 "$(eves NRestarts)"
systemctl stop "busd@$eve.socket" "busd-view@$eve.socket"
expect "and leave nothing" 'ls: *' "$(ls "$mine/busd" 2>&1)"
# A link of the user's leads nowhere.
mkdir -m 700 /run/secret
as_eve ln -sfnT /run/secret "$mine/busd"
systemctl start "busd@$eve.socket" "busd-view@$eve.socket"
expect "a link that the user has made is not followed" 'root 700' "$(stat -c '%U %a' /run/secret; ls /run/secret)"
expect "but replaced" '*"15 - 13"*' "$(eve_asks view.sock <<<'get scoreboard/1')"
systemctl stop "user@$eve.service"
expect "it goes with the user" inactive "$(eves ActiveState)"
systemctl start "user@$eve.service"
expect "and comes with the user" '*"15 - 13"*' "$(eve_asks view.sock <<<'get scoreboard/1')"
echo passed
