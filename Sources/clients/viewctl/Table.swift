import BusdScreens

/// Columns with two spaces between them. Numbers are aligned to the right. A cell wider than
/// `widest` does not widen its column.
struct Table {
    let head: [String]
    let rows: [[String]]
    let numbers: Set<Int>

    /// In columns: the length of the longest address.
    static let widest = 200

    func lines(_ style: TextStyle) -> [String] {
        let widths = head.indices.map { column in
            min(Self.widest, ([head] + rows).map { $0[column].count }.max() ?? 0)
        }
        return [style.bold(line(head, widths))] + rows.map { line($0, widths) }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = cells.indices.map { column in
            let cell = cells[column]
            let space = String(repeating: " ", count: max(0, widths[column] - cell.count))
            if numbers.contains(column) { return space + cell }
            return column == cells.count - 1 ? cell : cell + space
        }
        return padded.joined(separator: "  ")
    }
}

extension String {
    /// With spaces up to the width, but at most `Table.widest`.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, min(width, Table.widest) - count))
    }
}
