/// The number of known cards, and of all cards.
struct Progress: Hashable, Sendable {
    var known: Int
    var cards: Int

    init(known: Int = 0, of cards: Int = 0) {
        self.known = known
        self.cards = cards
    }

    /// Rounded down; 0 if there are no cards.
    var percent: Int {
        cards > 0 ? known * 100 / cards : 0  // fits: it is not 0
    }
    /// `43%`, for a row of a list.
    var shortText: String { "\(percent)%" }
    /// `43% KNOWN`
    var text: String { "\(percent)% KNOWN" }
}
