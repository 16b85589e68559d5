import BusdProtocol
package import BusdTerminal

/// The text that the shown rows of a list have, and the field for it. `/` opens the field, Enter
/// closes it, and Esc closes it and shows all rows.
package struct Search: Equatable {
    private var field = TextField()
    /// The keys belong to the field.
    package private(set) var isOpen = false

    /// Shows the rows with a text; all, if it is empty.
    package init(_ text: String = "") { field = TextField(text) }

    package var isEmpty: Bool { field.text.isEmpty }

    package mutating func open() { isOpen = true }

    /// Shows all rows again.
    package mutating func clear() { self = Search() }

    /// Handles a key. False: the key is the list's, as all are while the field is closed.
    @discardableResult
    package mutating func press(_ key: Key) -> Bool {
        guard isOpen else { return false }
        switch key {
        case .up, .down, .pageUp, .pageDown, .scrollUp, .scrollDown, .click: return false
        case .enter: isOpen = false
        case .escape: clear()
        default: _ = field.edit(key)
        }
        return true
    }

    /// The keys of the open field.
    package static let hints = [Hint("enter", "done", .enter), Hint("esc", "show all", .escape)]

    /// Whether one of the texts has the text of the field, in upper or lower case, and with either
    /// form of a letter with a mark: U+00E9, or an e and U+0301.
    package func finds(_ texts: String...) -> Bool {
        let wanted = field.text.lowercased()
        let hasOtherForm = wanted.utf8.contains { $0 >= 0x80 }
        return texts.contains { text in
            let text = text.lowercased()
            if text.utf8.firstRange(of: wanted.utf8) != nil { return true }
            // Characters are equal in either form.
            return hasOtherForm && Array(text).firstRange(of: Array(wanted)) != nil
        }
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
