import BusdProtocol
import BusdTestKit
import BusdViewModels
import TestSupport
import Testing

/// Books come, move and go: whoever applies the edits has the list that a new view is told.
@Suite struct `Any history of the books` {
    private typealias World = BooksWorld<UnreliableBooks>

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `is the same by edits and in the snapshot`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let world = World(UnreliableBooks())
        let list = try world.list()
        let client = BooksClient(of: list)
        for _ in 1...200 {
            try change(world, list, &random)
            try compare(client, with: list, of: world)
        }
    }

    private func change(
        _ world: World, _ list: BooksViewModel, _ random: inout SeededGenerator
    ) throws {
        let id = try bookID(Int.random(in: 1...30, using: &random))
        switch Int.random(in: 0..<14, using: &random) {
        case 0...2:
            let count = Int.random(in: 0...5, using: &random)
            list.handle(event: .importBook(name: try Name("水"), cards: cards(count)))
        case 3: list.handle(event: .deleteBook(book: id.text))
        case 4...5:
            let place = Int.random(in: -1...20, using: &random)
            list.handle(event: .moveBook(book: id.text, to: place))
        case 6: list.handle(event: .addCards(book: id.text, cards: cards(2)))
        case 7: world.library.keep()
        case 8: world.library.rollBack()
        default: world.library.answer(isKnown: .random(using: &random), in: id)
        }
    }

    private func compare(_ client: BooksClient, with list: BooksViewModel, of world: World) throws {
        let summaries = world.library.summaries
        #expect(client.rows.map(\.id) == summaries.map(\.id.text))
        #expect(client.rows.map(\.cardCount) == summaries.map { "\($0.progress.cards)" })
        #expect(client.rows.map(\.progress) == summaries.map(\.progress.shortText))
        let known = summaries.reduce(0) { $0 + $1.progress.known }
        let cards = summaries.reduce(0) { $0 + $1.progress.cards }
        #expect((client.known, client.cards) == (known, cards))
        let percent = cards > 0 ? known * 100 / cards : 0
        let values = list.output.current
        #expect(values.count == 2)
        #expect(
            values.contains(
                .currentProgress(text: "\(percent)% KNOWN", known: known, cards: cards)))
        #expect(values.contains(.books(books: client.rows)))
        #expect(Set(world.addresses.kinds.keys) == Set(summaries.map(\.id.address)))
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `leaves a study as it was where it could not be kept`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let world = World(UnreliableBooks())
        let id = try world.makeBook(cards: Int.random(in: 0...4, using: &random))
        let study = try world.study(id)
        study.startOnce()
        for _ in 1...20 {
            if Bool.random(using: &random) { study.handle(event: .reveal) }
            world.library.keep()
            let before = study.output.current
            if Bool.random(using: &random) { world.library.add(cards(1), to: id) }
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                study.handle(
                    event: [.reveal, .reveal, .known, .unknown][.random(in: 0...3, using: &random)])
            }
            guard Bool.random(using: &random) else { continue }
            world.library.rollBack()
            study.takeBack(to: before)
            #expect(study.output.current.count == before.count)
            for value in before { #expect(study.output.current.contains(value)) }
        }
    }
}

@Suite struct `Books in another order` {
    /// A library whose order somebody else decides.
    private final class Shelf: BooksService, HasBooks, HasDirectory {
        let feed = BooksFeed()
        let size = BooksSize()
        var summaries: [BookSummary] = []
        let addresses = RecordingDirectory()

        var books: any BooksService { self }
        var directory: any Directory { addresses }

        init(_ count: Int) throws {
            for number in 1...count {
                summaries.append(
                    BookSummary(
                        id: try bookID(number), name: try Name("Kanji"), progress: Progress()))
            }
        }

        func book(_ id: BookID) -> Book? { nil }
        func cardCount(of id: BookID) -> Int? { nil }
        func create(name: Name, cards: [Card]) -> BookID { .first }
        func delete(_ id: BookID) {}
        func move(_ id: BookID, to place: Int) {}
        func add(_ cards: [Card], to id: BookID) {}
        func answer(isKnown: Bool, in id: BookID) {}
        func ask(_ place: Int, in id: BookID) {}
        func askAll(in id: BookID) {}
    }

    private func list(of shelf: Shelf) throws -> BooksViewModel {
        BooksViewModel(at: try address("books"), services: shelf)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `of five hundred are told by edits that lead there`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let shelf = try Shelf(500)
        let list = try list(of: shelf)
        let client = BooksClient(of: list)
        for _ in 1...5 {
            shelf.summaries.shuffle(using: &random)
            shelf.feed.tell(.reordered)
            #expect(client.rows.map(\.id) == shelf.summaries.map(\.id.text))
            #expect(list.output.current.last == .books(books: client.rows))
        }
    }

    @Test func `are told by the fewest edits`() throws {
        let shelf = try Shelf(5)
        let view = RecordingView(try list(of: shelf))
        view.forget()
        shelf.summaries.insert(shelf.summaries.removeLast(), at: 0)
        shelf.feed.tell(.reordered)
        view.expect(.booksEdited(edits: [.move(from: 4, to: 0)]))
        shelf.feed.tell(.reordered)
        view.expectNothing()
    }

    @Test func `are told whole where there would be more edits than books`() throws {
        let shelf = try Shelf(3)
        let view = RecordingView(try list(of: shelf))
        view.forget()
        for place in shelf.summaries.indices { shelf.summaries[place].name = try Name("new") }
        shelf.summaries.reverse()
        shelf.feed.tell(.reordered)
        view.expect(
            .books(
                books: (1...3).reversed().map {
                    Books.Row(id: "\($0)", name: "new", cardCount: "0", progress: "0%")
                }))
    }
}
