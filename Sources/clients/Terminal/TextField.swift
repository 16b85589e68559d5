/// An editable line of text.
public struct TextField: Equatable, Sendable {
    /// The text before the cursor and after it.
    public private(set) var before: String
    public private(set) var after: String

    /// The cursor is at the end.
    public init(_ text: String = "") {
        before = text
        after = ""
    }

    public var text: String { before + after }

    /// Handles a key. Returns false if the key is not for a field. To see whether the text has
    /// changed, compare it.
    public mutating func edit(_ key: Key) -> Bool {
        switch key {
        case .text(let scalar): before.unicodeScalars.append(scalar)
        case .paste(let text): before += text.inOneLine
        case .backspace: _ = before.popLast()
        case .delete: if !after.isEmpty { after.removeFirst() }
        case .left:
            if let character = before.popLast() { after.insert(character, at: after.startIndex) }
        case .right: if !after.isEmpty { before.append(after.removeFirst()) }
        case .home, .control("a"): self = TextField(before: "", after: text)
        case .end, .control("e"): self = TextField(text)
        case .control("u"): before = ""
        case .control("k"): after = ""
        case .control("w"): before = before.droppingLastWord
        default: return false
        }
        return true
    }

    init(before: String, after: String) {
        self.before = before
        self.after = after
    }

    /// The field to show if its text is shown in another form. The cursor stays in its place.
    public func showing(_ spelled: (String) -> String) -> TextField {
        TextField(before: spelled(before), after: spelled(after))
    }

    /// Draws the text into the area's first row. A focused field is scrolled so that the cursor is
    /// visible, and sets the frame's cursor.
    public func draw(in frame: inout Frame, _ area: Area, isFocused: Bool, _ style: Style = .plain)
    {
        guard area.rows > 0, area.columns > 0 else { return }
        if !isFocused { return frame.write(text, in: area, .left, style) }
        let glyphs = Glyph.glyphs(of: before)
        // The last glyphs that leave a column for the cursor.
        var (first, columns) = (glyphs.count, 0)
        while first > 0, columns + glyphs[first - 1].columns < area.columns {
            first -= 1
            columns += glyphs[first].columns
        }
        let shown = glyphs[first...]
        let cursor = area.column + columns
        frame.write(
            shown.map(\.text).joined(), at: Point(column: area.column, row: area.row), style)
        let rest = Area(column: cursor, row: area.row, columns: area.endColumn - cursor, rows: 1)
        frame.write(after, in: rest, .left, style)
        frame.cursor = Point(column: cursor, row: area.row)
    }
}

extension String {
    /// Without control characters at both ends, and with spaces for the others.
    fileprivate var inOneLine: String {
        var scalars = Substring(self).unicodeScalars
        while scalars.last?.isControl == true { scalars.removeLast() }
        var line = UnicodeScalarView()
        line.append(contentsOf: scalars.drop(while: \.isControl).map { $0.isControl ? " " : $0 })
        return String(line)
    }

    fileprivate var droppingLastWord: String {
        var rest = self[...]
        while rest.last?.isWhitespace == true { rest.removeLast() }
        while let last = rest.last, !last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
