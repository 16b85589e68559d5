/// The content of a screen, as a value: a grid of cells. Drawing outside it has no effect.
public struct Frame: Equatable, Sendable {
    struct Cell: Hashable, Sendable {
        /// Nil in the second column of a wide glyph.
        var glyph: Glyph?
        var style: Style

        static let blank = Cell(glyph: .blank, style: .plain)
    }

    public let size: Size
    private var cells: [Cell]
    /// Where the terminal's cursor is shown; nil hides it.
    public var cursor: Point?
    /// Where the hidden cursor stands, for programs that read the screen aloud: at the chosen row.
    public var hiddenCursor: Point?

    public init(_ size: Size) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    public var area: Area { Area(size) }

    /// The cells of a row, which must be inside the frame.
    func cells(row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    // MARK: Drawing

    /// Writes the text from `point` to the right. Glyphs outside the frame are left out; a wide
    /// glyph is never cut in half.
    public mutating func write(_ text: String, at point: Point, _ style: Style = .plain) {
        var column = point.column
        for glyph in Glyph.glyphs(of: text) {
            put(glyph, column: column, row: point.row, style)
            column += glyph.columns
        }
    }

    /// Changes the style of the cells, and keeps the text.
    public mutating func restyle(_ area: Area, _ change: (inout Style) -> Void) {
        let rows = max(0, area.row)..<max(0, min(size.rows, area.endRow))
        let columns = max(0, area.column)..<max(0, min(size.columns, area.endColumn))
        for row in rows {
            for column in columns { change(&cells[row * size.columns + column].style) }
        }
    }

    /// Empties the area.
    public mutating func clear(_ area: Area, _ style: Style = .plain) {
        for row in 0..<area.rows {
            let blanks = String(repeating: " ", count: area.columns)
            write(blanks, at: Point(column: area.column, row: area.row + row), style)
        }
    }

    private mutating func put(_ glyph: Glyph, column: Int, row: Int, _ style: Style) {
        guard 0..<size.rows ~= row, column >= 0, column + glyph.columns <= size.columns else {
            return
        }
        let place = row * size.columns + column
        for covered in place..<place + glyph.columns { breakGlyph(covering: covered) }
        cells[place] = Cell(glyph: glyph, style: style)
        if glyph.columns == 2 { cells[place + 1] = Cell(glyph: nil, style: style) }
    }

    /// If half of a wide glyph is overwritten, the other half becomes blank.
    private mutating func breakGlyph(covering place: Int) {
        guard let glyph = cells[place].glyph else {
            cells[place - 1].glyph = .blank
            cells[place].glyph = .blank
            return
        }
        if glyph.columns == 2 { cells[place + 1].glyph = .blank }
        cells[place].glyph = .blank
    }
}
