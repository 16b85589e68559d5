import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// What a store does with books of which something is damaged: it serves the cards that are whole,
/// each with what is known of it.
@Suite struct `Damaged books` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: [
        "front = 'x'", "back = 'x'", "seal = 1", "place = 99", "book = 2, place = 99",
    ])
    func `are served without a card that was changed`(change: String) throws {
        try makeStore()
        try self.change("UPDATE cards SET \(change) WHERE book = 1 AND place = 4")
        let keeper = try Keeper(folder)
        #expect(
            keeper.store.findings == ["book 1, Book 1, lacks cards, damaged or missing: 5"])
        try expectTruth(keeper, cardsOfFirst: [1, 2, 3, 4, 6, 7, 8, 9, 10])
        keeper.store.close()
        #expect(try Store.check(folder: folder.path).contains(keeper.store.findings[0]))
    }

    @Test(arguments: ["0, 1", "8, 9", "0, 9", "3", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9"])
    func `are served without cards that are gone, and can be studied and added to`(
        places: String
    ) throws {
        try makeStore()
        try change("DELETE FROM cards WHERE book = 1 AND place IN (\(places))")
        let gone = places.split(separator: ", ").compactMap { Int($0) }.map { $0 + 1 }
        let left = (1...10).filter { !gone.contains($0) }
        var keeper = try Keeper(folder)
        let text = NumberList(gone).description
        let findings = ["book 1, Book 1, lacks cards, damaged or missing: \(text)"]
        #expect(keeper.store.findings == findings)
        try expectTruth(keeper, cardsOfFirst: left)
        for _ in 1...3 {
            keeper.books.answer(isKnown: false, in: .first)
            keeper.books.add([Self.card(11, of: 1)], to: .first)
            keeper.books.delete(try keeper.books.newBook("Another"))
            keeper.books.move(.first, to: 1)
            try keeper.keep()
            let before = keeper.books.book(.first)
            keeper.store.close()
            keeper = try Keeper(folder)
            #expect(keeper.store.findings == findings)
            #expect(keeper.books.book(.first) == before)
            try expectTruth(keeper, cardsOfFirst: nil)
        }
    }

    @Test func `are found again as they were when what was changed is mended`() throws {
        try makeStore()
        try change("UPDATE cards SET back = back || 'x' WHERE book = 1 AND place IN (2, 6)")
        let keeper = try Keeper(folder)
        keeper.books.add([Self.card(11, of: 1)], to: .first)
        try keeper.keep()
        keeper.store.close()
        try change("UPDATE cards SET back = rtrim(back, 'x') WHERE book = 1 AND place IN (2, 6)")
        let mended = try Keeper(folder)
        #expect(mended.store.findings == [])
        #expect(mended.books.book(.first)?.cards == (1...11).map { Self.card($0, of: 1) })
    }

    @Test(arguments: [
        ("name = 'Eve'", "2, Eve, is left out: its seal is broken"),
        ("name = ''", "2 is left out: its seal is broken"),
        ("rank = 0", "2, Book 2, is left out: its seal is broken"),
        ("cards = 9", "2, Book 2, is left out: its seal is broken"),
        ("known = zeroblob(2)", "2, Book 2, is left out: its seal is broken"),
        ("asked = NULL", "2, Book 2, is left out: its seal is broken"),
        ("seal = 1", "2, Book 2, is left out: its seal is broken"),
        ("id = 70", "70, Book 2, is left out: its seal is broken"),
    ])
    func `are left out and named where a value was changed`(change: String, what: String) throws {
        try makeStore()
        try self.change("UPDATE books SET \(change) WHERE id = 2")
        let keeper = try Keeper(folder)
        // Its number may not be its own.
        let other = what.hasPrefix("2") ? [] : ["not there, deleted earlier or lost: books 2"]
        #expect(keeper.store.findings == ["book \(what)"] + other)
        #expect(keeper.books.summaries.map(\.id.number) == [1, 3])
        #expect(keeper.books.book(try bookID(2)) == nil)
        #expect(try keeper.books.newBook("new") == bookID(4))
        keeper.store.close()
        let found = try Store.check(folder: folder.path)
        // The cards of a book with another number are of none.
        #expect(
            found.contains("book \(what)") || found.contains { $0.hasPrefix("cards has a row") })
    }

    @Test(arguments: [
        (row(name: ""), "2 is left out: its name is none"),
        (row(name: "a\u{7}b"), "2 is left out: its name is none"),
        (row(cards: -1, known: []), "2, B, is left out: it has -1 cards"),
        (row(cards: .max), "2, B, is left out: it has 9223372036854775807 cards"),
        (row(cards: 17), "2, B, is left out: it has 17 cards"),
        (
            row(cards: 8),
            "2, B, is left out: what is known of it does not fit its cards"
        ),
        (
            row(asked: 10),
            "2, B, is left out: what is known of it does not fit its cards"
        ),
        (
            row(asked: -1),
            "2, B, is left out: what is known of it does not fit its cards"
        ),
    ])
    func `are left out where they are none, in spite of their seal`(
        row: BookRow, what: String
    ) throws {
        try makeStore()
        try put(row)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == ["book \(what)"])
        #expect(keeper.books.summaries.map(\.id.number) == [1, 3])
    }

    @Test(arguments: ["DELETE FROM shelf", "UPDATE shelf SET next_book = 2"])
    func `keep their numbers where the next is not known`(damage: String) throws {
        try makeStore()
        try change(damage)
        // One that is left out keeps its number too.
        try change("UPDATE books SET seal = 1 WHERE id = 3")
        let keeper = try Keeper(folder)
        #expect(
            keeper.store.findings == [
                "book 3, Book 3, is left out: its seal is broken",
                "the number of the next book was lost: 1025 is used, "
                    + "above every number that was given out",
            ])
        #expect(try keeper.books.newBook("new") == bookID(1025))
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `invent nothing where a page is lost`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try makeStore(cards: 400)
        var all = try bytes(of: folder.database)
        for _ in 0..<random.number(1..<4) {
            let page = random.number(1..<all.count / 4096)
            for place in page * 4096..<(page + 1) * 4096 { all[place] = 0 }
        }
        try write(all, to: folder.database)
        let keeper = try Keeper(folder)
        try expectTruth(keeper, cardsOfFirst: nil)
        let before = try keeper.books.summaries.map { try #require(keeper.books.book($0.id)) }
        keeper.store.close()
        let again = try Keeper(folder)
        #expect(again.store.findings == [])
        #expect(again.books.summaries.map { again.books.book($0.id) } == before)
        again.books.add([Self.card(1, of: 1)], to: .first)
        try again.keep()
        #expect(try Keeper.check(folder, after: again) == [])
    }

    // MARK: -

    private static func row(
        name: String = "B", cards: Int = 10, known: [UInt8] = [0, 0], asked: Int? = nil
    ) -> BookRow {
        BookRow(id: 2, rank: 0, name: name, cards: cards, known: known, asked: asked)
    }

    /// Each says which it is.
    private static func card(_ number: Int, of book: Int) -> Card {
        Card(front: "\(number)", back: "of \(book)")
    }

    /// Three books; every third card is known.
    private func makeStore(cards: Int = 10) throws {
        let keeper = try Keeper(folder, durability: .normal)
        for book in 1...3 {
            let id = keeper.books.create(
                name: try Name("Book \(book)"), cards: (1...cards).map { Self.card($0, of: book) })
            for number in 1...cards { keeper.books.answer(isKnown: number % 3 == 0, in: id) }
        }
        try keeper.keep()
        keeper.store.close()
    }

    /// All that is served is what was written.
    private func expectTruth(_ keeper: Keeper, cardsOfFirst numbers: [Int]?) throws {
        for summary in keeper.books.summaries {
            let book = try #require(keeper.books.book(summary.id))
            #expect(book.name.text == "Book \(summary.id.number)")
            #expect(summary.progress == book.progress)
            for (card, isKnown) in zip(book.cards, book.isKnown) {
                #expect(card.back == "of \(summary.id.number)")
                #expect(isKnown == ((Int(card.front) ?? 0) % 3 == 0))
            }
        }
        guard let numbers else { return }
        #expect(keeper.books.book(.first)?.cards == numbers.map { Self.card($0, of: 1) })
    }

    private func put(_ row: BookRow) throws {
        let connection = try Connection(path: folder.database)
        try connection.once("REPLACE INTO books VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)").run(
            .integer(row.id), .integer(row.rank), .text(row.name), .integer(row.cards),
            .blob(row.known), row.asked.map { .integer($0) } ?? .null, .integer(row.seal))
    }

    private func change(_ sql: String) throws {
        try Connection(path: folder.database).execute(sql)
    }
}
