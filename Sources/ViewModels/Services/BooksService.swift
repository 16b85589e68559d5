public import BusdProtocol

/// The services of a view model that shows or changes books.
public protocol HasBooks {
    var books: any BooksService { get }
}

/// The library of books, in the order that its reader has given it. Every change is told by the
/// `feed` before the method returns.
public protocol BooksService: AnyObject {
    var feed: BooksFeed { get }

    var size: BooksSize { get }

    /// All books, in order.
    var summaries: [BookSummary] { get }

    /// `nil` where there is no such book.
    func book(_ id: BookID) -> Book?

    /// Cards of a book, known without reading them; `nil` where there is no such book.
    func cardCount(of id: BookID) -> Int?

    /// Bytes of its cards, known in the same way; see `Card.bytes`.
    func cardBytes(of id: BookID) -> Int

    /// It goes to the end.
    @discardableResult
    func create(name: Name, cards: [Card]) -> BookID

    // Without effect where there is no such book, or no such place.

    func delete(_ id: BookID)
    /// `to` is the place after the move, from 0.
    func move(_ id: BookID, to place: Int)
    func add(_ cards: [Card], to id: BookID)
    /// Of the card that is asked. Not to know the only one that is left changes nothing.
    func answer(isKnown: Bool, in id: BookID)
    /// Makes the card at that place, from 0, the one that is asked; it is not known any more.
    func ask(_ place: Int, in id: BookID)
    /// Begins again with all cards unknown, once no card is left.
    func askAll(in id: BookID)
}

/// Something happened in the library of books.
public enum BooksChange: Equatable, Sendable {
    case created(BookID, Book)
    /// Its cards, or what is known of them.
    case changed(BookID, Book)
    case moved(BookID, to: Int)
    case deleted(BookID)
    /// It was created, and could not be kept: it has never been.
    case withdrawn(BookID)
    /// It was deleted, and that could not be kept: it has always been there. `reordered` tells
    /// where.
    case restored(BookID, Book)
    /// The order is another, in whatever way.
    case reordered
}

/// How much a library of books holds.
public struct BooksSize: Equatable, Sendable {
    public var books = 0
    /// Of all cards together; see `Card.bytes`.
    public var cardBytes = 0

    public init() {}
}

/// What makes a library of books larger.
enum BooksGrowth {
    case book([Card])
    case cards([Card], of: BookID)
}

extension BooksService {
    public func cardBytes(of id: BookID) -> Int { book(id)?.cards.bytes ?? 0 }

    func refusal(of growth: BooksGrowth) -> Refusal? {
        switch growth {
        case .book(let cards):
            guard size.books < Books.mostBooks else {
                return .overloaded(
                    "there are \(Books.mostBooks) books: delete one first", limit: "books")
            }
            return refusal(of: cards, besides: (0, 0))
        case .cards(let cards, let id):
            guard !cards.isEmpty, let count = cardCount(of: id) else { return nil }
            return refusal(of: cards, besides: (count, cardBytes(of: id)))
        }
    }

    private func refusal(
        of cards: [Card], besides book: (count: Int, bytes: Int)
    ) -> Refusal? {
        guard book.count + cards.count <= Books.mostCards else {
            return .tooLarge("a book has at most \(Books.mostCards) cards", limit: "cardsOfBook")
        }
        let bytes = cards.bytes
        guard book.bytes + bytes <= Books.mostBytesOfBook else {
            return .tooLarge(
                "the cards of a book have at most \(Books.mostBytesOfBook) bytes",
                limit: "bytesOfBook")
        }
        guard size.cardBytes + bytes <= Books.mostCardBytes else {
            return .overloaded(
                "all cards together have at most \(Books.mostCardBytes) bytes: delete a book first",
                limit: "cardBytes")
        }
        return nil
    }
}
