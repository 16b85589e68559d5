// The lines above and below the one with the cursor, and that one as a field: so a key costs what
// its line costs, however many there are.

/// Text of several lines that a person edits.
public struct TextArea: Equatable, Sendable {
    private var above: [String] = []
    private var field = TextField()
    /// From the last line upwards.
    private var below: [String] = []

    /// With the cursor at the end.
    public init(_ text: String = "") { insert(text) }

    public var text: String { lines.joined(separator: "\n") }

    public var isEmpty: Bool { above.isEmpty && below.isEmpty && field.text.isEmpty }

    /// There is always one.
    public var lines: [String] { above + [field.text] + below.reversed() }

    /// The line with the cursor, from 0.
    public var row: Int { above.count }

    /// The line with the cursor.
    public var current: TextField { field }

    /// Puts the text in at the cursor, which is then behind it.
    public mutating func insert(_ text: String) {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0) }
        let (before, after) = (field.before, field.after)
        guard let first = lines.first, let last = lines.last, lines.count > 1 else {
            field = TextField(before: before + text, after: after)
            return
        }
        above.append(before + first)
        above += lines.dropFirst().dropLast()
        field = TextField(before: last, after: after)
    }

    /// Takes another text. The cursor goes to that row, as many characters into it as before.
    public mutating func become(_ text: String, row: Int) {
        let column = field.before.count
        let lines = TextArea(text).lines
        let place = min(max(0, row), lines.count - 1)
        above = Array(lines[..<place])
        below = lines[(place + 1)...].reversed()
        field = TextField(
            before: String(lines[place].prefix(column)),
            after: String(lines[place].dropFirst(column)))
    }

    /// Edits, and says whether that key was for an area. Enter and Tab are text.
    public mutating func edit(_ key: Key) -> Bool {
        switch key {
        case .enter: insert("\n")
        case .tab: insert("\t")
        case .paste(let text): insert(text)
        case .up: moveUp()
        case .down: moveDown()
        case .pageUp: for _ in 0..<Self.page { moveUp() }
        case .pageDown: for _ in 0..<Self.page { moveDown() }
        case .backspace where field.before.isEmpty: joinAbove()
        case .delete where field.after.isEmpty: joinBelow()
        case .left where field.before.isEmpty && !above.isEmpty:
            moveUp()
            field = TextField(field.text)
        case .right where field.after.isEmpty && !below.isEmpty:
            moveDown()
            field = TextField(before: "", after: field.text)
        default: return field.edit(key)
        }
        return true
    }

    private static let page = 10

    private mutating func moveUp() {
        guard let line = above.popLast() else { return }
        below.append(field.text)
        field = field.moved(to: line)
    }

    private mutating func moveDown() {
        guard let line = below.popLast() else { return }
        above.append(field.text)
        field = field.moved(to: line)
    }

    private mutating func joinAbove() {
        guard let line = above.popLast() else { return }
        field = TextField(before: line, after: field.after)
    }

    private mutating func joinBelow() {
        guard let line = below.popLast() else { return }
        field = TextField(before: field.before, after: line)
    }
}

extension TextField {
    /// Another line's field, with the cursor as many characters into it.
    fileprivate func moved(to line: String) -> TextField {
        let place = before.count
        return TextField(before: String(line.prefix(place)), after: String(line.dropFirst(place)))
    }
}
