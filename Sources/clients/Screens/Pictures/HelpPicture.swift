package import BusdTerminal

/// A table of keys and their effects.
package struct HelpPicture {
    package typealias Line = (keys: String, words: String)

    /// There is an empty row between groups if there is room.
    private let groups: [[Line]]
    /// Shown last, and only if there is room.
    private let others: [Line]

    package init(_ groups: [Line]..., others: [Line] = []) {
        self.groups = groups
        self.others = others
    }

    package func draw(on frame: inout Frame, in area: Area) {
        let loose = Array((groups + [others]).joined(separator: [("", "")]))
        let lines = area.rows >= max(18, loose.count) ? loose : Array(groups.joined())
        let label = lines.map(\.keys.columns).max() ?? 0
        let text = lines.map(\.words.columns).max() ?? 0
        let box = area.centered(Size(columns: label + 3 + text, rows: lines.count))
        for (row, line) in lines.enumerated() {
            let (left, right) = box.split(columns: label + 3)
            frame.write(line.keys, in: left, row: row, .left, .bold)
            frame.write(line.words, in: right, row: row)
        }
    }
}
