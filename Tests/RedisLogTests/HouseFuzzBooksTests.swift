import BusdBooksEvents
import BusdProtocol
import Testing

@testable import BusdBooks

/// Random changes of the books that stand in Redis.
@Suite struct HouseFuzzBooksTests {
    private struct FuzzedBooks: FuzzedThings {
        static let kinds = [KindCheck(Book.self)]
        let books: Library<Book>

        init(_ libraries: Libraries) { books = Library(libraries) }

        func steps() throws -> [() -> Void] {
            let name = try Name("A")
            let book = try #require(BookID(1))
            let cards = [Card(front: "水", back: "water"), Card(front: "火", back: "fire")]
            return [
                { books.create(BookSeed(name: name, cards: cards)) },
                { books.propose(.answer(isKnown: true), to: book) },
                { books.propose(.add(cards), to: book) },
                { books.propose(.ask(3), to: book) },
            ]
        }
    }

    @Test func `A changed entry of books is refused by all daemons alike, or applied`() throws {
        try HouseFuzz<FuzzedBooks>.changeEntries()
    }

    @Test func `Changed states of books are refused, or can be loaded and used`() throws {
        try HouseFuzz<FuzzedBooks>.changeStates()
    }
}
