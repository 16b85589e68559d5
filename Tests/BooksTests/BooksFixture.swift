import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdBooks

/// With the services that only view models of books need.
final class BooksFixture: LibraryFixture<Book>, HasBooks {
    init(
        log: any Log = MemoryLog(), content: LogContent = LogContent(),
        now: Instant = Instant(microseconds: 0)
    ) {
        super.init(log, content, now: now)
    }

    var books: Library<Book> { things }

    /// Creates a book of `count` cards, `front 1` and `back 1` first. The first `known` cards are
    /// known.
    @discardableResult
    func makeBook(_ name: String = "Kanji", cards count: Int = 0, known: Int = 0) throws -> BookID {
        let id = try create(BookSeed(name: try Name(name), cards: cards(count)))
        for _ in 0..<known { answer(isKnown: true, in: id) }
        return id
    }

    func answer(isKnown: Bool, in id: BookID) { apply(.answer(isKnown: isKnown), to: id) }

    func move(_ id: BookID, to place: Int) {
        books.move(id, to: place)
        libraries.settle()
    }

    func list() throws -> BooksViewModel {
        BooksViewModel(at: try address("books"), services: self)
    }

    func study(_ id: BookID) throws -> StudyViewModel {
        try #require(StudyViewModel(at: id.address, services: self))
    }

    func cardList(_ id: BookID) throws -> CardsViewModel {
        try #require(CardsViewModel(at: id.cardsAddress, services: self))
    }

    func creator() throws -> BookCreatorViewModel {
        BookCreatorViewModel(at: try address("book-creator/me"), services: self)
    }
}

func cards(_ count: Int, from first: Int = 1) -> [Card] {
    (first..<(first + count)).map { Card(front: "front \($0)", back: "back \($0)") }
}

func bookID(_ number: Int) throws -> BookID { try #require(BookID(number)) }

/// The list of books in a client: it begins with the whole list and applies the edits.
final class BooksClient {
    private(set) var rows: [Books.Row] = []
    private(set) var known = 0
    private(set) var cards = 0

    init(of list: BooksViewModel) {
        list.output.bind(self) { $0.receive($1) }
        list.startOnce()
    }

    private func receive(_ event: Books.ViewModelEvent) {
        switch event {
        case .books(let books): rows = books
        case .booksEdited(let edits): for edit in edits { apply(edit) }
        case .currentProgress(_, let known, let cards): (self.known, self.cards) = (known, cards)
        }
    }

    /// Follows the rules of docs/tutorial.md without the package's own code.
    private func apply(_ edit: Edit<Books.Row>) {
        switch edit {
        case .delete(let at): rows.remove(at: at)
        case .insert(let at, let row): rows.insert(row, at: at)
        case .move(let from, let to):
            let row = rows.remove(at: from)
            rows.insert(row, at: to)
        case .update(let at, let row):
            #expect(rows[at].id == row.id)
            rows[at] = row
        }
    }
}
