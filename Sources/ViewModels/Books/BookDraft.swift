import Protocol

/// A book in the making, and whether it can be made.
package struct BookDraft {
    var screen = BookCreator.Screen.name
    var text = ""
    private(set) var deck = CardText()
    /// Bytes of memory that the deck takes, at the most.
    private(set) var deckBytes = 0

    mutating func setDeck(_ text: String) {
        deck = CardText(text)
        deckBytes = Self.bytes(ofDeck: text)
    }

    /// A line makes one card at the most, which takes up to 160 bytes beside its texts.
    static func bytes(ofDeck text: String) -> Int {
        guard !text.isEmpty else { return 0 }
        let lineEnds = text.utf8.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        return text.utf8.count + 160 * (lineEnds + 1)
    }

    var bytes: Int { text.utf8.count + deckBytes }

    /// `nil` where the text makes no good name.
    var name: Name? { try? Name(text) }

    var isComplete: Bool { name != nil && !deck.cards.isEmpty && deck.problems.isEmpty }
}
