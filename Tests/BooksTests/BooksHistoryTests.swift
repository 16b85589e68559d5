import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import BusdTestKit
import TestSupport
import Testing

@testable import BusdBooks

/// Books are added, moved and deleted: the edits lead to the same list as a new snapshot.
@Suite struct BooksHistoryTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `Edits of books lead to the same list as a snapshot`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let world = BooksFixture()
        let list = try world.list()
        let client = BooksClient(of: list)
        for _ in 1...200 {
            try change(world, list, &random)
            try compare(client, with: list, of: world)
        }
    }

    private func change(
        _ world: BooksFixture, _ list: BooksViewModel, _ random: inout SeededGenerator
    ) throws {
        let id = try bookID(Int.random(in: 1...30, using: &random))
        switch Int.random(in: 0..<14, using: &random) {
        case 0...2:
            let count = Int.random(in: 0...5, using: &random)
            list.handle(
                .importBook(name: try Name("水"), cards: cards(count)), settling: world.libraries)
        case 3:
            let event =
                Bool.random(using: &random)
                ? Books.ViewEvent.deleteBook(book: id.text) : .restoreBook(book: id.text)
            list.handle(event, settling: world.libraries)
            world.time.advance(by: .seconds(Int.random(in: 0...300, using: &random)))
            world.libraries.settle()
        case 4...5:
            let place = Int.random(in: -1...20, using: &random)
            list.handle(.moveBook(book: id.text, to: place), settling: world.libraries)
        case 6: list.handle(.addCards(book: id.text, cards: cards(2)), settling: world.libraries)
        case 7: world.apply(.ask(Int.random(in: 0...5, using: &random)), to: id)
        case 8: world.apply(.askAll, to: id)
        default: world.answer(isKnown: .random(using: &random), in: id)
        }
    }

    private func compare(_ client: BooksClient, with list: BooksViewModel, of world: BooksFixture)
        throws
    {
        let ids = world.books.ids
        let summaries = ids.compactMap { world.books.summary(of: $0) }
        #expect(client.rows.map(\.id) == ids.map(\.text))
        #expect(client.rows.map(\.cardCount) == summaries.map { "\($0.progress.cards)" })
        #expect(client.rows.map(\.progress) == summaries.map(\.progress.shortText))
        #expect(client.rows.map(\.isDeleted) == summaries.map(\.isDeleted))
        let present = summaries.filter { !$0.isDeleted }
        let known = present.reduce(0) { $0 + $1.progress.known }
        let cards = present.reduce(0) { $0 + $1.progress.cards }
        #expect((client.known, client.cards) == (known, cards))
        let percent = cards > 0 ? known * 100 / cards : 0
        let values = list.output.current
        #expect(values.count == 2)
        #expect(
            values.contains(
                .currentProgress(text: "\(percent)% KNOWN", known: known, cards: cards)))
        #expect(values.contains(.books(books: client.rows)))
        let places = ids.filter { world.books.summary(of: $0)?.isDeleted == false }
            .flatMap { [$0.address, $0.cardsAddress] }
        #expect(Set(world.addresses.kinds.keys) == Set(places))
    }
}
