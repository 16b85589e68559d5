# Runs inside the machine that nspawn-package.sh boots, and tests the life of the package: installed, played, upgraded,
# removed, purged and installed again.
set -uo pipefail
export PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8
unset BUSD_SOCKET XDG_RUNTIME_DIR

fail() {
    echo "FAILED: $*"
    systemctl status --no-pager busd.service busd.socket busd-view.socket
    journalctl --no-pager -u 'busd*' | tail -30
    exit 1
}

# expect WHAT EXPECTED ACTUAL
expect() {
    [[ $3 == $2 ]] || fail "$1: expected $2, got $3"
    local shown=${3//$'\n'/ }
    echo "$1: ${shown:0:100}"
}

part() { echo "== $* (after $SECONDS s)"; }

# within SECONDS COMMAND...: repeats a command until it succeeds.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.05
    done
}

# is WORD UNIT...: one word per unit, such as `active`.
is() { systemctl "is-$1" "${@:2}" 2>/dev/null | paste -sd ' '; }
property() { systemctl show --value -p "$2" "$1"; }
ask() { socat -t60 - "UNIX-CONNECT:/run/busd/$1" 2>&1; }
state() { dpkg-query -W -f '${db:Status-Status}' busd 2>/dev/null; }
# With an empty list of packages: there is no network, and the libraries are installed.
apt_install() { apt-get install -y -o Dir::State::Lists=/run/lists "$1" >/run/output 2>&1 </dev/null; }
as_ann() { setpriv --reuid=ann --regid=ann --init-groups env -i PATH="$PATH" HOME=/home/ann LC_ALL=C.UTF-8 "$@"; }
# seconds_since MOMENT
seconds_since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f s", to - from }'; }

both=(busd.socket busd-view.socket)
# This machine may have busd already.
[[ -z $(state) ]] || dpkg --purge busd >/dev/null
rm -rf /var/lib/busd* /etc/systemd/system/busd*
systemctl start dbus.socket
mkdir -p /run/lists/partial

# The listening sockets of the kernel. They change if one is closed, even if it is opened again.
listening() { awk '$4 == "00010000" && $8 ~ "^/run/busd" { print $7, $8 }' /proc/net/unix | sort; }

part "install, and play"
useradd --create-home --user-group ann
began=$EPOCHREALTIME
apt_install /old/busd.deb || fail "apt-get install: $(cat /run/output)"
usermod --append --groups busd ann
as_ann viewctl send --timeout 60 games createGame \
    '{"home":{"name":"Hawks","players":["Ann"]},"away":{"name":"Jets","players":["Di"]}}' ||
    fail "a member of the group cannot create a game"
as_ann tmux -L screen new-session -d -x 80 -y 24 'scoreboard scoreboard/1' || fail "no terminal"
as_ann viewctl send --timeout 60 scoreboard/1/home/1 twoPointMove || fail "a member of the group cannot score"
on_screen() { as_ann tmux -L screen capture-pane -p | grep -q 'Ann  *0  *1  *0'; }
within 60 on_screen || fail "the score is not on the screen: $(as_ann tmux -L screen capture-pane -p)"
echo "from the installation to a score on the screen: $(seconds_since "$began")"
as_ann tmux -L screen kill-server
expect "both sockets are enabled" 'enabled enabled' "$(is enabled "${both[@]}")"
expect "both sockets listen" 'active active' "$(is active "${both[@]}")"
expect "the daemon waits for its first request at a start of the machine" disabled "$(is enabled busd.service)"
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
expect "a user without the group reads" '2 - 0' \
    "$("${nobody[@]}" viewctl get --timeout 60 --socket /run/busd/view.sock scoreboard/1 score.text 2>&1)"

part "10,000 games, and the daemon of a user"
began=$EPOCHREALTIME
for ((game = 2; game <= 10000; game++)); do
    echo 'games createGame {"home":{"name":"A","players":["a","b","c","d","e"]},' \
        '"away":{"name":"B","players":["f","g","h","i","j"]}}'
done | viewctl send --timeout 60 - >/dev/null || fail "the games were not created"
echo "10,000 games were created: $(seconds_since "$began")"
useradd --create-home --user-group eve
eve=$(id -u eve)
eve_asks() { socat -t60 - "UNIX-CONNECT:/run/user/$eve/busd/busd.sock" 2>&1; }
systemctl enable "busd@$eve.socket" "busd-view@$eve.socket" 2>/dev/null
loginctl enable-linger eve
systemctl start "user@$eve.service" || fail "the systemd of the user has not started"
expect "the user has a daemon" '*"15 - 13"*' "$(eve_asks </game.busd)"

part "upgrades, with 50 views and 4 writers"
for ((view = 1; view <= 50; view++)); do
    viewctl watch scoreboard/1 --format '{score.text}' >"/run/view.$view" 2>/dev/null &
