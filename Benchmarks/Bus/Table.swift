import Measures

/// A table in Markdown that reads well as text.
struct Table {
    private var rows: [[String]]

    init(_ head: [String]) { rows = [head] }

    mutating func add(_ row: [String]) { rows.append(row) }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            "| " + zip(row, widths).map { padded($0, $1) }.joined(separator: " | ") + " |"
        }
        let rule =
            "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
        lines.insert(rule, at: 1)
        return lines.joined(separator: "\n")
    }
}
