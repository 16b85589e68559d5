#!/usr/bin/env bash
# Shows hostile names in real bars, with the configurations of Examples/Bars: polybar under Xvfb, Waybar and i3blocks
# under a headless sway. tmux is in BarTests.
#
# A bar runs twice, on two screens. The viewctl of the second one, the model, is a script that prints what the first must
# show, with each character of a value in a form that the bar can take only as text. The pictures must be equal.
#
#     scripts/test-bars.sh BIN PICTURES     PICTURES is the folder for the pictures of a failure: xwd or ppm
set -euo pipefail
bin=$(cd "$1" && pwd)
pictures=$(mkdir -p "$2" && cd "$2" && pwd)
scripts=$(cd "$(dirname "$0")" && pwd)
bars=$scripts/../Examples/Bars
folder=$(mktemp -d)
cd "$folder"
export BUSD_SOCKET=$folder/busd.sock LC_ALL=C.UTF-8
unset BUSD_HOST DISPLAY WAYLAND_DISPLAY
path=$bin:$PATH
close() { { kill $(jobs -p) && wait; } 2>/dev/null || true; }
trap 'close; rm -rf "$folder"' EXIT

fail() {
    for screen in bar model; do "picture_$kind" $screen >"$pictures/$kind-$screen" || true; done
    echo "== test-bars: failed: $kind: $1; its screens are $pictures/$kind-*" >&2
    exit 1
}

# within SECONDS COMMAND...: repeats the command until it succeeds, and fails after that time.
within() {
    local end=$((SECONDS + $1))
    until "${@:2}"; do
        ((SECONDS < end)) || return 1
        sleep 0.1
    done
}

# Kinds of bars. open_KIND opens a bar on a screen of its own, which has a folder. line_KIND prints the line of the model
# with a home team and a score.

open_polybar() {
    mkdir "$1"
    Xvfb -displayfd 3 -screen 0 1200x40x24 -nolisten tcp -fbdir "$1" 3>"$1/display" 2>"$1/log" &
    within 30 test -s "$1/display" || fail "Xvfb does not start"
    DISPLAY=:$(<"$1/display") polybar -q -c "$bars/polybar.ini" 2>"$1/bar.log" &
}
picture_polybar() { cat "$1/Xvfb_screen0"; }
# `%{F-}` changes nothing, and no tag can go past it.
text_polybar() { jq -Rrj 'gsub("%{"; "% {") / "" | map(. + "%{F-}") | add' <<<"$1"; }
line_polybar() { echo "$(text_polybar "$1") %{B#446} $(text_polybar "$2") %{B-} Jets"; }

# open_sway SCREEN [CONFIGURATION]: sway refuses to run as root. It needs only the folder of its screen.
open_sway() {
    local as_user=()
    install -d -m 700 "$1"
    ((EUID)) || { as_user=(setpriv --reuid=nobody --regid=nogroup --clear-groups); chown nobody "$1"; chmod 711 .; }
    printf '%s\n' 'output * resolution 1200x40' "${@:2}" >"$1.sway"
    XDG_RUNTIME_DIR=$PWD/$1 WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman \
        "${as_user[@]}" sway -c "$1.sway" 2>"$1.log" &
    within 30 test -S "$1/wayland-1" || fail "sway does not start"
}
on_sway() { XDG_RUNTIME_DIR=$PWD/$1 WAYLAND_DISPLAY=wayland-1 "${@:2}"; }
text_pango() { jq -Rrj 'explode | map("&#\(.);") | add' <<<"$1"; }
line_pango() { echo "$(text_pango "$1") <b>$(text_pango "$2")</b> Jets"; }

open_waybar() {
    open_sway "$1"
    on_sway "$1" waybar -c "$bars/waybar.jsonc" >"$1.log" 2>&1 &
}
picture_waybar() { on_sway "$1" grim -t ppm -; }
line_waybar() { line_pango "$@" | jq -Rc '{text: .}'; }