done
# Writes until there is /run/stop. A move without an answer is sent again with its key, so each is counted once.
writer() {
    local game=$1 move=0 answer request
    until [[ -e /run/stop ]]; do
        ((move++))
        printf -v request '{"op":"send","to":"scoreboard/%s/home/%s","event":"assistMove","key":"%s","id":1}' \
            "$game" $((move % 5 + 1)) "$game-$move"
        until answer=$(ask busd.sock <<<"$request") && [[ $answer == '{"ok":'* ]]; do
            echo "${answer:-no answer}" >>"/run/errors.$game"
            sleep 0.02
        done
        echo "$EPOCHREALTIME" >>"/run/acknowledged.$game"
        sleep 0.04
    done
}
for game in 2 3 4 5; do writer "$game" & done
writers=$(jobs -p | tail -4)
# The longest time without an acknowledgement, of all writers, since a moment.
away() {
    awk -v from="$1" '$1 < from { next }
        FNR == 1 || FILENAME != file { last = $1; file = FILENAME }
        $1 - last > most { most = $1 - last }
        { last = $1 }
        END { printf "%.2f s", most }' /run/acknowledged.*
}
all_views_show() { [[ $(tail -qn1 /run/view.* | grep -cFx "$1") == 50 ]]; }
within 60 all_views_show '2 - 0' || fail "not all views show the score"
within 60 test -s /run/acknowledged.5 || fail "the writers do not write: $(tail -qn1 /run/errors.*)"

sockets=$(listening)
users_socket=$(property "busd@$eve.socket" InvocationID)
pids() { property busd.service MainPID; property "busd@$eve.service" MainPID; }
# The daemons run the programs of the package that is installed now.
current() {
    local pid
    for pid in $(pids); do [[ $(readlink "/proc/$pid/exe") == /usr/bin/busd ]] || return 1; done
}
# whole WHAT: what holds after each upgrade.
whole() {
    expect "$1: the package is installed" installed "$(state)"
    expect "$1: the sockets were never closed" "$sockets" "$(listening)"
    expect "$1: the user's sockets were never closed" "$users_socket" "$(property "busd@$eve.socket" InvocationID)"
    within 60 current || fail "$1: a daemon runs an old program: $(for pid in $(pids); do ls -l "/proc/$pid/exe"; done)"
    expect "$1: the games are there" '2 - 0' "$(viewctl get --timeout 60 scoreboard/1 score.text 2>&1)"
    expect "$1: the user's games are there" '*"15 - 13"*' "$(eve_asks <<<'get scoreboard/1')"
}
# With dpkg alone, which is faster than apt-get.
upgrade() { dpkg -i /new/busd.deb >/run/output 2>&1 </dev/null; }
# mend WHAT: `dpkg --configure -a` is enough after the files are unpacked; before, the package is installed again.
mend() {
    dpkg --configure -a >/run/output 2>&1 </dev/null
    [[ $(state) == installed ]] && return
    [[ $(state) == half-* ]] || fail "$1: the package is $(state): $(cat /run/output)"
    upgrade || fail "$1: dpkg -i: $(cat /run/output)"
}

before=$(pids)
began=$EPOCHREALTIME
apt_install /new/busd.deb || fail "apt-get install: $(cat /run/output)"
echo "the upgrade took $(seconds_since "$began")"
whole "an upgrade"
expect "both daemons were restarted" 0 "$(comm -12 <(sort <<<"$before") <(pids | sort) | wc -l)"
viewctl send --timeout 60 scoreboard/1/home/1 onePointMove || fail "nobody can score after the upgrade"
within 60 all_views_show '3 - 0' || fail "not all views show the score after the upgrade"
echo "the writers waited at most $(away "$began")"
viewctl send --timeout 60 scoreboard/1 undo || fail "undo"
within 60 all_views_show '2 - 0' || fail "not all views show the correction"

for name in preinst prerm postinst; do
    touch "/run/kill-dpkg-in-$name"
    bash -c 'dpkg -i /new/busd.deb; true' >/run/output 2>&1 </dev/null
    expect "dpkg is killed in $name" '*Killed*' "$(cat /run/output)"
    if [[ $name == postinst ]]; then
        dpkg --configure -a >/run/output 2>&1 || fail "dpkg --configure -a: $(cat /run/output)"
    else
        mend "a kill of dpkg in $name"
    fi
    whole "a kill of dpkg in $name"
done

dpkg -i /new/busd.deb >/run/output 2>&1 </dev/null &
until [[ -e /usr/bin/busd.dpkg-new ]] || ! kill -0 $! 2>/dev/null; do :; done
{ kill -KILL $! && wait $!; } 2>/dev/null
mend "a kill of dpkg while it unpacks"
whole "a kill of dpkg while it unpacks"

upgrade &
while kill -0 $! 2>/dev/null; do
    pid=$(property busd.service MainPID)
    # It is 0 while there is none.
    ((pid > 1)) && kill -KILL "$pid" 2>/dev/null
    sleep 0.2
