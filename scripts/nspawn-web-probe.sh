# Runs inside the machine that nspawn-package.sh boots, and tests the life of the package busd-web beside that of busd:
# installed, used by phones, upgraded, removed and purged.
set -uo pipefail
export PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8
unset BUSD_SOCKET XDG_RUNTIME_DIR STATE_DIRECTORY

fail() {
    echo "FAILED: $*"
    systemctl status --no-pager busd-web.service busd.service
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

property() { systemctl show --value -p "$1" busd-web.service; }
# of FIELD: the last word of the line FIELD in its /proc status.
of() { sed -n "s/^$1:.*\s//p" "/proc/$(property MainPID)/status"; }
is() { systemctl "is-$1" busd-web.service 2>/dev/null; }
# With an empty list of packages: there is no network, and the libraries are installed.
apt_install() { apt-get install -y -o Dir::State::Lists=/run/lists "$1" >/run/output 2>&1 </dev/null; }
# title PATH [OPTION-OF-CURL...]: the title of a page.
title() { curl -sS --max-time 60 "${@:2}" "${server:-http://127.0.0.1:8080}$1" 2>&1 | grep -o '<title>.*</title>'; }
# phone PATH JSON: what a phone with the cookies of /run/cookies is answered.
phone() {
    curl -sS --max-time 60 --cookie /run/cookies --cookie-jar /run/cookies -H 'Origin: http://127.0.0.1:8080' \
        --json "$2" "http://127.0.0.1:8080$1" 2>&1
}
tap() { phone /send '{"to":"scoreboard/1/home/1","event":"onePointMove","key":"'"$1"'"}'; }
# The page is there: busd-web has connected to busd.
serves() { [[ $(title /scoreboard/1 "$@") == *Hawks* ]]; }
restart() { systemctl daemon-reload && systemctl restart busd-web.socket busd-web.service && within 60 serves "$@"; }
# listen PLACE: another place for the socket.
listen() {
    mkdir -p /etc/systemd/system/busd-web.socket.d
    printf '[Socket]\nListenStream=\nListenStream=%s\n' "$1" >/etc/systemd/system/busd-web.socket.d/place.conf
}
# as_web COMMAND...: with the user and the groups of a busd-web that keeps the score.
as_web() { setpriv --reuid=busd-web --regid=busd-web --groups="$(getent group busd | cut -d: -f3)" "$@" 2>&1; }

# This machine may have the packages already.
dpkg --purge busd-web busd >/dev/null 2>&1
rm -rf /var/lib/busd* /etc/systemd/system/busd*
systemctl start dbus.socket
mkdir -p /run/lists/partial

part "install, and look"
apt_install /old/busd.deb || fail "apt-get install: $(cat /run/output)"
viewctl send --timeout 60 games createGame '{"home":{"name":"Hawks","players":["Ann"]},"away":{"name":"Jets","players":["Di"]}}' &&
    viewctl send --timeout 60 scoreboard/1/home/1 twoPointMove || fail "no game"
apt_install /old/busd-web.deb || fail "apt-get install: $(cat /run/output)"
within 60 serves || fail "no page: $(curl -sS http://127.0.0.1:8080/scoreboard/1 2>&1)"
expect "the page shows the game" '*Hawks 2 * 0 Jets*' "$(title /scoreboard/1)"
expect "it is enabled" enabled "$(is enabled)"
expect "systemd holds its port" 'active 127.0.0.1:8080 (Stream)' \
    "$(systemctl is-active busd-web.socket) $(systemctl show --value -p Listen busd-web.socket)"
before=$(awk '$4 == "0A" && $2 ~ /:1F90$/ { print $10 }' /proc/net/tcp)
systemctl restart busd-web.service
within 60 serves || fail "no page after a restart"
expect "a restart keeps the socket" "$before" "$(awk '$4 == "0A" && $2 ~ /:1F90$/ { print $10 }' /proc/net/tcp)"
mkdir -p /etc/systemd/system/busd-web.service.d
printf '[Service]\nExecStart=\nExecStart=/usr/bin/busd-web --wrong\n' >/etc/systemd/system/busd-web.service.d/wrong.conf
systemctl daemon-reload
systemctl restart busd-web.service 2>/dev/null && fail "it starts with a wrong option"
# systemd closes a socket that has started its service 20 times in 2 s.
for _ in {1..40}; do curl -s --max-time 0.1 http://127.0.0.1:8080/; done
expect "with wrong options systemd holds the port too" active "$(systemctl is-active busd-web.socket)"
rm /etc/systemd/system/busd-web.service.d/wrong.conf
restart || fail "no page with right options again"
listen /run/busd-web/web.sock
printf '[Service]\nExecStart=\nExecStart=/usr/bin/busd-web --name score.example.org\n' \
    >/etc/systemd/system/busd-web.service.d/name.conf
server=http://score.example.org restart --unix-socket /run/busd-web/web.sock || fail "no page at the Unix socket"
expect "only root can make files beside the Unix socket" 'root 755' "$(stat -c '%U %a' /run/busd-web)"
rm -r /etc/systemd/system/busd-web.{socket,service}.d
restart || fail "no page at the port again"
# 127.0.0.1:8080, as the kernel writes it.
expect "only this machine reaches it" 0100007F:1F90 "$(awk '$4 == "0A" && $2 ~ /:1F90$/ { print $2 }' /proc/net/tcp*)"
expect "it runs as its own user" "$(id -u busd-web)" "$(of Uid)"
expect "it is in no other group" busd-web "$(id -Gn busd-web)"
expect "it has no capability" 0000000000000000 "$(of CapEff)"
expect "its system calls are filtered" 2 "$(of Seccomp)"
expect "its state is its own" 'busd-web 700' "$(stat -c '%U %a' /var/lib/busd-web)"
expect "it may have a descriptor for each of 900 browsers, and more" 8192 \
    "$(awk '/^Max open files/ { print $4 }' "/proc/$(property MainPID)/limits")"
expect "its exposure is at most 1.1" '*level for busd-web*: 1.[01] *' \
    "$(systemd-analyze security --threshold=11 --no-pager busd-web.service | tail -1)"
expect "there are no pairings" '' "$(busd-web pairs 2>&1)"
expect "it cannot send" '*ermission*' \
    "$(setpriv --reuid=busd-web --regid=busd-web --clear-groups viewctl send --timeout 60 scoreboard/1 undo 2>&1)"
systemctl stop busd.service busd.socket busd-view.socket
expect "without busd there is no page, and a reason" 503 \
    "$(curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8080/scoreboard/1)"
systemctl start busd.socket busd-view.socket
within 60 serves || fail "busd-web does not find busd again"

part "phones keep the score, with the examples of the package"
examples=/usr/share/doc/busd-web/examples
install -D -m 644 $examples/busd-web.policy /etc/busd/policy
mkdir -p /etc/systemd/system/busd{,-web}.service.d
printf '[Service]\nExecStart=\nExecStart=/usr/bin/busd --policy /etc/busd/policy\n' \
    >/etc/systemd/system/busd.service.d/policy.conf
expect "the policy has no faults" '*: no faults in 4 lines' "$(busd policy check /etc/busd/policy 2>&1)"
systemctl daemon-reload
systemctl restart busd.service || fail "busd does not start with the policy"
cp $examples/busd-web-scoring.conf /etc/systemd/system/busd-web.service.d/scoring.conf
restart || fail "it does not start with the control socket"
expect "the policy lets it score" '*send onePointMove *allowed*' \
    "$(busd policy who busd-web scoreboard/1/home/1 onePointMove 2>&1)"
expect "as busd-web, a move counts" '*"changed":true*' "$(as_web viewctl send --timeout 60 scoreboard/1/home/1 onePointMove)"
within 60 eval '[[ $(title /scoreboard/1) == *"Hawks 3 "* ]]' || fail "the move is not shown: $(title /scoreboard/1)"
expect "as busd-web, a game cannot be deleted" '*line 6 of the policy refuses*' \
    "$(as_web viewctl send --timeout 60 games deleteGame '{"id":"1"}')"
expect "as busd-web, books are hidden" '*no view model*' "$(as_web viewctl get --timeout 60 books)"
expect "the control socket is open to its sandbox" 0 \
    "$(systemd-run --quiet --wait --pipe -p User=busd-web -p PrivateUsers=yes -p SupplementaryGroups=busd \
        viewctl send --timeout 60 scoreboard/1 undo >/run/output 2>&1; echo $?)"
within 60 serves
busd-web pair --to 'scoreboard/1/**' --for 3h --as Ann >/run/link 2>/run/output || fail "pair: $(cat /run/output)"
expect "root makes a link" 'http://127.0.0.1:8080/pair#*' "$(cat /run/link)"
pairs=$(busd-web pairs)
expect "root lists the pairings" '*Ann *scoreboard/1/\*\* *' "$pairs"
expect "the pairing belongs to the server" busd-web "$(stat -c %U /var/lib/busd-web/* | sort -u)"
link=$(cut -d'#' -f2 /run/link)
expect "a phone that opens the link is paired" '{"page":"/scoreboard/1"}' "$(phone /pair '{"link":"'"$link"'"}')"
expect "its tap counts" '{"ok":{*"changed":true*' "$(tap one)"
expect "busd knows whose tap it was" '*Ann*' "$(viewctl who 2>&1 | grep busd-web)"
pairs=$(busd-web pairs)
expect "the link is used" '*Ann *used' "$pairs"
kill -KILL "$(property MainPID)"
within 60 serves || fail "it does not come back after a kill"
expect "a kill loses no pairing" "$pairs" "$(busd-web pairs)"
expect "the tap after the kill counts" '{"ok":{*"changed":true*' "$(tap two)"
expect "a tap that is sent again counts once" '*"duplicate":true*' "$(tap two)"
expect "another game is refused" '*not for scoreboard/2*' "$(phone /send '{"to":"scoreboard/2","event":"undo","key":"a"}')"
expect "the score" '4 - 0' "$(viewctl get --timeout 60 scoreboard/1 score.text)"

part "TLS, with the lines of the example"
mkdir -p /etc/ssl/score
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=score.example.org -addext subjectAltName=DNS:score.example.org \
    -keyout /etc/ssl/score/key.pem -out /etc/ssl/score/certificate.pem 2>/run/output || fail "openssl: $(cat /run/output)"
chmod 600 /etc/ssl/score/key.pem
sed -E '/^#(LoadCredential|ExecStart| )/s/^#//' $examples/busd-web-scoring.conf \
    >/etc/systemd/system/busd-web.service.d/scoring.conf
server=https://score.example.org:8443
tls=(--cacert /etc/ssl/score/certificate.pem --resolve score.example.org:8443:127.0.0.1)
listen 0.0.0.0:8443
restart "${tls[@]}" || fail "no page with TLS: $(curl -sS "${tls[@]}" $server/scoreboard/1 2>&1)"
expect "the page is shown with TLS" '*Hawks 4 * 0 Jets*' "$(title /scoreboard/1 "${tls[@]}")"
busd-web pair --to 'scoreboard/1/**' --for 3h --as Bo >/run/link 2>/run/output || fail "pair: $(cat /run/output)"
expect "a link has the name" "$server/pair#*" "$(cat /run/link)"
listen 0.0.0.0:443
printf '%s\n' '[Service]' ExecStart= \
    'ExecStart=/usr/bin/busd-web --name score.example.org --certificate %d/certificate --key %d/key' \
    >/etc/systemd/system/busd-web.service.d/tls.conf
server=https://score.example.org
tls=(--cacert /etc/ssl/score/certificate.pem --resolve score.example.org:443:127.0.0.1)
restart "${tls[@]}" || fail "no page at port 443: $(curl -sS "${tls[@]}" $server/scoreboard/1 2>&1)"
rm -r /etc/systemd/system/busd-web.{service.d/tls.conf,socket.d}
unset server
cp $examples/busd-web-scoring.conf /etc/systemd/system/busd-web.service.d/scoring.conf
restart || fail "it does not start without TLS"
pairs=$(busd-web pairs)

part "upgrade, remove, and purge"
upgrade() { dpkg -i /new/busd-web.deb >/run/output 2>&1 </dev/null || fail "dpkg -i: $(cat /run/output)"; }
before=$(property MainPID)
upgrade
within 60 serves || fail "no page after the upgrade"
[[ $before != "$(property MainPID)" ]] || fail "the upgrade did not restart it"
expect "an upgrade keeps the pairings" "$pairs" "$(busd-web pairs)"
expect "the tap after the upgrade counts" '{"ok":{*"changed":true*' "$(tap three)"
expect "an upgrade keeps the drop-in" '*--control*' "$(property ExecStart)"
systemctl disable --now busd-web.service busd-web.socket 2>/dev/null
upgrade
expect "a disabled service stays disabled, and stopped" 'disabled inactive' "$(is enabled) $(is active)"
systemctl enable --now busd-web.service 2>/dev/null
within 60 serves || fail "it does not start again"
id=$(awk '/Ann/ { print $1 }' <<<"$pairs")
busd-web unpair "$id" >/dev/null 2>&1 || fail "unpair"
expect "a pairing is ended" '*Bo *' "$(busd-web pairs | grep -v NAME)"
expect "the tap after the end is refused" '{"error":{*' "$(tap four)"

dpkg --remove busd-web >/run/output 2>&1 || fail "dpkg --remove: $(cat /run/output)"
expect "remove leaves no process" '' "$(pgrep -x busd-web)"
expect "remove leaves no program" '' "$(ls /usr/bin/busd-web 2>/dev/null)"
apt_install /old/busd-web.deb || fail "apt-get install: $(cat /run/output)"
within 60 serves || fail "no page after a new installation"
expect "remove keeps the pairings" '*Bo *' "$(busd-web pairs | grep -v NAME)"
dpkg --purge busd-web >/run/output 2>&1 || fail "dpkg --purge: $(cat /run/output)"
expect "purge leaves no state" '' "$(ls -d /var/lib/busd-web 2>/dev/null)"
expect "purge leaves no configuration but the drop-in" /etc/systemd/system/busd-web.service.d \
    "$(find /etc/systemd /var/lib/systemd/deb-systemd-helper-* -name 'busd-web*')"
expect "busd has not noticed" '5 - 0' "$(viewctl get --timeout 60 scoreboard/1 score.text 2>&1)"
echo passed
