public import BusdProtocol

/// `study/BOOK`: going through the cards of a book.
public enum Study: ViewModelKind {
    public static let name = "study"

    public enum ViewEvent: WireEvent {
        /// Shows the back of the card.
        case reveal
        /// No effect unless the card is revealed. The same is true of `unknown`.
        case known
        /// The reader does not know the card: it is asked again after the others.
        case unknown
        /// Takes back the last answer: its card is asked again, revealed.
        case undo
        /// Begins another round: all cards are asked again. No effect before the end of a round.
        case again

        /// All of them are about the card that is shown now.
        public var canWait: Bool { false }

        public static let examples: [Self] = [.reveal, .known, .unknown, .undo, .again]
    }

    public enum ViewModelEvent: WireEvent {
        /// `position` is the card's place in the book, from 1; `of` is the number of cards in the
        /// book. `back` is present once the card is revealed.
        case card(front: String, position: Int, of: Int, back: String?)
        /// The share of known cards, for display: `43% KNOWN`.
        case progress(text: String)
        /// All cards are known.
        case done(isDone: Bool)
        /// Whether there is an answer to take back, and the place of its card in the book, from 1.
        case undoable(canUndo: Bool, position: Int? = nil)

        public var delivery: Delivery { .latest }

        public static let examples: [Self] = [
            .card(front: "水", position: 3, of: 12, back: "water"),
            .progress(text: "43% KNOWN"),
            .done(isDone: false),
            .undoable(canUndo: true, position: 2),
        ]
    }
}
