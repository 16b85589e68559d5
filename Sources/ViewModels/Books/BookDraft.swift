import Protocol

/// A book in the making, and whether it can be made.
package struct BookDraft {
    var screen = BookCreator.Screen.name
    var text = ""
    var deck = CardText()

    /// `nil` where the text makes no good name.
    var name: Name? { try? Name(text) }

    var isComplete: Bool { name != nil && !deck.cards.isEmpty && deck.problems.isEmpty }
}
