# Draws a captured screen as SVG: the output of `tmux capture-pane -e -N -p`.
#
#     LC_ALL=C awk -f screen.awk -v title=TEXT columns=80 rows=24 cursor=COLUMN,ROW CAPTURE
#
# Each cell has a glyph and a look: its colour, its background and its attributes. Blocks and lines are paths,
# so they join as in a terminal; other glyphs are text, in runs that are stretched to the grid of the cells.
# Each character takes one cell. Without a cursor, `cursor` is empty.
BEGIN {
    width = 9; height = 18; margin = 16
    for (i = 1; i < 256; i++) byte[sprintf("%c", i)] = i
    split("#484f58 #f47067 #57ab5a #c69026 #539bf5 #b083f0 #39c5cf #adbac7 " \
        "#636e7b #ff938a #6bc46d #daaa3f #6cb6ff #dcbdfb #56d4dd #f0f6fc", basic, " ")
    plain = "#d1d7e0"; dark = "#151b23"
    split("█ ▀ ▄ ▌ ▐ ─ ━ ┄ │ ▸", list, " ")
    for (i in list) shapes[list[i]] = 1
    colour = back = ""
    isBold = isDim = isUnderlined = isReverse = 0
}

function stop(why) { print "screen.awk: line " NR ": " why > "/dev/stderr"; failed = 1; exit 1 }

# What a sequence such as ESC [1;38;5;208m changes.
function attribute(codes,    code, count, i) {
    count = split(codes == "" ? "0" : codes, code, ";")
    for (i = 1; i <= count; i++) {
        if (code[i] == 0) { colour = back = ""; isBold = isDim = isUnderlined = isReverse = 0 }
        else if (code[i] == 1) isBold = 1
        else if (code[i] == 2) isDim = 1
        else if (code[i] == 4) isUnderlined = 1
        else if (code[i] == 7) isReverse = 1
        else if (code[i] == 22) isBold = isDim = 0
        else if (code[i] == 24) isUnderlined = 0
        else if (code[i] == 27) isReverse = 0
        else if (code[i] == 38 && code[i + 1] == 5) { colour = indexed(code[i + 2]); i += 2 }
        else if (code[i] == 48 && code[i + 1] == 5) { back = indexed(code[i + 2]); i += 2 }
        else if (code[i] >= 30 && code[i] <= 37) colour = indexed(code[i] - 30)
        else if (code[i] >= 40 && code[i] <= 47) back = indexed(code[i] - 40)
        else if (code[i] >= 90 && code[i] <= 97) colour = indexed(code[i] - 82)
        else if (code[i] >= 100 && code[i] <= 107) back = indexed(code[i] - 92)
        else if (code[i] == 39) colour = ""
        else if (code[i] == 49) back = ""
        else stop("the attribute " codes " is not known")
    }
}

function rgb(red, green, blue) { return sprintf("#%02x%02x%02x", red, green, blue) }
# A colour of the 256: 16 of the terminal, a cube of six levels, and 24 greys.
function level(step) { return step ? 55 + 40 * step : 0 }
function indexed(number) {
    if (number < 16) return basic[number + 1]
    if (number > 231) return rgb(number * 10 - 2312, number * 10 - 2312, number * 10 - 2312)
    number -= 16
    return rgb(level(int(number / 36)), level(int(number / 6) % 6), level(number % 6))
}

{
    y = NR - 1
    x = 0
    for (rest = $0; rest != "";) {
        if (match(rest, /^\033\[[0-9;]*m/)) {
            attribute(substr(rest, 3, RLENGTH - 3))
        } else {
            first = byte[substr(rest, 1, 1)]
            if (first < 32) stop("the control character " first " is not known")
            RLENGTH = first < 128 ? 1 : first < 224 ? 2 : first < 240 ? 3 : 4
            glyph[x, y] = substr(rest, 1, RLENGTH)
            ground[x, y] = isReverse ? (colour ? colour : plain) : back
            look[x, y] = (isReverse ? (back ? back : dark) : colour) ";" isBold isDim isUnderlined
            x++
        }
        rest = substr(rest, RLENGTH + 1)
    }
    if (x > columns || y >= rows) stop("the screen is larger than " columns "x" rows)
}

function left(x) { return margin + x * width }
function top(y) { return margin + y * height }
function box(x, y, w, h) { return sprintf("M%g %gh%gv%gh-%gz", x, y, w, h, w) }
function isBlank(x, y) { return x >= columns || glyph[x, y] == "" || glyph[x, y] == " " }
function escaped(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); return text }

