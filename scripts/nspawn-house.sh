# Runs inside the machine that nspawn-test.sh boots. Sets up a house with the commands and the settings of
# docs/several-machines.md (/page.md), in its order: Debian's redis-server, busd.service with its drop-in, then a
# password. /machine is the /etc of the machine outside.
set -uo pipefail
page=/page.md
socket=/run/redis/redis-server.sock
log=(--log "unix:$socket")

fail() {
    echo "FAILED: $*"
    systemctl status --no-pager busd.service redis-server.service
    journalctl --no-pager -u busd.service -u redis-server.service | tail -30
    tail -20 /var/log/redis/redis-server.log
    exit 1
}

# expect WHAT EXPECTED ACTUAL
expect() {
    [[ $3 == $2 ]] || fail "$1: expected $2, got $3"
    echo "$1: ${3:0:120}"
}

# await WHAT EXPECTED COMMAND...: repeats the command for at most a minute, until its output is as expected.
await() {
    local what=$1 expected=$2 output end=$((SECONDS + 60))
    shift 2
    while output=$("$@" 2>&1) || true; [[ $output != $expected ]]; do
        ((SECONDS < end)) || fail "$what: expected $expected, got $output"
        sleep 0.1
    done
    echo "$what: ${output:0:120}"
}

ask() { socat -t60 - UNIX-CONNECT:/run/busd/busd.sock 2>&1; }
game() { ask <<<'get scoreboard/1'; }
# These change the score between 15 - 13 and 13 - 13, once for each key.
undo() { ask <<<"{\"op\":\"send\",\"to\":\"scoreboard/1\",\"event\":\"undo\",\"key\":\"$1\",\"id\":1}"; }
score() { ask <<<"{\"op\":\"send\",\"to\":\"scoreboard/1/home/1\",\"event\":\"twoPointMove\",\"key\":\"$1\",\"id\":1}"; }
house() { viewctl house --plain; }

# block START: the code on the page that has a line beginning with START.
block() {
    awk -v start="$1" '/^```/ { if (inside && found) print code; inside = !inside; found = 0; code = ""; next }
        inside { code = code $0 "\n"; if (index($0, start) == 1) found = 1 }' "$page"
}

# run START: runs that code. `editor` is the function below.
run() {
    local code
    code=$(block "$1")
    [[ $code == *"$1"* ]] || fail "$page has no code with $1"
    echo "$code" >/tmp/code
    set -e
    . /tmp/code
    set +e
}

unit=/lib/systemd/system/redis-server.service
if [[ ! -e $unit || ! -e /machine/redis/redis.conf ]]; then
    echo "skipped: a house in a real systemd: there is no redis-server of Debian"
    echo passed
    exit
fi

# What Debian's packages do when they are installed.
useradd --system --user-group --home-dir /var/lib/redis redis
install -d -m 2750 -o redis -g adm /var/log/redis
install -d -m 750 -o redis -g redis /var/lib/redis
install -d -m 2770 -o redis -g redis /etc/redis
install -m 640 -o redis -g redis /machine/redis/redis.conf /etc/redis/redis.conf
systemctl start redis-server || fail "redis-server does not start"

# A daemon without a house has a game already.
expect "a game is played without a house" '*"15 - 13"*' "$(ask </game.busd)"

# The table of settings has `NAME VALUE` in its first column; the socket has two more.
settings=$({
    sed -n 's/^| `\([a-z-]* [a-z]*\)` |.*/\1/p' "$page"
    grep -oE '`unixsocket[a-z]* [^`]+`' "$page" | tr -d '`'
})
expect "the page has the settings of Redis" 6 "$(wc -l <<<"$settings")"
cut -d' ' -f1 <<<"$settings" | sed 's/.*/^& /' | grep -vf - /machine/redis/redis.conf >/tmp/redis.conf
echo "$settings" | cat /tmp/redis.conf - >/etc/redis/redis.conf
systemctl restart redis-server || fail "redis-server does not start with these settings"

editor() { [[ -f $1 ]] || fail "there is no file $1"; }
run 'busd house join league'
await "the daemon follows the house" 'league: following*' house
expect "the house has the game of the daemon" '*"15 - 13"*' "$(game)"
await "a send is answered" '{"ok":{*' undo 1
expect "the send has changed the game" '*"13 - 13"*' "$(game)"
expect "the sandbox of the daemon is as without Redis" '*level for busd.service: 0.4 *' \
    "$(systemd-analyze security --no-pager busd.service | tail -1)"

restarts() { systemctl show --value -p NRestarts "$1"; }
process() { systemctl show --value -p MainPID busd.service; }
before=$(process)
systemctl restart redis-server
await "the daemon follows again after a restart of Redis" 'league: following*' house
await "the next send is answered" '{"ok":{*' score 2
systemctl kill -s KILL redis-server
await "systemd starts Redis again" 1 restarts redis-server
await "the daemon follows again after the end of Redis" 'league: following*' house
await "the send behind the end is answered" '{"ok":{*' undo 3
expect "nothing is lost" '*"13 - 13"*' "$(game)"
expect "the daemon was not restarted" "$before" "$(process)"

# With a password.
commands=$(block 'ACL SETUSER busd' | sed ':all;N;$!ball;s/\n  */ /g;s/PASSWORD/open-sesame/g')
expect "the page has four commands for Redis" 4 "$(wc -l <<<"$commands")"
expect "Redis takes the users of the page" $'OK\nOK\nOK\nOK' "$(redis-cli -s $socket <<<"$commands" | grep .)"
systemctl restart redis-server
await "the door is closed for others, also after a restart" 'NOAUTH*' redis-cli -s $socket ping
await "the daemon says what is missing" '*give user and password with --log-credentials*' house
expect "a send is refused meanwhile" '{"error":{"code":"unavailable"*' "$(score 4)"
editor() { printf 'busd\nopen-sesame\n' >"$1"; }
busd() { :; } # The page runs a daemon in the foreground; this is that of the unit.
run 'install -m 600 /dev/null /etc/busd-redis'
unset -f busd
expect "only root can read the password" 'root 600' "$(stat -c '%U %a' /etc/busd-redis)"
sed -i '/^#LoadCredential/,/--log-credentials/s/^#//' /etc/systemd/system/busd.service.d/house.conf
systemctl daemon-reload
systemctl restart busd.service
await "the daemon follows the house with the password" 'league: following*' house
await "a send is answered with the password" '{"ok":{*' score 4
expect "the game is complete" '*"15 - 13"*' "$(game)"
expect "the command knows the state of the house with the password" '*league*' \
    "$(busd house status --state /var/lib/busd "${log[@]}" --log-credentials /etc/busd-redis 2>&1)"
# The other lines of the drop-in, for a Redis on another machine.
sed -i -e '/^#PrivateNetwork/,/^#IPAddressAllow/s/^#//' -e 's/192.0.2.1/& localhost/' \
    -e "s|unix:$socket|tcp:127.0.0.1:6379|" -e '/^SupplementaryGroups/d' \
    /etc/systemd/system/busd.service.d/house.conf
systemctl daemon-reload
systemctl restart busd.service
await "the daemon follows the house over the network" 'league: following*' house
await "a send is answered over the network" '{"ok":{*' undo 5
expect "the sandbox of the daemon is open for the network only" '*level for busd.service: 1.2 *' \
    "$(systemd-analyze security --no-pager busd.service | tail -1)"
expect "the password is shown nowhere" '' \
    "$(journalctl -q --no-pager -u busd.service | cat - "/proc/$(process)/cmdline" | grep -a open-sesame)"
echo passed

