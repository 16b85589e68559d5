package import BusdTerminal

// Each key sends the text to the view model, which sends it back as the draft. By then more may
// have been typed, so a late draft must not undo it. A draft that equals a text still under way is
// the own one; any other draft was typed on another screen.

/// A name in the making.
package struct DraftField: Equatable {
    package private(set) var field = TextField()
    private var sent: [String] = []

    package init() {}

    /// Far more than any name; what is pasted by mistake does not flood the daemon.
    package static let mostBytes = 500

    package var text: String { field.text }

    /// The new text, to be sent, where the key has changed it; nil where it has not.
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

    /// The view model tells what the name is.
    package mutating func told(_ name: String) {
        if let place = sent.lastIndex(of: name) { sent.removeFirst(place + 1) }
        if sent.isEmpty, text != name { field = TextField(name) }
    }

    /// What was sent may not come back.
    package mutating func forgetSent() { sent = [] }
}
