package import BusdTerminal

// Each key sends the text to the view model, which sends it back as the draft. The user may have
// typed more meanwhile, and a late draft must not undo that. A draft that equals a text in `sent`
// is this screen's own; any other draft was typed on another screen.

/// A field for a name that several screens may edit.
package struct DraftField: Equatable {
    package private(set) var field = TextField()
    private var sent: [String] = []

    package init() {}

    /// Far more than any name, so that a mistaken paste does not flood the daemon.
    package static let mostBytes = 500

    package var text: String { field.text }

    /// The new text, which must be sent; nil if the key has not changed it.
    package mutating func edit(_ key: Key) -> String? {
        let former = field
        guard field.edit(key), text != former.text else { return nil }
        if text.utf8.count > Self.mostBytes {
            field = former
            return nil
        }
        sent.append(text)
        return text
    }

    /// The view model has sent the name.
    package mutating func received(_ name: String) {
        if let place = sent.lastIndex(of: name) { sent.removeFirst(place + 1) }
        if sent.isEmpty, text != name { field = TextField(name) }
    }

    /// Forgets the sent texts, because one of them may not come back.
    package mutating func forgetSent() { sent = [] }
}
