import BusdTerminal

// A digit has seven strokes, as on the scoreboard of a court, but joined and with round corners. It
// is drawn with square dots, one column wide and half a row high, two per cell (▀ and ▄). So digits
// can have any size.

/// Digits of one size.
struct BlockDigits: Equatable {
    /// All measures are in dots. The height is even.
    let width: Int
    let height: Int
    let stroke: Int
    let gap: Int

    init(width: Int, rows: Int) {
        self.width = width
        height = 2 * rows
        stroke = max(1, (width + 2) / 4)
        gap = max(1, (stroke + 1) / 2)
    }

    var rows: Int { height / 2 }

    /// The largest digits in which the text fits into the room; nil if even the smallest are too
    /// large.
    static func largest(for text: String, in room: Size) -> BlockDigits? {
        // No character is narrower than a column.
        guard text.unicodeScalars.prefix(room.columns + 1).count <= room.columns else { return nil }
        for width in stride(from: room.columns, through: smallest.width, by: -1) {
            // The height is 1.25 to 1.75 times the width, except at the smallest size.
            let rows = min(room.rows, max(smallest.rows, width * 7 / 8))
            let digits = BlockDigits(width: width, rows: rows)
            let isWellShaped = 5 * width <= 4 * digits.height || width == smallest.width
            if rows >= smallest.rows, isWellShaped, digits.columns(of: text) <= room.columns {
                return digits
            }
        }
        return nil
    }

    private static let smallest = BlockDigits(width: 4, rows: 3)

    /// The columns that a text of digits, `:` and `.` needs.
    func columns(of text: String) -> Int {
        text.reduce(-gap) { $0 + columns(of: $1) + gap }
    }

    /// Draws the text. `point` is its top left cell.
    func draw(_ text: String, on frame: inout Frame, at point: Point, _ style: Style) {
        var column = point.column
        for character in text {
            for row in 0..<rows {
                let line = line(of: character, row: row)
                frame.write(line, at: Point(column: column, row: point.row + row), style)
            }
            column += columns(of: character) + gap
        }
    }

    private func columns(of character: Character) -> Int {
        character.isWholeNumber ? width : stroke
    }

    private func line(of character: Character, row: Int) -> String {
        let shape = Shape(of: character, self)
        let cells = (0..<columns(of: character)).map { x in
            switch (shape.isLit(x, 2 * row), shape.isLit(x, 2 * row + 1)) {
            case (true, true): "█"
            case (true, false): "▀"
            case (false, true): "▄"
            case (false, false): " "
            }
        }
        return cells.joined()
    }
}
