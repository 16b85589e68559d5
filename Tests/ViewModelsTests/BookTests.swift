import BusdProtocol
import BusdViewModels
import Testing

@Suite struct `A book` {
    private func book(_ count: Int, known: Set<Int> = [], current: Int? = nil) throws -> Book {
        Book(
            name: try Name("Kanji"), cards: cards(count),
            isKnown: (0..<count).map(known.contains), current: current)
    }

    @Test func `asks its first card first`() throws {
        let book = Book(name: try Name("Kanji"), cards: cards(2))
        #expect(book.current == 0)
        #expect(book.card == Card(front: "front 1", back: "back 1"))
        #expect(book.progress == Progress(known: 0, of: 2))
    }

    @Test(arguments: [nil, -1, 0, 1, 2, 7, Int.max, Int.min])
    func `asks a card that is not known, whatever was stored`(current: Int?) throws {
        let book = try book(3, known: [0, 2], current: current)
        #expect(book.current == 1)
    }

    @Test func `knows as much as was stored of its cards`() throws {
        let name = try Name("Kanji")
        let short = Book(name: name, cards: cards(3), isKnown: [true], current: 0)
        #expect(short.isKnown == [true, false, false])
        #expect(short.current == 1)
        let long = Book(name: name, cards: cards(1), isKnown: [true, false, true], current: 2)
        #expect(long.isKnown == [true])
        #expect(long.progress == Progress(known: 1, of: 1))
        #expect(long.card == nil)
    }

    @Test func `asks what is not known again, after the others`() throws {
        var book = try book(3)
        let asked = [false, false, true, false, true, true].map { isKnown in
            defer { _ = book.answer(isKnown: isKnown) }
            return book.current
        }
        #expect(asked == [0, 1, 2, 0, 1, 0])
        #expect(book.current == nil)
        let done = book
        let isAnswered = book.answer(isKnown: false)
        #expect(!isAnswered)
        #expect(book == done)
    }

    @Test func `is as it was where the only card that is left is not known`() throws {
        var book = try book(3, known: [0, 2])
        let before = book
        let hasChanged = book.answer(isKnown: false)
        #expect(!hasChanged)
        #expect(book == before)
    }

    @Test func `asks cards that are added after it was done`() throws {
        var book = try book(1, known: [0])
        #expect(book.current == nil)
        book.add(cards(2, from: 2))
        #expect(book.current == 1)
        book.add([])
        #expect(book.current == 1)
        #expect(book.cards == cards(3))
    }

    @Test(arguments: [
        (0, 0, 0), (0, 3, 0), (1, 3, 33), (2, 3, 66), (3, 3, 100), (1, 200, 0), (199, 200, 99),
        (43, 100, 43), (99_999, 100_000, 99), (1, 1, 100), (57, 100, 57), (29, 100, 29),
    ])
    func `is known to a percentage that is rounded down`(known: Int, of cards: Int, percent: Int) {
        let progress = Progress(known: known, of: cards)
        #expect(progress.percent == percent)
        #expect(progress.shortText == "\(percent)%")
        #expect(progress.text == "\(percent)% KNOWN")
    }
}

@Suite struct `Books in memory` {
    private let books = InMemoryBooks()
    private let owner = Owner()

    private func create(_ count: Int = 0) throws -> BookID {
        books.create(name: try Name("Kanji"), cards: cards(count))
    }

    @Test func `are numbered from 1, and no number is used again`() throws {
        #expect(try create().text == "1")
        #expect(try create().text == "2")
        books.delete(try bookID(2))
        #expect(try create().text == "3")
        #expect(books.summaries.map(\.id.number) == [1, 3])
    }

    @Test func `tell every change once, after it was made`() throws {
        var heard: [BooksChange] = []
        books.feed.library.bind(owner) { [books] _, change in
            heard.append(change)
            switch change {
            case .created(let id, let book), .changed(let id, let book),
                .restored(let id, let book):
                #expect(books.book(id) == book)
            case .deleted(let id), .withdrawn(let id): #expect(books.book(id) == nil)
            case .moved(let id, let to): #expect(books.summaries[to].id == id)
            case .reordered: break
            }
        }
        var book = Book(name: try Name("Kanji"), cards: cards(1))
        let (id, other) = (try create(1), try create(1))
        #expect(heard == [.created(id, book), .created(other, book)])
        books.add(cards(1, from: 2), to: id)
        book.add(cards(1, from: 2))
        #expect(heard.last == .changed(id, book))
        books.answer(isKnown: true, in: id)
        _ = book.answer(isKnown: true)
        #expect(heard.last == .changed(id, book))
        books.move(id, to: 1)
        books.delete(id)
        #expect(heard.dropFirst(4) == [.moved(id, to: 1), .deleted(id)])
    }

    @Test func `tell nothing where nothing changed`() throws {
        let id = try create()
        var heard: [BooksChange] = []
        books.feed.library.bind(owner) { heard.append($1) }
        books.answer(isKnown: true, in: id)
        books.answer(isKnown: false, in: id.next)
        books.add([], to: id)
        books.add(cards(1), to: id.next)
        for place in [-1, 0, 1] { books.move(id, to: place) }
        books.move(id.next, to: 0)
        books.delete(id.next)
        #expect(heard == [])
    }

    @Test func `tell those who follow a book before those who show the library`() throws {
        let (id, other) = (try create(2), try create(2))
        var heard: [String] = []
        books.feed.library.bind(owner) { _, _ in heard.append("library") }
        books.feed.follow(id).bind(owner) { heard.append("follower \($1?.knownCount ?? -1)") }
        books.answer(isKnown: true, in: id)
        books.answer(isKnown: true, in: other)
        books.move(id, to: 1)
        books.delete(id)
        #expect(heard == ["follower 1", "library", "library", "library", "follower -1", "library"])
    }

    @Test func `let a change wait that is made while another is told`() throws {
        let id = try create(3)
        var heard: [String] = []
        books.feed.follow(id).bind(owner) { [books] _, book in
            heard.append("follower \(book?.knownCount ?? -1)")
            if heard.count == 1 { books.answer(isKnown: true, in: id) }
        }
        books.feed.library.bind(owner) { _, _ in heard.append("library") }
        books.answer(isKnown: true, in: id)
        #expect(heard == ["follower 1", "library", "follower 2", "library"])
    }
}

private final class Owner {}
