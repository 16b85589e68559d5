/// The number of known cards, and of all cards.
public struct Progress: Hashable, Sendable {
    public var known: Int
    public var cards: Int

    public init(known: Int = 0, of cards: Int = 0) {
        self.known = known
        self.cards = cards
    }

    /// Rounded down; 0 if there are no cards.
    public var percent: Int {
        cards > 0 ? known * 100 / cards : 0  // fits: it is not 0
    }
    /// `43%`, for a row of a list.
    public var shortText: String { "\(percent)%" }
    /// `43% KNOWN`
    public var text: String { "\(percent)% KNOWN" }
}
