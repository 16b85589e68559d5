/// Columns, two spaces apart. Numbers stand on the right of their column. A cell that is wider than
/// any address does not widen its column.
struct Table {
    let head: [String]
    let rows: [[String]]
    let numbers: Set<Int>

    /// Columns.
    static let widest = 200

    func lines(_ ink: Ink) -> [String] {
        let widths = head.indices.map { column in
            min(Self.widest, ([head] + rows).map { $0[column].count }.max() ?? 0)
        }
        return [ink.bold(line(head, widths))] + rows.map { line($0, widths) }
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
    /// With spaces up to that width, or to the width of the widest column.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, min(width, Table.widest) - count))
    }
}
