#!/usr/bin/env bash
# Draws docs/pictures/*.svg from docs/pictures/*.txt.
#
#     scripts/pictures.sh [FOLDER]           writes the pictures
#     scripts/pictures.sh --check [FOLDER]   fails if a picture does not match its text
#
# A text has one element per line:
#
#     size WIDTH HEIGHT
#     lane X Y WIDTH HEIGHT TITLE
#     box NAME X Y WIDTH HEIGHT | TITLE | SUBTITLE
#     arrow FROM TO
set -euo pipefail
isCheck=
if [[ ${1:-} == --check ]]; then
    isCheck=yes
    shift
fi
cd "${1:-$(dirname "$0")/../docs/pictures}"

draw() {
    awk '
    function escaped(text) {
        gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/^ +| +$/, "", text)
        return text
    }
    function label(x, y, style, text) {
        printf "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, style, escaped(text)
    }
    # Draws from the middle of one side of a box to the middle of the facing side of the other.
    function arrow(a, b,    x1, y1, x2, y2) {
        x1 = x[a] + w[a] / 2; x2 = x[b] + w[b] / 2
        y1 = y[a] + h[a] / 2; y2 = y[b] + h[b] / 2
        if (y[a] + h[a] <= y[b])      { y1 = y[a] + h[a]; y2 = y[b] }
        else if (y[b] + h[b] <= y[a]) { y1 = y[a]; y2 = y[b] + h[b] }
        else if (x1 < x2)             { x1 = x[a] + w[a]; x2 = x[b] }
        else                          { x1 = x[a]; x2 = x[b] + w[b] }
        # A wide box is left and reached above or below the other one.
        if (y1 != y2 && x2 >= x[a] && x2 <= x[a] + w[a]) x1 = x2
        else if (y1 != y2 && x1 >= x[b] && x1 <= x[b] + w[b]) x2 = x1
        printf "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"arrow\"/>\n", x1, y1, x2, y2
    }
    /^#/ || NF == 0 { next }
    $1 == "size" {
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\">\n", $2, $3, $2
        print "<style>"
        print "  text { font: 12px sans-serif; text-anchor: middle; fill: #1b2733 }"
        print "  .title { font-weight: bold } .subtitle { font-size: 11px; fill: #51606e }"
        print "  .name { text-anchor: start; fill: #51606e }"
        print "  .lane { fill: #f3f6f9; stroke: #d5dde5 } .box { fill: #fff; stroke: #5b7ea3 }"
        print "  .arrow { stroke: #5b7ea3; stroke-width: 1.5; marker-end: url(#head) }"
        print "</style>"
        print "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\""
        print "  markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#5b7ea3\"/></marker></defs>"
        printf "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#fff\"/>\n", $2, $3
    }
    $1 == "lane" {
        title = $0; sub(/^lane +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +/, "", title)
        printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" class=\"lane\"/>\n", $2, $3, $4, $5
        label($2 + 10, $3 + 17, "name", title)
    }
    $1 == "box" {
        split($0, part, "|")
        x[$2] = $3; y[$2] = $4; w[$2] = $5; h[$2] = $6
        printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\" class=\"box\"/>\n", $3, $4, $5, $6
        label($3 + $5 / 2, $4 + 20, "title", part[2])
        label($3 + $5 / 2, $4 + 37, "subtitle", part[3])
    }
    $1 == "arrow" {
        if (!($2 in x) || !($3 in x)) { print "there is no box " $2 " or " $3 > "/dev/stderr"; isWrong = 1; exit 1 }
        arrow($2, $3)
    }
    END { if (!isWrong) print "</svg>" }' "$1"
}

status=0
for text in *.txt; do
    picture=${text%.txt}.svg
    drawn=$(draw "$text")
    if [[ ! $isCheck ]]; then
        echo "$drawn" >"$picture"
    elif ! cmp -s - "$picture" <<<"$drawn"; then
        echo "$picture is not what $text says: run make pictures"
        status=1
    fi
done
exit $status