# The attributes of SVG for the look of a cell.
function painted(x, y,    part) {
    split(look[x, y], part, ";")
    return (part[1] ? " fill=\"" part[1] "\"" : "") (part[2] ~ /^.1/ ? " opacity=\".6\"" : "")
}

# Everything with the same paint is one path, so boxes that touch have no seam.
function add(paint, path) {
    if (!(paint in paths)) paints[++count] = paint
    paths[paint] = paths[paint] path
}
function show(    i) {
    for (i = 1; i <= count; i++) printf "<path%s d=\"%s\"/>\n", paints[i], paths[paints[i]]
    count = 0
    split("", paths)
}

# The end of the cells from x on with the same value in `cells`.
function alike(cells, x, y,    end) {
    for (end = x + 1; end < columns && cells[end, y] == cells[x, y];) end++
    return end
}

function add_grounds(y,    x, end) {
    for (x = 0; x < columns; x = end) {
        end = alike(ground, x, y)
        if (ground[x, y]) add(" fill=\"" ground[x, y] "\"", box(left(x), top(y), (end - x) * width, height))
    }
}

function add_underlines(y,    x, end) {
    for (x = 0; x < columns; x = end) {
        end = alike(look, x, y)
        if (look[x, y] ~ /1$/) add(painted(x, y), box(left(x), top(y) + 16, (end - x) * width, 1))
    }
}

# The path of `number` cells with this glyph, from the corner x, y on.
function shape(glyph, x, y, number,    path) {
    if (glyph == "█") return box(x, y, number * width, height)
    if (glyph == "▀") return box(x, y, number * width, height / 2)
    if (glyph == "▄") return box(x, y + height / 2, number * width, height / 2)
    if (glyph == "─") return box(x, y + 8.5, number * width, 1)
    if (glyph == "━") return box(x, y + 8, number * width, 2)
    for (; number > 0; number--) {
        if (glyph == "▌") path = path box(x, y, width / 2, height)
        if (glyph == "▐") path = path box(x + width / 2, y, width / 2, height)
        if (glyph == "│") path = path box(x + 4, y, 1, height)
        if (glyph == "┄") path = path box(x + 1, y + 8.5, 2, 1) box(x + 5, y + 8.5, 2, 1)
        if (glyph == "▸") path = path sprintf("M%g %gv8l6 -4z", x + 2, y + 5)
        x += width
    }
    return path
}

function add_shapes(y,    x, end) {
    for (x = 0; x < columns; x = end) {
        end = x + 1
        if (!(glyph[x, y] in shapes)) continue
        while (end < columns && glyph[end, y] == glyph[x, y] && look[end, y] == look[x, y]) end++
        add(painted(x, y), shape(glyph[x, y], left(x), top(y), end - x))
    }
}

# Whether a text goes on at this cell. It has one look and no gap of two cells. Glyphs beyond ASCII are a text of
# their own: a viewer may draw them with another font, in another width.
function is_text_on(x, y, start) {
    if (isBlank(x, y)) return !isBlank(x + 1, y) && look[x, y] == look[start, y] && is_text_on(x + 1, y, start)
    return !(glyph[x, y] in shapes) && look[x, y] == look[start, y] && (glyph[x, y] > "~") == (glyph[start, y] > "~")
}

function show_text(y,    x, start, text) {
    for (x = 0; x < columns;) {
        start = x++
        if (isBlank(start, y) || glyph[start, y] in shapes) continue
        for (text = glyph[start, y]; is_text_on(x, y, start); x++) text = text glyph[x, y]
        printf "<text x=\"%d\" y=\"%d\" textLength=\"%d\"%s%s>%s</text>\n", left(start), top(y) + 13, \
            (x - start) * width, painted(start, y), look[start, y] ~ /;1/ ? " font-weight=\"bold\"" : "", escaped(text)
    }
}

END {
    if (failed) exit 1
    w = 2 * margin + columns * width
    h = 2 * margin + rows * height
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\"\n", w, h, w
    print "  font-family=\"ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace\""
    print "  font-size=\"15\" fill=\"" plain "\">"
    print "<title>" escaped(title) "</title>"
    printf "<rect x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"10\" fill=\"%s\" stroke=\"#3d444d\"/>\n", \
        w - 1, h - 1, dark
    for (y = 0; y < rows; y++) add_grounds(y)
    show()
    for (y = 0; y < rows; y++) { add_underlines(y); add_shapes(y) }
    show()
    for (y = 0; y < rows; y++) show_text(y)
    if (split(cursor, place, ",")) {
        add(" opacity=\".7\"", box(left(place[1]), top(place[2]), width, height))
        show()
    }
    print "</svg>"
}
