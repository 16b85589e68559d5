public import BusdProtocol

/// `book-creator/NAME`: the draft of a new book, over two screens that share the view model.
public enum BookCreator: ViewModelKind {
    public static let name = "book-creator"
    /// Bytes of the cards that are being typed.
    public static let longestText = 131_072
    /// For the text with the cards.
    public static let draftText = Limit("draftText", most: longestText)
    public static let limits = [
        Drafts.draftName, draftText, Drafts.drafts, Books.books, Books.cardsOfBook,
        Books.bytesOfBook, Books.cardBytes,
    ]

    /// The two screens that share the draft.
    public enum Screen: String, Codable, Sendable, CaseIterable {
        /// The screen with the field for the name.
        case name
        /// The screen with the cards as text.
        case cards
    }

    public enum ViewEvent: WireEvent {
        /// The text in the field for the name: at most `Drafts.longestName` bytes.
        case nameChanged(name: String)
        /// Shows the screen of the cards. No effect unless `nextEnabled`.
        case nextTapped
        /// Shows the screen of the name.
        case backTapped
        /// One card per line: front, tab, back.
        ///
        /// `revision` is the revision of the `cardsText` that was edited. If the cards have changed
        /// since, the two edits are merged by line. Without it, the text replaces all cards.
        case cardsChanged(text: String, revision: Int? = nil)
        /// `name` and `text` are those on the screen; if the draft has changed meanwhile, the event
        /// is refused with `stale`. Without them, the draft is added as it is.
        case addTapped(name: String? = nil, text: String? = nil)

        public var canWait: Bool {
            switch self {
            case .nameChanged, .nextTapped, .backTapped: true
            case .cardsChanged(_, let revision): revision != nil
            case .addTapped(let name, let text): name != nil && text != nil
            }
        }

        public static let examples: [Self] = [
            .nameChanged(name: "Kanji"),
            .nextTapped,
            .backTapped,
            .cardsChanged(text: "水\twater\n", revision: 4),
            .addTapped(name: "Kanji", text: "水\twater\n"),
        ]
    }

    public enum ViewModelEvent: WireEvent {
        /// The screen that all views of the draft show.
        case screen(name: Screen)
        /// The name as it was typed.
        case name(text: String)
        /// The cards as they were typed. Each change of the text has a higher revision.
        case cardsText(text: String, revision: Int)
        /// The number of cards that could be read, and the problems of the other lines, one phrase
        /// each.
        case cards(count: Int, problems: [String])
        /// Whether the name is valid, so that `nextTapped` has an effect.
        case nextEnabled(isEnabled: Bool)
        /// Whether the draft can be added: a valid name, at least one card, and no problem.
        case addEnabled(isEnabled: Bool)
        /// The book exists, and the draft is empty again.
        case added(book: String)

        public var delivery: Delivery {
            switch self {
            case .screen, .name, .cardsText, .cards, .nextEnabled, .addEnabled: .latest
            case .added: .every
            }
        }

        public static let examples: [Self] = [
            .screen(name: .cards),
            .name(text: "Kanji"),
            .cardsText(text: "水\twater\n", revision: 4),
            .cards(count: 12, problems: ["line 3 has no tab"]),
            .nextEnabled(isEnabled: true),
            .addEnabled(isEnabled: true),
            .added(book: "7"),
        ]
    }
}

extension BookCreator.ViewModelEvent {
    /// Compares texts as they were typed, byte by byte.
    public static func == (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.screen(let a), .screen(let b)): a == b
        case (.name(let a), .name(let b)): a.isExactly(b)
        case (.cardsText(let text, let revision), .cardsText(let other, let another)):
            revision == another && text.isExactly(other)
        case (.cards(let count, let problems), .cards(let other, let others)):
            count == other && problems == others
        case (.nextEnabled(let a), .nextEnabled(let b)): a == b
        case (.addEnabled(let a), .addEnabled(let b)): a == b
        case (.added(let a), .added(let b)): a == b
        default: false
        }
    }
}
