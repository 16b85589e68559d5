package import BusdTerminal

/// The text that the shown rows of a list have, and the field for it. `/` opens the field, Enter
/// closes it, and Esc closes it and shows all rows.
package struct Search: Equatable {
    private var field = TextField()
    /// The keys belong to the field.
    package private(set) var isOpen = false

    package init() {}

    package var isEmpty: Bool { field.text.isEmpty }

    package mutating func open() { isOpen = true }

    /// Shows all rows again.
    package mutating func clear() { self = Search() }

    /// Handles a key while the field is open.
    package mutating func press(_ key: Key) {
        switch key {
        case .enter: isOpen = false
        case .escape: clear()
        default: _ = field.edit(key)
        }
    }

    /// The keys of the open field.
    package static let hints = [Hint("enter", "done", .enter), Hint("esc", "show all", .escape)]

    /// Whether one of the texts has the text of the field, in upper or lower case.
    package func finds(_ texts: String...) -> Bool {
        let wanted = field.text.lowercased().utf8
        return texts.contains { $0.lowercased().utf8.firstRange(of: wanted) != nil }
    }

    /// Draws nothing if all rows are shown and the field is closed.
    package func draw(on frame: inout Frame, in row: Area) {
        guard isOpen || !isEmpty else { return }
        let (mark, room) = row.split(columns: 1)
        frame.write("/", in: mark, .left, .bold)
        field.draw(in: &frame, room, isFocused: isOpen)
    }
}

extension Key {
    /// The notice after a key without a command; nil for the mouse and a paste.
    package var unknown: String? {
        switch self {
        case .text(let scalar): "\(scalar) does nothing here: ? for help"
        case .click, .scrollUp, .scrollDown, .paste: nil
        default: "this key does nothing here: ? for help"
        }
    }
}
