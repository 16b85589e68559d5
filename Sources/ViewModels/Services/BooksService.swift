public import Protocol

/// The services of a view model that shows or changes books.
public protocol HasBooks {
    var books: any BooksService { get }
}

/// The library of books, in the order that its reader has given it. Every change is told by the
/// `feed` before the method returns.
public protocol BooksService: AnyObject {
    var feed: BooksFeed { get }

    /// All books, in order.
    var summaries: [BookSummary] { get }

    /// `nil` where there is no such book.
    func book(_ id: BookID) -> Book?

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
