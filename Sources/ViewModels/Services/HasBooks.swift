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
}

extension Library where T == Book {
    func refusal(of growth: BooksGrowth) -> Refusal? {
        switch growth {
        case .book(let cards):
            guard expectedCount < Books.mostBooks else {
                return .overloaded(
                    "there are \(Books.mostBooks) books: delete one first", limit: "books")
            }
            return refusal(of: cards, besides: .zero)
        case .cards(let cards, let id):
            guard !cards.isEmpty, let summary = summary(of: id) else { return nil }
            return refusal(of: cards, besides: Book.size(of: summary) + expectedGrowth(of: id))
        }
    }

    private func refusal(of cards: [Card], besides book: BooksSize) -> Refusal? {
        guard book.progress.cards + cards.count <= Books.mostCards else {
            return .badEvent("a book has at most \(Books.mostCards) cards", limit: "cardsOfBook")
        }
        let bytes = cards.bytes
        guard book.cardBytes + bytes <= Books.mostBytesOfBook else {
            return .badEvent(
                "the cards of a book have at most \(Books.mostBytesOfBook) bytes",
                limit: "bytesOfBook")
        }
        guard expectedSize.cardBytes + bytes <= Books.mostCardBytes else {
            return .overloaded(
                "all cards together have at most \(Books.mostCardBytes) bytes: delete a book first",
                limit: "cardBytes")
        }
        return nil
    }
}
