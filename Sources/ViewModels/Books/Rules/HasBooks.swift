import BusdBooksEvents
public import BusdProtocol

/// The services of a view model that shows or changes books.
public protocol HasBooks {
    /// The books of the daemon.
    var books: Library<Book> { get }
}

// MARK: Limits

/// A change that makes a library of books larger.
enum BooksGrowth {
    case book([Card])
    case cards([Card], of: BookID)
    case change(Card, to: Card, of: BookID)
    /// The removed card returns.
    case undo(Card, of: BookID)
}

extension Library where T == Book {
    /// Whether there is such a book, and it is not marked as deleted.
    func isPresent(_ id: BookID) -> Bool { summary(of: id).map { !$0.isDeleted } ?? false }

    /// - Parameter path: the place of the cards in the event.
    func refusal(of growth: BooksGrowth, at path: String) -> Refusal? {
        switch growth {
        case .book(let cards):
            guard expectedCount < Books.mostBooks else {
                return .overloaded(
                    "there are \(Books.mostBooks) books: delete one first", limit: Books.books)
            }
            return refusal(of: cards.count, cards.bytes, besides: .zero, at: path)
        case .cards(let cards, let id):
            guard !cards.isEmpty, isPresent(id) else { return nil }
            return refusal(of: cards.count, cards.bytes, besides: expectedSize(of: id), at: path)
        case .change(let card, let new, let id):
            guard new.bytes > card.bytes else { return nil }
            return refusal(of: 0, new.bytes - card.bytes, besides: expectedSize(of: id), at: path)
        case .undo(let card, let id):
            return refusal(of: 1, card.bytes, besides: expectedSize(of: id), at: path)
        }
    }

    /// The cards of the book after all pending entries, at most.
    private func expectedSize(of id: BookID) -> BooksSize {
        guard let summary = summary(of: id) else { return .zero }
        return BooksSize(progress: summary.progress, cardBytes: summary.cardBytes)
            + expectedGrowth(of: id)
    }

    private func refusal(
        of count: Int, _ bytes: Int, besides book: BooksSize, at path: String
    ) -> Refusal? {
        guard book.progress.cards + count <= Books.mostCards || count == 0 else {
            return .badEvent(
                "a book has at most \(Books.mostCards) cards", at: path, limit: Books.cardsOfBook)
        }
        guard book.cardBytes + bytes <= Books.mostBytesOfBook else {
            return .badEvent(
                "the cards of a book have at most \(Books.mostBytesOfBook) bytes", at: path,
                limit: Books.bytesOfBook)
        }
        guard expectedSize.cardBytes + bytes <= Books.mostCardBytes else {
            return .overloaded(
                "all cards together have at most \(Books.mostCardBytes) bytes: delete a book first",
                limit: Books.cardBytes)
        }
        return nil
    }
}
