import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `The books of a store` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `are there after a restart, in their order`() throws {
        let again = try reopened { books in
            for name in ["Kanji", "Kana", "Zoë 😀"] { try books.newBook(name) }
            books.move(try bookID(3), to: 0)
        }
        #expect(again.books.summaries.map(\.name.text) == ["Zoë 😀", "Kanji", "Kana"])
        #expect(
            again.books.summaries.map(\.progress)
                == Array(repeating: Progress(known: 0, of: 3), count: 3))
        #expect(again.books.book(.first) == Book(name: try Name("Kanji"), cards: cards(3)))
    }

    @Test func `know what was known, and what was asked`() throws {
        var again = try reopened { books in
            try books.newBook("Kanji", cards: 20)
            for number in 1...9 { books.answer(isKnown: number % 2 == 0, in: .first) }
        }
        let book = try #require(again.books.book(.first))
        #expect(book.knownCount == 4)
        #expect(book.current == 9)
        again = try reopened(again) { books in
            for _ in 1...20 { books.answer(isKnown: true, in: .first) }
        }
        #expect(again.books.book(.first)?.current == nil)
        #expect(again.books.summaries.first?.progress.shortText == "100%")
        again = try reopened(again) { $0.add(cards(2, from: 21), to: .first) }
        #expect(again.books.book(.first)?.current == 20)
        #expect(again.books.book(.first)?.cards == cards(22))
    }

    @Test func `give no number twice`() throws {
        var keeper = try reopened { books in
            for name in ["a", "b", "c"] { try books.newBook(name) }
            books.delete(try bookID(3))
        }
        keeper = try reopened(keeper) { $0.delete(.first) }
        #expect(keeper.books.summaries.map(\.id.number) == [2])
        #expect(keeper.books.book(.first) == nil)
        #expect(try keeper.books.newBook("d") == bookID(4))
    }

    @Test func `do nothing where there is no such book, place or card`() throws {
        let keeper = try Keeper(folder)
        let heard = BookListener(keeper.books)
        try keeper.books.newBook("a", cards: 0)
        try keeper.keep()
        keeper.books.answer(isKnown: true, in: .first)
        keeper.books.add([], to: .first)
        for place in [0, 1, -1] { keeper.books.move(.first, to: place) }
        let none = try bookID(7)
        keeper.books.answer(isKnown: true, in: none)
        keeper.books.add(cards(1), to: none)
        keeper.books.move(none, to: 0)
        keeper.books.delete(none)
        #expect(!keeper.store.hasChanges)
        #expect(heard.texts == ["created 1"])
    }

    @Test func `have nothing to keep where the only card left is not known`() throws {
        let keeper = try Keeper(folder)
        try keeper.books.newBook("a", cards: 2)
        keeper.books.answer(isKnown: true, in: .first)
        try keeper.keep()
        let heard = BookListener(keeper.books)
        keeper.books.answer(isKnown: false, in: .first)
        #expect(!keeper.store.hasChanges)
        #expect(heard.texts == [])
    }

    @Test func `are told of in the order of what is done`() throws {
        let keeper = try Keeper(folder)
        let heard = BookListener(keeper.books)
        for name in ["a", "b"] { try keeper.books.newBook(name) }
        keeper.books.answer(isKnown: true, in: .first)
        keeper.books.move(.first, to: 1)
        keeper.books.add(cards(1), to: .first)
        keeper.books.delete(.first)
        #expect(
            heard.texts == [
                "created 1", "created 2", "changed 1: 1 of 3", "moved 1 to 1", "changed 1: 1 of 4",
                "deleted 1",
            ])
    }

    @Test func `go with all their cards`() throws {
        let keeper = try reopened { books in
            for name in ["a", "b"] { try books.newBook(name, cards: 5000) }
            books.delete(.first)
        }
        #expect(keeper.books.summaries.map(\.progress.cards) == [5000])
        keeper.books.delete(try bookID(2))
        try keeper.keep()
        keeper.store.close()
        let connection = try Connection(path: folder.database)
        #expect(try connection.integer("SELECT count(*) FROM cards") == 0)
        #expect(try connection.integer("SELECT count(*) FROM books") == 0)
    }

    @Test func `keep long texts, and odd ones`() throws {
        let odd = [
            Card(front: String(repeating: "水", count: 20_000), back: "\u{0}"),
            Card(front: "", back: "a\tb\nc'; DROP TABLE cards; --"),
            Card(front: "e\u{301}", back: "\u{e9}"),
        ]
        let book = try reopened { $0.create(name: try Name("odd"), cards: odd) }.books.book(.first)
        #expect(book?.cards.map { Array($0.front.utf8) } == odd.map { Array($0.front.utf8) })
        #expect(book?.cards.map { Array($0.back.utf8) } == odd.map { Array($0.back.utf8) })
    }

    // MARK: Small writes

    @Test func `cost one small write an answer, however many cards they have`() throws {
        let pages = try pagesWritten { books in books.answer(isKnown: true, in: .first) }
        // A page for the book, at times one for what does not fit into it.
        #expect(pages <= 110)
    }

    @Test func `cost one small write a move, however many books there are`() throws {
        let keeper = try Keeper(folder, durability: .normal)
        for number in 1...2000 { try keeper.books.newBook("Book \(number)", cards: 0) }
        try keeper.keep()
        keeper.store.close()
        var random = SeededGenerator(seed: 1)
        let pages = try pagesWritten { books in
            books.move(try bookID(random.number(1..<2001)), to: random.number(0..<2000))
        }
        #expect(pages <= 110)
        #expect(try Keeper(folder).books.summaries.count == 2001)
    }

    @Test func `cost what is new where cards are added`() throws {
        var next = 4001
        let pages = try pagesWritten { books in
            books.add(cards(1, from: next), to: .first)
            next += 1
        }
        #expect(pages <= 250)
        #expect(try Keeper(folder).books.book(.first)?.cards.count == 4100)
    }

    /// By a hundred changes, beside a book of 4,000 cards.
    private func pagesWritten(by change: (StoredBooks) throws -> Void) throws -> Int {
        var keeper = try Keeper(folder, durability: .normal)
        if keeper.books.summaries.isEmpty {
            try keeper.books.newBook("Kanji", cards: 4000)
        } else {
            try keeper.books.newBook("Another")
        }
        try keeper.keep()
        // The log is begun anew after this.
        keeper.store.close()
        keeper = try Keeper(folder, durability: .full)
        for _ in 1...100 {
            try change(keeper.books)
            if keeper.store.hasChanges { try keeper.commit().get() }
        }
        defer { keeper.store.close() }
        return try folder.writtenLog().count / 4120
    }

    // MARK: Memory

    @Test func `are unpacked while somebody needs them, and not for ever`() throws {
        let keeper = try reopened { books in
            for number in 1...40 { try books.newBook("Book \(number)") }
        }
        #expect(keeper.books.summaries.count == 40)
        #expect(keeper.books.ledger.unpacked.isEmpty)
        for round in 1...3 {
            for number in 1...40 {
                keeper.books.answer(isKnown: true, in: try bookID(number))
                #expect(keeper.books.book(try bookID(number))?.knownCount == round)
                try keeper.keep()
                #expect(keeper.books.ledger.unpacked.count <= PackedBook.mostUnpacked)
            }
        }
    }

    @Test func `stay unpacked while they are not on disk`() throws {
        let keeper = try Keeper(folder)
        for number in 1...40 { try keeper.books.newBook("Book \(number)") }
        try keeper.keep()
        for number in 1...40 { keeper.books.answer(isKnown: true, in: try bookID(number)) }
        #expect(keeper.books.summaries.allSatisfy { $0.progress.known == 1 })
        keeper.store.commit()
        for number in 1...40 { keeper.books.answer(isKnown: true, in: try bookID(number)) }
        try keeper.outcome().get()
        #expect(keeper.books.summaries.allSatisfy { $0.progress.known == 2 })
        try keeper.keep()
        keeper.store.close()
        #expect(try Keeper(folder).books.summaries.allSatisfy { $0.progress.known == 2 })
    }

    private func reopened(
        _ keeper: Keeper? = nil, _ change: (StoredBooks) throws -> Void
    ) throws -> Keeper {
        let keeper = try keeper ?? Keeper(folder)
        try change(keeper.books)
        try keeper.keep()
        keeper.store.close()
        let again = try Keeper(folder)
        #expect(again.store.findings == [])
        return again
    }
}

/// Hears what the feed tells, as short texts.
final class BookListener {
    var texts: [String] = []

    init(_ books: StoredBooks) {
        books.feed.library.bind(self) { listener, change in listener.texts.append(Self.text(change))
        }
    }

    private static func text(_ change: BooksChange) -> String {
        switch change {
        case .created(let id, _): "created \(id.text)"
        case .changed(let id, let book):
            "changed \(id.text): \(book.knownCount) of \(book.cards.count)"
        case .moved(let id, let place): "moved \(id.text) to \(place)"
        case .deleted(let id): "deleted \(id.text)"
        case .withdrawn(let id): "withdrawn \(id.text)"
        case .restored(let id, let book):
            "restored \(id.text): \(book.knownCount) of \(book.cards.count)"
        case .reordered: "reordered"
        }
    }
}
