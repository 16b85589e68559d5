package import BusdTerminal

/// A key and its effect, in the status line. A click on it presses the key.
package struct Hint: Equatable {
    package let label: String
    package let words: String
    package let key: Key
    /// If there is no room for all hints, those with the highest rank are left out first.
    let rank: Int
    /// More words, which are shown if there is room for all words of all hints.
    private let details: String?

    package init(
        _ label: String, _ words: String, _ key: Key, rank: Int = 0, details: String? = nil
    ) {
        self.label = label
        self.words = words
        self.key = key
        self.rank = rank
        self.details = details
    }

    private var inFull: Hint {
        guard let details else { return self }
        return Hint(label, "\(words) \(details)", key, rank: rank)
    }

    private var columns: Int { label.columns + 1 + words.columns }

    private static func columns(of hints: [Hint], gap: Int) -> Int {
        hints.reduce(-gap) { $0 + $1.columns + gap }
    }

    /// The hints that fit, in their order, and the number of columns between them.
    package static func fitting(_ hints: [Hint], columns: Int) -> (hints: [Hint], gap: Int) {
        let inFull = hints.map(\.inFull)
        var kept = Hint.columns(of: inFull, gap: 2) <= columns ? inFull : hints
        while true {
            for gap in [3, 2] where Hint.columns(of: kept, gap: gap) <= columns {
                return (kept, gap)
            }
            let highest = kept.map(\.rank).max()
            guard let place = kept.lastIndex(where: { $0.rank == highest }) else { return ([], 0) }
            kept.remove(at: place)
        }
    }

    /// Draws hints side by side into a row of the area.
    package static func draw(_ hints: [Hint], on picture: inout Picture, in area: Area) {
        guard area.rows > 0 else { return }
        var column = area.column
        let (shown, gap) = fitting(hints, columns: area.columns)
        for hint in shown {
            picture.frame.write(hint.label, at: Point(column: column, row: area.row), .bold)
            let words = Point(column: column + hint.label.columns + 1, row: area.row)
            picture.frame.write(hint.words, at: words, .dim)
            let whole = Area(column: column, row: area.row, columns: hint.columns, rows: 1)
            picture.react(to: .key(hint.key), in: whole)
            column += hint.columns + gap
        }
    }
}
