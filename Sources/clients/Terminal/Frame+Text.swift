/// The position of a text in its area.
public enum Alignment: Sendable {
    case left
    case center
    case right
}

extension Frame {
    /// Writes the text into a row of the area, shortened with `…` if it is too long.
    public mutating func write(
        _ text: String, in area: Area, row: Int = 0, _ alignment: Alignment = .left,
        _ style: Style = .plain
    ) {
        guard 0..<area.rows ~= row else { return }
        let text = text.fitted(to: area.columns)
        let rest = area.columns - text.columns
        let offset =
            switch alignment {
            case .left: 0
            case .center: rest / 2
            case .right: rest
            }
        write(text, at: Point(column: area.column + offset, row: area.row + row), style)
    }

    /// Draws a horizontal line, from the area's first column to its last.
    public mutating func rule(in area: Area, row: Int = 0, _ style: Style = .dim) {
        write(String(repeating: "─", count: area.columns), in: area, row: row, .left, style)
    }

    /// The text of each row, without styles and without blanks at the end.
    public var lines: [String] {
        (0..<size.rows).map { row in
            var line = cells(row: row).compactMap { $0.glyph?.text }
            while line.last == " " { line.removeLast() }
            return line.joined()
        }
    }

    /// All rows as one text, one line per row, without empty lines at the end.
    public var text: String {
        var lines = lines
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The style of a cell; nil outside the frame.
    public func style(at point: Point) -> Style? {
        guard area.contains(point) else { return nil }
        let row = cells(row: point.row)
        return row[row.startIndex + point.column].style
    }
}
