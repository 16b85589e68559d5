public import BusdProtocol

/// `books`: the library of flash-card books.
public enum Books: ViewModelKind {
    public static let name = "books"
    /// A library on disk may be larger; it is served all the same.
    public static let mostBooks = 1_000
    /// Cards of one book.
    public static let mostCards = 10_000
    /// Bytes of the cards of one book, with `bytesBesidesTexts` for each.
    public static let mostBytesOfBook = 2_097_152
    /// Bytes that a card counts besides those of its texts.
    public static let bytesBesidesTexts = 32
    /// Bytes of all cards together, counted in the same way.
    public static let mostCardBytes = 33_554_432

    /// For the number of books.
    public static let books = Limit("books", most: mostBooks)
    /// For the cards of one book.
    public static let cardsOfBook = Limit("cardsOfBook", most: mostCards)
    /// For the texts of one book.
    public static let bytesOfBook = Limit("bytesOfBook", most: mostBytesOfBook)
    /// For the texts of all books together.
    public static let cardBytes = Limit("cardBytes", most: mostCardBytes)
    public static let limits = [books, cardsOfBook, bytesOfBook, cardBytes]

    /// A book in the list. `id` is stable; ids count from 1 and are never used again.
    public struct Row: Codable, Hashable, Sendable, Identifiable {
        public var id: String
        /// The name of the book: a `Name`.
        public var name: String
        /// The number of cards in decimal digits, for display: `120`.
        public var cardCount: String
        /// Known cards among all its cards, in whole percent, rounded down: `43%`.
        public var progress: String
        /// Whether the book is about to be deleted for good, unless `restoreBook` takes this back.
        public var isDeleted: Bool

        /// Takes the values unchecked.
        public init(
            id: String, name: String, cardCount: String, progress: String, isDeleted: Bool = false
        ) {
            self.id = id
            self.name = name
            self.cardCount = cardCount
            self.progress = progress
            self.isDeleted = isDeleted
        }
    }

    public enum ViewEvent: WireEvent {
        /// Marks the book with this `Row.id` as deleted: its view models end, and after ten minutes
        /// it is deleted for good. No effect if there is no such book.
        case deleteBook(book: String)
        /// Takes a deletion back. No effect unless the book is marked as deleted.
        case restoreBook(book: String)
        /// `from` is the name that the sender saw. If the book has another one, the event is
        /// refused with `stale`.
        case renameBook(book: String, from: String, to: Name)
        /// `to` is the place after the move, from 0.
        case moveBook(book: String, to: Int)
        /// Adds a book at the end of the list. The book gets the next id.
        case importBook(name: Name, cards: [Card])
        /// For a large deck, which takes several lines.
        case addCards(book: String, cards: [Card])

        public var canWait: Bool {
            switch self {
            case .deleteBook, .restoreBook, .renameBook, .importBook, .addCards: true
            // The places may have changed by then.
            case .moveBook: false
            }
        }

        public static let examples: [Self] = [
            .deleteBook(book: "3"),
            .restoreBook(book: "3"),
            .renameBook(book: "3", from: "Kanij", to: .literal("Kanji")),
            .moveBook(book: "3", to: 0),
            .importBook(name: .literal("Kanji"), cards: [exampleCard]),
            .addCards(book: "3", cards: [exampleCard]),
        ]
    }

    public enum ViewModelEvent: BusyEvent {
        /// `text` has `known` as a share of `cards`, in whole percent, rounded down.
        case currentProgress(text: String, known: Int, cards: Int)
        /// The whole list, in order. Sent in a snapshot, and in place of edits that would be
        /// longer.
        case books(books: [Row])
        /// Changes of the list, for views that have it.
        case booksEdited(edits: [Edit<Row>])

        public var delivery: Delivery {
            switch self {
            case .currentProgress, .books: .latest
            case .booksEdited: .every
            }
        }

        public static let examples: [Self] = [
            .currentProgress(text: "43% KNOWN", known: 43, cards: 100),
            .books(books: [exampleRow, deletedRow]),
            .booksEdited(edits: Edit.examples(deletedRow)),
        ]
    }

    static let exampleCard = Card(front: "水", back: "water")
    static let exampleRow = Row(id: "3", name: "Kanji", cardCount: "120", progress: "43%")
    static let deletedRow = Row(
        id: "4", name: "Kana", cardCount: "46", progress: "0%", isDeleted: true)
}

extension Books.ViewModelEvent: EditingEvent {
    public func edit(_ value: Self) -> Self? {
        guard case .booksEdited(let edits) = self, case .books(var books) = value,
            books.apply(edits)
        else { return nil }
        return .books(books: books)
    }
}

extension Books.Row {
    private enum CodingKeys: CodingKey {
        case id, name, cardCount, progress, isDeleted
    }

    public init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        id = try row.decode(String.self, forKey: .id)
        name = try row.decode(String.self, forKey: .name)
        cardCount = try row.decode(String.self, forKey: .cardCount)
        progress = try row.decode(String.self, forKey: .progress)
        isDeleted = try row.decodeIfPresent(Bool.self, forKey: .isDeleted) ?? false
    }

    public func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: CodingKeys.self)
        try row.encode(id, forKey: .id)
        try row.encode(name, forKey: .name)
        try row.encode(cardCount, forKey: .cardCount)
        try row.encode(progress, forKey: .progress)
        if isDeleted { try row.encode(true, forKey: .isDeleted) }
    }
}

/// By hand, as its `Codable` is: `isDeleted` is written only if it is true.
extension Books.Row: PlainJSON {
    public func write(to out: inout JSONWriter) {
        out.plainObject { out in
            out.member("id", id) && out.member("name", name) && out.member("cardCount", cardCount)
                && out.member("progress", progress)
                && (!isDeleted || out.member("isDeleted", true))
        }
    }
}