done
wait $! || fail "kills of the daemon in an upgrade: $(cat /run/output)"
whole "kills of the daemon in an upgrade"

# Fills the disk up to 1 MiB, or completely.
for left in 1048576 0; do
    size=$(($(df --output=avail -B1 / | tail -1) - left))
    fallocate -l "$size" /full 2>/dev/null
    ((left)) || cat /dev/zero >/fuller 2>/dev/null
    upgrade && fail "the disk was not full"
    echo "a full disk: $(grep -m1 'o space' /run/output)"
    expect "a full disk: the daemon answers" '2 - 0' "$(viewctl get --timeout 60 scoreboard/1 score.text 2>&1)"
    rm -f /full /fuller
    dpkg --configure -a >/run/output 2>&1 </dev/null
    upgrade || fail "after a full disk: dpkg -i: $(cat /run/output)"
    whole "a full disk"
done

touch /run/stop
# shellcheck disable=SC2086 # one word per process
wait $writers
total=0
for game in 2 3 4 5; do
    acknowledged=$(wc -l <"/run/acknowledged.$game")
    kept=0
    for player in 1 2 3 4 5; do
        ((kept += $(viewctl get --timeout 60 "scoreboard/$game/home/$player" assistMoveCount.count)))
    done
    ((total += acknowledged))
    expect "writer $game: as many moves were kept as acknowledged" "$acknowledged" "$kept"
done
echo "$total moves were acknowledged, and 0 lost; after these answers a move was sent again:"
cat /run/errors.* 2>/dev/null | sort | uniq -c
expect "no connection was refused" '' "$(cat /run/errors.* 2>/dev/null | grep -m1 -e 'refused' -e 'No such file')"
kill $(jobs -p) 2>/dev/null

part "what the administrator has changed stays"
mkdir -p /etc/systemd/system/busd.service.d
printf '[Service]\nEnvironment=MINE=1\n' >/etc/systemd/system/busd.service.d/mine.conf
systemctl disable --now "${both[@]}" 2>/dev/null
upgrade || fail "dpkg -i: $(cat /run/output)"
expect "disabled sockets stay disabled" 'disabled disabled' "$(is enabled "${both[@]}")"
expect "stopped sockets stay stopped" 'inactive inactive inactive' "$(is active "${both[@]}" busd.service)"
systemctl enable --now "${both[@]}" 2>/dev/null
systemctl mask --now busd.service 2>/dev/null
upgrade || fail "dpkg -i: $(cat /run/output)"
expect "a masked daemon stays masked" 'masked inactive' "$(is enabled busd.service) $(is active busd.service)"
systemctl unmask busd.service 2>/dev/null
expect "the daemon starts again with the next request" '{"ok":{}}' "$(ask busd.sock <<<ping)"
expect "a drop-in is used after an upgrade" '*MINE=1*' "$(property busd.service Environment)"

part "remove, purge, and install again"
configuration() { find /etc/systemd /var/lib/systemd/deb-systemd-helper-* -name 'busd*' ! -name busd.service.d; }
for verb in remove purge; do
    dpkg "--$verb" busd >/run/output 2>&1 </dev/null || fail "dpkg --$verb: $(cat /run/output)"
    expect "$verb names the store of the machine" '*/var/lib/busd' "$(grep 'busd$' /run/output)"
    expect "$verb names the store of the user" "*/var/lib/busd-$eve" "$(grep -e "busd-$eve" /run/output)"
    expect "$verb leaves no socket" '' "$(find /run/busd* -type s)"
    expect "$verb leaves no daemon" '' "$(pgrep -x busd)"
    expect "$verb leaves no program" '' "$(ls /usr/bin/{busd,viewctl,scoreboard,books,busd-login} 2>/dev/null)"
    expect "$verb keeps the drop-in of the administrator" 'mine.conf' "$(ls /etc/systemd/system/busd.service.d)"
    [[ $verb == remove ]] || expect "purge leaves no configuration" '' "$(configuration)"
    apt_install /old/busd.deb || fail "apt-get install: $(cat /run/output)"
    expect "$verb, and install again: the sockets listen" 'active active' "$(is active "${both[@]}")"
    expect "$verb, and install again: the games are there" '2 - 0' "$(viewctl get --timeout 60 scoreboard/1 score.text 2>&1)"
    systemctl enable "busd@$eve.socket" "busd-view@$eve.socket" 2>/dev/null
    systemctl start "busd@$eve.socket" "busd-view@$eve.socket"
    expect "$verb, and install again: the user's games are there" '*"15 - 13"*' "$(eve_asks <<<'get scoreboard/1')"
done
dpkg --purge busd >/run/output 2>&1 || fail "dpkg --purge: $(cat /run/output)"
expect "a purge of an installed package leaves no configuration" '' "$(configuration)"
expect "a purge of an installed package keeps the stores" "busd busd-$eve" "$(ls /var/lib | grep ^busd | paste -sd ' ')"
echo passed
