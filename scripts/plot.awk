# Draws a table of a document as bars: a group for each column of figures, a bar for each row.
#
#     awk -f plot.awk -v heading=TEXT -v title=TEXT -v note=TEXT [-v columns=REGEX] [-v rows=REGEX]
#         [-v accent=REGEX] [-v left=PIXELS] [-v reference=FIGURE] DOCUMENT
#
# The table is the first one below the heading. `columns` chooses columns by their heads, `rows` chooses lines
# of the table, `accent` the rows with dark bars. A cell begins with its figure. A thin line shows the least
# and the most of a cell such as `0.079 (0.077-0.084)`, and a mark the goal of a column `goal`: `at most 0.95`.
# A dashed line stands at `reference`.
function escaped(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/`/, "", text); return text }
function trimmed(text) { gsub(/^ +| +$/, "", text); return text }
function number(text) { gsub(/,/, "", text); return text + 0 }
function larger(a, b) { return a > b ? a : b }
function label(x, y, style, text) {
    printf "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, style, escaped(text)
}

function bar(y, row, column,    style, shown, end) {
    style = name[row] ~ accent ? "strong" : "figure"
    shown = value[row, column]
    sub(/ .*/, "", shown)
    end = larger(larger(number(shown), most[row, column]), goal[row]) * scale
    label(left - 8, y + 11, "name", name[row])
    printf "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\" rx=\"2\" class=\"%s\"/>\n", left, y,
        number(shown) * scale, style
    if (most[row, column])
        printf "<path d=\"M%.1f %dH%.1f\"/>\n", left + least[row, column] * scale, y + 7, \
            left + most[row, column] * scale
    if (goal[row]) printf "<path d=\"M%.1f %dv18\" class=\"goal\"/>\n", left + goal[row] * scale, y - 2
    label(left + end + 6, y + 11, style, shown)
}

BEGIN {
    FS = "|"
    width = 720
    if (!left) left = 130
    if (!accent) accent = "^busd"
}
/^## / { isHere = $0 == "## " heading }
!isHere || isDone { next }
!/^\|/ { isDone = groups; next }
/^\|-/ { next }
!groups {
    for (field = 3; field < NF; field++) {
        if (trimmed($field) == "goal") goals = field
        else if (trimmed($field) ~ columns) { group[++groups] = field; caption[groups] = trimmed($field) }
    }
    next
}
$0 ~ rows {
    name[++count] = trimmed($2)
    if (goals && $goals ~ /at most [0-9]/) {
        goal[count] = $goals
        gsub(/[^0-9.]/, "", goal[count])
        longest = larger(longest, goal[count])
    }
    for (i = 1; i <= groups; i++) {
        cell = value[count, i] = trimmed($group[i])
        longest = larger(longest, number(cell))
        if (cell !~ /^[0-9.]+ \([0-9.]+-[0-9.]+\)$/) continue
        split(cell, part, /[()-]/)
        least[count, i] = part[2] + 0
        most[count, i] = part[3] + 0
        longest = larger(longest, part[3] + 0)
    }
}
END {
    if (!longest) { print "no figures for \"" title "\" below \"## " heading "\"" > "/dev/stderr"; exit 1 }
    scale = (width - left - 80) / longest
    height = 76 + groups * (20 * count + 10 + (groups > 1 ? 20 : 0))
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\">\n", \
        width, height, width
    print "<title>" escaped(title) "</title>"
    print "<style>"
    print "  text { font: 12px sans-serif; fill: #51606e; stroke: #fff; stroke-width: 4; paint-order: stroke }"
    print "  .strong { font-weight: bold; fill: #1b2733 }"
    print "  .title { font-size: 14px; font-weight: bold; fill: #1b2733 } .name { text-anchor: end; fill: #1b2733 }"
    print "  rect { fill: #b6c3cf } rect.strong { fill: #2f6f9f } .card { fill: #fff; stroke: #d5dde5 }"
    print "  path { stroke: #1b2733; stroke-opacity: .45 }"
    print "  .goal { stroke: #c2452d; stroke-opacity: 1; stroke-width: 2 }"
    if (reference) print "  .reference { stroke-dasharray: 3 3 }"
    print "</style>"
    printf "<rect x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"8\" class=\"card\"/>\n", \
        width - 1, height - 1
    label(20, 28, "title", title)
    label(20, 47, "note", note)
    y = 66
    if (reference) printf "<path d=\"M%.1f %dV%d\" class=\"reference\"/>\n", \
        left + reference * scale, y - 4, height - 16
    for (i = 1; i <= groups; i++) {
        if (groups > 1) { label(left, y + 10, "strong", caption[i]); y += 20 }
        for (row = 1; row <= count; row++) { bar(y, row, i); y += 20 }
        y += 10
    }
    print "</svg>"
}
