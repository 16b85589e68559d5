import CBusdNcurses

extension Screen {
    /// Shows the frame. Only changes are sent to the terminal.
    public func show(_ frame: Frame) {
        let window = busd_stdscr()
        werase(window)
        for row in 0..<min(frame.size.rows, size.rows) { draw(frame.cells(row: row), row: row) }
        place(frame.cursor, else: frame.hiddenCursor)
        wrefresh(window)
    }

    /// Passes each run of cells with the same style to ncurses in one call.
    private func draw(_ cells: ArraySlice<Frame.Cell>, row: Int) {
        let window = busd_stdscr()
        wmove(window, Int32(row), 0)
        var rest = cells.prefix(size.columns)
        while let first = rest.first {
            let run = rest.prefix { $0.style == first.style }
            wattr_set(
                window, palette.attributes(of: first.style), palette.pair(of: first.style), nil)
            let text = run.flatMap { cell in
                cell.glyph.map { spelled($0).unicodeScalars.map { wchar_t($0.value) } } ?? []
            }
            waddnwstr(window, text, Int32(text.count))
            rest = rest.dropFirst(run.count)
        }
    }

    private func spelled(_ glyph: Glyph) -> String {
        Locale.isUTF8 ? glyph.text : PlainGlyph.of(glyph.text)
    }

    private func place(_ cursor: Point?, else hidden: Point?) {
        let area = Area(size)
        let shown = cursor.flatMap { area.contains($0) ? $0 : nil }
        curs_set(shown == nil ? 0 : 1)
        guard let point = shown ?? hidden, area.contains(point) else { return }
        wmove(busd_stdscr(), Int32(point.row), Int32(point.column))
    }
}

/// ASCII replacements for the characters of pictures, for a terminal that shows only ASCII.
enum PlainGlyph {
    private static let table: [String: String] = [
        "─": "-", "│": "|", "█": "#", "▀": "#", "▄": "#", "▌": "#", "▐": "#", "▸": ">", "▶": ">",
        "…": "~", "·": ".",
        "━": "=", "┄": "-", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "├": "+", "┤": "+", "•": "*",
        "●": "*", "★": "*", "←": "<", "→": ">", "↑": "^", "↓": "v", "‖": "=",
    ]

    static func of(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy(\.isASCII) { return text }
        return table[text] ?? "?"
    }
}
