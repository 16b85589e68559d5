/// `book-creator/NAME`: adding a book, over two screens that share the one view model.
public enum BookCreator: ViewModelKind {
    public static let name = "book-creator"
    public static let limits: KeyValuePairs = [
        "draftName": Drafts.longestName, "drafts": Drafts.mostBytes, "books": Books.mostBooks,
        "cardsOfBook": Books.mostCards, "cardBytes": Books.mostCardBytes,
    ]

    public enum Screen: String, Codable, Sendable {
        case name
        case cards
    }

    public enum ViewEvent: WireEvent {
        case nameChanged(name: String)
        case nextTapped
        case backTapped
        /// A card a line: its front, a tab, its back.
        case cardsChanged(text: String)
        case addTapped

        public static let examples: [Self] = [
            .nameChanged(name: "Kanji"),
            .nextTapped,
            .backTapped,
            .cardsChanged(text: "水\twater\n"),
            .addTapped,
        ]
    }

    public enum ViewModelEvent: WireEvent {
        case screen(name: Screen)
        case name(text: String)
        /// Cards that could be read, and what is wrong with the other lines, a sentence each.
        case cards(count: Int, problems: [String])
        case nextEnabled(isEnabled: Bool)
        case addEnabled(isEnabled: Bool)
        /// The book exists, and the draft is empty again.
        case added(book: String)

        public var delivery: Delivery {
            switch self {
            case .screen, .name, .cards, .nextEnabled, .addEnabled: .latest
            case .added: .every
            }
        }

        public static let examples: [Self] = [
            .screen(name: .cards),
            .name(text: "Kanji"),
            .cards(count: 12, problems: ["line 3 has no tab"]),
            .nextEnabled(isEnabled: true),
            .addEnabled(isEnabled: true),
            .added(book: "7"),
        ]
    }
}

extension BookCreator.ViewModelEvent {
    /// The name as it was typed, byte by byte.
    public static func == (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.screen(let a), .screen(let b)): a == b
        case (.name(let a), .name(let b)): a.utf8.elementsEqual(b.utf8)
        case (.cards(let count, let problems), .cards(let other, let others)):
            count == other && problems == others
        case (.nextEnabled(let a), .nextEnabled(let b)): a == b
        case (.addEnabled(let a), .addEnabled(let b)): a == b
        case (.added(let a), .added(let b)): a == b
        default: false
        }
    }
}
