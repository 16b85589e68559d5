import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import Testing

@testable import BusdBooks

@Suite struct BooksLimitTests {
    private let world = BooksFixture()
    private let card = Card(front: "a", back: "b")

    private func refusal(_ text: String) -> Refusal { Refusal(.overloaded, text) }

    @Test func `A book beyond 1,000 is refused`() throws {
        let list = try world.list()
        let name = try Name("Kanji")
        for _ in 1..<1_000 { try world.create(BookSeed(name: name, cards: [])) }
        #expect(list.refusal(of: .importBook(name: name, cards: [card])) == nil)
        try world.create(BookSeed(name: name, cards: []))
        let refusal = refusal("there are 1000 books: delete one first (limit books)")
        #expect(list.refusal(of: .importBook(name: name, cards: [card])) == refusal)
        let creator = try world.creator()
        // The button is disabled, so the event has no effect and no limit refuses it.
        #expect(creator.refusal(of: .addTapped()) == nil)
        creator.handle(.nameChanged(name: "Kanji"), settling: world.libraries)
        creator.handle(.cardsChanged(text: "a\tb"), settling: world.libraries)
        #expect(creator.refusal(of: .addTapped()) == refusal)
    }

    @Test func `A card beyond 10,000 in a book is refused`() throws {
        let list = try world.list()
        let id = try world.makeBook(cards: 9_999)
        let refusal = Refusal(
            .badEvent, "a book has at most 10000 cards (limit cardsOfBook)", at: "cards")
        #expect(list.refusal(of: .addCards(book: id.text, cards: [card])) == nil)
        #expect(list.refusal(of: .addCards(book: id.text, cards: [card, card])) == refusal)
        #expect(list.refusal(of: .addCards(book: "999", cards: [card])) == nil)
        // Without effect, so no limit refuses it.
        let many = cards(10_001)
        #expect(list.refusal(of: .addCards(book: "999", cards: many)) == nil)
    }

    @Test func `Cards of more than 2 MiB in a book are refused`() throws {
        let list = try world.list()
        let name = try Name("Kanji")
        let long = Card(front: String(repeating: "x", count: (2 << 20) - 32), back: "")
        let refusal = Refusal(
            .badEvent, "the cards of a book have at most 2097152 bytes (limit bytesOfBook)",
            at: "cards")
        #expect(list.refusal(of: .importBook(name: name, cards: [long])) == nil)
        #expect(list.refusal(of: .importBook(name: name, cards: [long, card])) == refusal)
        let id = try world.create(BookSeed(name: name, cards: [long]))
        #expect(list.refusal(of: .addCards(book: id.text, cards: [card])) == refusal)
        let other = try world.create(BookSeed(name: name, cards: [card]))
        #expect(list.refusal(of: .addCards(book: other.text, cards: [card])) == nil)
    }

    @Test func `A library beyond its limits can be studied, and more is refused`() throws {
        let list = try world.list()
        let id = try world.makeBook(cards: 10_001)
        for _ in 1...1_000 { try world.makeBook(cards: 1) }
        #expect(list.refusal(of: .addCards(book: id.text, cards: [card])) != nil)
        #expect(list.refusal(of: .importBook(name: try Name("a"), cards: [])) != nil)
        #expect(list.refusal(of: .moveBook(book: id.text, to: 1_000)) == nil)
        world.answer(isKnown: true, in: id)
        #expect(world.books[id]?.knownCount == 1)
    }

    @Test func `Cards of more than 32 MiB together are refused`() throws {
        let list = try world.list()
        let name = try Name("Kanji")
        let long = Card(front: String(repeating: "x", count: (1 << 20) - 32), back: "")
        for _ in 0..<31 { try world.create(BookSeed(name: name, cards: [long])) }
        #expect(world.books.size.cardBytes == 31 << 20)
        #expect(list.refusal(of: .importBook(name: name, cards: [long])) == nil)
        #expect(
            list.refusal(of: .importBook(name: name, cards: [long, card]))
                == refusal(
                    "all cards together have at most 33554432 bytes: delete a book first "
                        + "(limit cardBytes)"))
    }
}
