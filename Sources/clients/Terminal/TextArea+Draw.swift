import BusdProtocol

extension TextArea {
    /// Draws the text, each line in as many rows as it needs. It is scrolled so that the cursor is
    /// visible. A focused text sets the frame's cursor.
    public func draw(in frame: inout Frame, _ area: Area, isFocused: Bool) {
        guard area.rows > 0, area.columns > 1 else { return }
        var wrapped = WrappedRows(columns: area.columns)
        for line in above {
            wrapped.append(line)
            wrapped.beginRow()
        }
        wrapped.append(current.before)
        let cursor = wrapped.cursor()
        wrapped.append(current.after)
        for line in below.reversed() {
            wrapped.beginRow()
            wrapped.append(line)
        }
        let first = max(0, min(cursor.row - area.rows / 2, wrapped.rows.count - area.rows))
        for (row, text) in wrapped.rows[first...].prefix(area.rows).enumerated() {
            frame.write(text, at: Point(column: area.column, row: area.row + row))
        }
        guard isFocused else { return }
        frame.cursor = Point(
            column: area.column + cursor.column, row: area.row + cursor.row - first)
    }
}

/// The rows of lines that are broken at the last column, so that each space is seen.
private struct WrappedRows {
    let columns: Int
    private(set) var rows = [""]
    /// The next free column of the last row.
    private var column = 0

    init(columns: Int) { self.columns = columns }

    mutating func append(_ text: String) {
        for glyph in Glyph.glyphs(of: text.replacing("\t", with: " ")) {
            if column + glyph.columns > columns { beginRow() }
            rows[rows.count - 1] += glyph.text
            column += glyph.columns
        }
    }

    mutating func beginRow() {
        rows.append("")
        column = 0
    }

    /// The place of the next glyph of one column.
    mutating func cursor() -> Point {
        if column == columns { beginRow() }
        return Point(column: column, row: rows.count - 1)
    }
}
