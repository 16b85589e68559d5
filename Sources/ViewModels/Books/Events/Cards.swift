public import BusdProtocol

/// `cards/BOOK`: the cards of a book, to look at and to correct.
///
/// An event names a card by its place, from 0, and by its texts. If the place has another card, the
/// event is refused with `stale`.
public enum Cards: ViewModelKind {
    public static let name = "cards"
    public static let limits = [Books.cardsOfBook, Books.bytesOfBook, Books.cardBytes]

    public enum ViewEvent: WireEvent {
        /// Gives the card other texts. Its progress stays.
        case changeCard(at: Int, card: Card, to: Card)
        /// Adds an unknown card, so that it is at this place. No effect if there is no such place.
        case addCard(at: Int, card: Card)
        /// `to` is the place after the move. No effect if there is no such place.
        case moveCard(at: Int, card: Card, to: Int)
        /// Removes the card. `undo` brings it back with its progress.
        case removeCard(at: Int, card: Card)
        /// Takes back the last removal or change. `at` and `card` are those of `undoable`.
        case undo(at: Int, card: Card)

        /// Later, the place may have another card.
        public var canWait: Bool { false }

        public static let examples: [Self] = [
            .changeCard(at: 2, card: Card(front: "水", back: "watre"), to: Books.exampleCard),
            .addCard(at: 0, card: Books.exampleCard),
            .moveCard(at: 2, card: Books.exampleCard, to: 0),
            .removeCard(at: 2, card: Books.exampleCard),
            .undo(at: 2, card: Books.exampleCard),
        ]
    }

    public enum ViewModelEvent: BusyEvent {
        /// The name of the book.
        case name(text: String)
        /// All cards, in the order of the book. Sent in a snapshot, and in place of edits that
        /// would be longer.
        case cards(cards: [Card])
        /// Changes of the cards, for views that have them.
        case cardsEdited(edits: [Edit<Card>])
        /// Whether there is a removal or a change to take back: the card that `undo` brings back,
        /// and the place that it gets.
        case undoable(canUndo: Bool, at: Int? = nil, card: Card? = nil)

        public var delivery: Delivery {
            switch self {
            case .name, .cards, .undoable: .latest
            case .cardsEdited: .every
            }
        }

        public static let examples: [Self] = [
            .name(text: "Kanji"),
            .cards(cards: [Books.exampleCard]),
            .cardsEdited(edits: Edit.examples(Books.exampleCard)),
            .undoable(canUndo: true, at: 2, card: Books.exampleCard),
        ]
    }
}

extension Cards.ViewModelEvent: EditingEvent {
    public func edit(_ value: Self) -> Self? {
        guard case .cardsEdited(let edits) = self, case .cards(var cards) = value,
            cards.apply(edits)
        else { return nil }
        return .cards(cards: cards)
    }
}
