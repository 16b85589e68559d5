/// The number of known cards, and of all cards.
package struct Progress: Hashable, Sendable {
    package var known: Int
    package var cards: Int

    package init(known: Int = 0, of cards: Int = 0) {
        self.known = known
        self.cards = cards
    }

    /// Rounded down; 0 if there are no cards.
    package var percent: Int {
        cards > 0 ? known * 100 / cards : 0  // fits: it is not 0
    }
    /// `43%`, for a row of a list.
    package var shortText: String { "\(percent)%" }
    /// `43% KNOWN`
    package var text: String { "\(percent)% KNOWN" }
}
