// The lines above the cursor, its line as a field, and the lines below. So the cost of a key
// depends on the length of its line, and not on the number of lines.

/// An editable text of several lines.
public struct TextArea: Equatable, Sendable {
    private(set) var above: [String] = []
    private var field = TextField()
    /// In reverse order: the last line first.
    private(set) var below: [String] = []

    /// The cursor is at the end.
    public init(_ text: String = "") { insert(text) }

    public var text: String { lines.joined(separator: "\n") }

    public var isEmpty: Bool { above.isEmpty && below.isEmpty && field.text.isEmpty }

    /// At least one line.
    public var lines: [String] { above + [field.text] + below.reversed() }

    /// The line with the cursor, from 0.
    public var row: Int { above.count }

    /// The line with the cursor.
    public var current: TextField { field }

    /// Inserts the text at the cursor, and moves the cursor behind it.
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

    /// Replaces the text. The cursor moves to `row`, and keeps its column if the line is long
    /// enough.
    public mutating func replace(with text: String, row: Int) {
        let column = field.before.count
        let lines = TextArea(text).lines
        let place = min(max(0, row), lines.count - 1)
        above = Array(lines[..<place])
        below = lines[(place + 1)...].reversed()
        field = TextField(
            before: String(lines[place].prefix(column)),
            after: String(lines[place].dropFirst(column)))
    }

    /// Handles a key. Returns false if the key is not for a text area. Enter and Tab are text.
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
    /// A field with another line, and the cursor in the same column.
    fileprivate func moved(to line: String) -> TextField {
        let place = before.count
        return TextField(before: String(line.prefix(place)), after: String(line.dropFirst(place)))
    }
}