open_i3blocks() {
    open_sway "$1" 'bar score swaybar_command true' "bar score status_command exec i3blocks -c '$bars/i3blocks.conf'"
    on_sway "$1" swaybar -b score -s "$(compgen -G "$1/sway-ipc.*")" 2>"$1.log" &
}
picture_i3blocks() { picture_waybar "$1"; }
line_i3blocks() { line_pango "$(sed 's/</‹/g; s/>/›/g; s/&/+/g' <<<"$1")" "$2"; }

# Steps.

serve() {
    "$bin/busd" --socket "$BUSD_SOCKET" --state state 2>log &
    daemon=$!
    within 30 test -S "$BUSD_SOCKET" || fail "busd does not start"
}
change() { "$bin/viewctl" send "$@" >answer || fail "busd refuses $*"; }

# sum SCREEN: identifies its picture, without the header, which may have the number of the screen.
sum() { "picture_$kind" "$1" | tail -c +200 | cksum; }
# are_equal: both screens show the same, for a while, and not what they did before.
are_equal() {
    local model
    model=$(sum model)
    [[ $model != "$before" && $model == $(sum bar) ]] && sleep 0.5 && [[ $model == $(sum model) && $model == $(sum bar) ]]
}

# shows LINE: the bar comes to show this line of the model.
shows() {
    echo "$1" >>lines
    within 30 are_equal || fail "it does not show $1"
    before=$(sum model)
}

click() {
    for ((x = 300; x < 900; x += 20)); do
        DISPLAY=:$(<"$1/display") xdotool mousemove "$x" 12 click 1
    done
}

clicks_count() { click model && [[ -e clicked ]]; }

names=(
    '%{F#f00}red' '<b>bold</b>' '&amp;&lt;' '#[fg=red]#(touch mark)' $'"e\u0301\u0323\u0300\' "' '$(touch mark)`touch mark`'
    '%%{{T2}} %output% {score.text} \n\' WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW '%{A1:touch mark:}click%{A}'
)
test_bar() {
    local was=Owls name before= score
    serve
    change games createGame '{"home":{"name":"Owls","players":["Ann"]},"away":{"name":"Jets","players":["Bo"]}}'
    printf '#!/bin/sh\nexec tail -n +1 -f "%s/lines"\n' "$folder" >viewctl
    chmod 755 viewctl
    : >lines
    PATH=$path "open_$kind" bar
    PATH=$folder:$path "open_$kind" model
    shows "$("line_$kind" Owls '0 - 0')"
    for name in "${names[@]}"; do
        change scoreboard/1 renameTeam "$(jq -nc '{side: "home", was: $ARGS.positional[0], name: $ARGS.positional[1]}' \
            --args "$was" "$name")"
        shows "$("line_$kind" "$name" '0 - 0')"
        was=$name
    done
    [[ $kind != polybar ]] || click bar
    change scoreboard/1/home/1 twoPointMove
    shows "$("line_$kind" "$name" '2 - 0')"
    score=$before
    { kill -KILL "$daemon" && wait "$daemon"; } 2>/dev/null || true
    shows "$([[ $kind == waybar ]] && echo '{"text":"no game"}' || echo 'no game')"
    serve
    shows "$("line_$kind" "$name" '2 - 0')"
    [[ $before == "$score" ]] || fail "the score is not what it was"
    [[ ! -e mark && ! -e bar/mark ]] || fail "a name has run a command"
    if [[ $kind == polybar ]]; then
        echo '%{A1:touch clicked:}a long text that runs a command%{A}' >>lines
        within 30 clicks_count || fail "clicks do not reach the bar"
    fi
    close
    rm -r ./*
}

tested=() left=()
for kind in polybar waybar i3blocks; do
    why=$("$scripts/need.sh" run "$kind" 2>&1) || { left+=("$kind: ${why##*$'\n'}"); continue; }
    echo "== test-bars: $kind"
    test_bar
    tested+=("$kind")
done
echo "== test-bars: passed: ${tested[*]-no bar}"
for why in "${left[@]}"; do echo "== test-bars: left out: $why"; done
((${#tested[@]}))
