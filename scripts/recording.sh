#!/usr/bin/env bash
# Records docs/pictures/one-game.webp: ten seconds of one game in a terminal, on a wall and on a phone. The programs are
# real; only the time of their busd stands still between two frames, so a busy machine records the same ten seconds.
#
#     scripts/recording.sh BIN [PICTURE]
set -euo pipefail
scripts=$(cd "$(dirname "$0")" && pwd)
BUSD_PROGRAMS=$(cd "${1:?the folder of the programs is missing}" && pwd)
picture=$(realpath -m "${2:-$scripts/../docs/pictures/one-game.webp}")
most=1500000 # bytes

BUSD_PICTURES=$(mktemp -d)
trap 'rm -r "$BUSD_PICTURES"' EXIT
export BUSD_PROGRAMS BUSD_PICTURES PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8
unset BUSD_SOCKET BUSD_HOST NO_COLOR TMUX

# Pages use the font of the system. Inter is much like that of most phones.
export FONTCONFIG_FILE=$BUSD_PICTURES/fonts.conf
cat >"$FONTCONFIG_FILE" <<'CONF'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include>/etc/fonts/fonts.conf</include>
  <match>
    <test name="family"><string>sans-serif</string></test>
    <edit name="family" mode="assign" binding="strong"><string>Inter</string></edit>
  </match>
</fontconfig>
CONF

# A line for each frame: its milliseconds and its file.
/usr/bin/python3 "$scripts/recording.py" >"$BUSD_PICTURES/frames"
frames=()
while read -r milliseconds file; do frames+=(-d "$milliseconds" "$file"); done <"$BUSD_PICTURES/frames"

log=$(img2webp -loop 0 -min_size -lossless -m 6 "${frames[@]}" -o "$BUSD_PICTURES/picture.webp" 2>&1) || {
    echo "recording.sh: $log" >&2
    exit 1
}
size=$(stat -c %s "$BUSD_PICTURES/picture.webp")
if ((size > most)); then
    echo "recording.sh: the picture has $size bytes: at most $most load fast enough" >&2
    exit 1
fi
install -m 644 "$BUSD_PICTURES/picture.webp" "$picture"
