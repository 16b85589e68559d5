import BusdDeck
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Asks on a terminal which columns of a file are the sides of its cards.
struct ColumnQuestion {
    private let file: String
    private let columns: [DeckLayout.Column]
    private let usual: [DeckLayout.Column]

    private static let widest = 24

    init(file: String, _ layout: DeckLayout) {
        (self.file, columns, usual) = (file, layout.columns, layout.usual)
    }

    /// Nil at the end of input: then the first two columns are the sides.
    func ask(_ console: Console) -> ColumnRequest? {
        console.writeError("\(file) has \(columns.count) columns with words, and not their sides:")
        for line in table { console.writeError("  " + line) }
        guard usual.count == 2, let front = side("front", usual[0], console),
            let back = side("back", usual[1], console)
        else { return nil }
        return ColumnRequest(front: front, back: back)
    }

    /// A column per column of the file: its number, its name and its first fields.
    private var table: [String] {
        let cells = columns.map { column in
            let name = column.name.isEmpty ? [] : [column.name]
            return ["\(column.place + 1)"]
                + (name + column.samples).map(Self.cell)
        }
        let rows = cells.map(\.count).max() ?? 0
        let widths = cells.map { $0.map { $0.columns }.max() ?? 0 }
        return (0..<rows).map { row in
            zip(cells, widths).map { cells, width in
                let cell = row < cells.count ? cells[row] : ""
                return cell + String(repeating: " ", count: max(0, width - cell.columns))
            }.joined(separator: "  ")
        }
    }

    /// A text in one line of at most 24 characters.
    private static func cell(_ text: String) -> String {
        let start = String(text.unicodeScalars.prefix(4 * widest).map(Character.init))
        let line = start.printable
        return line.count <= widest ? line : line.prefix(widest - 1) + "…"
    }

    private func side(_ side: String, _ usual: DeckLayout.Column, _ console: Console) -> [String]? {
        let usual = "\(usual.place + 1)"
        while true {
            console.writeError("Which column is the \(side)? (\(usual); 3+4 for two)")
            guard let line = readLine() else { return nil }
            if let numbers = Self.numbers(line.isEmpty ? usual : line, columns) { return numbers }
        }
    }

    /// Nil unless the line has numbers of the columns.
    static func numbers(_ line: String, _ columns: [DeckLayout.Column]) -> [String]? {
        let items = line.split(separator: "+").map { $0.filter { $0 != " " } }
        let isKnown = items.allSatisfy { item in
            columns.contains { "\($0.place + 1)".isExactly(item) }
        }
        return isKnown && !items.isEmpty ? items : nil
    }
}
