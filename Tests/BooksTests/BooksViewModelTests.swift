import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdBooks

@Suite struct BooksViewModelTests {
    private let world = BooksFixture()

    private func row(
        _ id: Int, _ name: String = "Kanji", cards: Int = 0, _ progress: String = "0%",
        isDeleted: Bool = false
    ) -> Books.Row {
        Books.Row(
            id: "\(id)", name: name, cardCount: "\(cards)", progress: progress,
            isDeleted: isDeleted)
    }

    private func watchList() throws -> RecordingView<BooksViewModel> {
        let view = world.watch(try world.list())
        view.forget()
        return view
    }

    private func progress(_ known: Int, of cards: Int, _ text: String) -> Books.ViewModelEvent {
        .currentProgress(text: text, known: known, cards: cards)
    }

    @Test func `The list of books is empty at first, and nothing is known`() throws {
        world.watch(try world.list()).expect(
            progress(0, of: 0, "0% KNOWN"), .books(books: []))
    }

    @Test func `The list of books has the oldest first, with its progress`() throws {
        try world.makeBook("Kanji", cards: 7, known: 3)
        try world.makeBook("Empty")
        try world.makeBook("Birds", cards: 3, known: 3)
        world.watch(try world.list()).expect(
            progress(6, of: 10, "60% KNOWN"),
            .books(books: [
                row(1, cards: 7, "42%"), row(2, "Empty"), row(3, "Birds", cards: 3, "100%"),
            ]))
    }

    @Test func `An imported book is added at the end, before the progress changes`() throws {
        try world.makeBook(cards: 2, known: 2)
        let view = try watchList()
        view.send(.importBook(name: try Name("水"), cards: cards(2)))
        view.expect(
            .booksEdited(edits: [.insert(at: 1, row: row(2, "水", cards: 2))]),
            progress(2, of: 4, "50% KNOWN"))
        view.send(.importBook(name: try Name("Empty"), cards: []))
        view.expect(.booksEdited(edits: [.insert(at: 2, row: row(3, "Empty"))]))
        #expect(world.books[try bookID(2)] == Book(BookSeed(name: try Name("水"), cards: cards(2))))
    }

    @Test func `Cards can be added to a book`() throws {
        try world.makeBook(cards: 1, known: 1)
        let view = try watchList()
        view.send(.addCards(book: "1", cards: cards(2, from: 2)))
        view.expect(
            .booksEdited(edits: [.update(at: 0, row: row(1, cards: 3, "33%"))]),
            progress(1, of: 3, "33% KNOWN"))
        #expect(world.books[.first]?.cards == cards(3))
    }

    @Test func `A deleted book leaves the list at its place after ten minutes`() throws {
        for number in 1...3 { try world.makeBook(cards: number, known: number - 1) }
        let view = try watchList()
        view.send(.deleteBook(book: "2"))
        view.expect(
            .booksEdited(edits: [
                .update(at: 1, row: row(2, cards: 2, "50%", isDeleted: true))
            ]), progress(2, of: 4, "50% KNOWN"))
        world.time.advance(by: .seconds(300))
        view.send(.deleteBook(book: "1"))
        view.expect(
            .booksEdited(edits: [.update(at: 0, row: row(1, cards: 1, isDeleted: true))]),
            progress(2, of: 3, "66% KNOWN"))
        // Marked again: without effect.
        view.send(.deleteBook(book: "2"))
        advance(by: .seconds(300) - .microseconds(1))
        view.expectNothing()
        advance(by: .microseconds(1))
        view.expect(.booksEdited(edits: [.delete(at: 1)]))
        advance(by: .seconds(300))
        view.expect(.booksEdited(edits: [.delete(at: 0)]))
        #expect(world.books.ids.map(\.number) == [3])
        #expect(Set(world.addresses.kinds.values) == ["study", "cards"])
    }

    private func advance(by span: Duration) {
        world.time.advance(by: span)
        world.libraries.settle()
    }

    @Test func `A deletion can be taken back, and no action but this changes a deleted book`()
        throws
    {
        let id = try world.makeBook(cards: 3, known: 1)
        let before = world.books[id]
        let view = try watchList()
        view.send(.restoreBook(book: "1"))
        view.expectNothing()
        view.send(.deleteBook(book: "1"))
        view.expect(
            .booksEdited(edits: [
                .update(at: 0, row: row(1, cards: 3, "33%", isDeleted: true))
            ]), progress(0, of: 0, "0% KNOWN"))
        #expect(world.addresses.kinds.isEmpty)
        #expect(StudyViewModel(at: id.address, services: world) == nil)
        #expect(CardsViewModel(at: id.cardsAddress, services: world) == nil)
        view.send(.addCards(book: "1", cards: cards(1)))
        view.send(.renameBook(book: "1", from: "Kanji", to: try Name("Kana")))
        view.send(.renameBook(book: "1", from: "Other", to: try Name("Kana")))
        for action in [BookAction.answer(isKnown: true), .ask(0), .askAll, .delete] {
            world.apply(action, to: id)
        }
        for event in Cards.ViewEvent.examples {
            CardsViewModel(at: id.cardsAddress, services: world)?.handle(event: event)
        }
        view.expectNothing()
        advance(by: .seconds(600) - .microseconds(1))
        view.send(.restoreBook(book: "1"))
        view.expect(
            .booksEdited(edits: [.update(at: 0, row: row(1, cards: 3, "33%"))]),
            progress(1, of: 3, "33% KNOWN"))
        #expect(world.books[id] == before)
        #expect(
            world.addresses.kinds == [
                try address("study/1"): "study", try address("cards/1"): "cards",
            ])
        advance(by: .seconds(600))
        view.expectNothing()
    }

    @Test func `A restore comes too late at the moment of the deletion for good`() throws {
        let id = try world.makeBook()
        world.apply(.delete, to: id)
        world.time.advance(by: .seconds(600))
        world.apply(.restore, to: id)
        #expect(world.books.summary(of: id)?.isDeleted == true)
    }

    @Test func `A list that is made later deletes marked books in time, and shows them until then`()
        throws
    {
        let (kept, old) = (try world.makeBook("Kept"), try world.makeBook("Old"))
        world.apply(.delete, to: old)
        world.time.advance(by: .seconds(599))
        world.apply(.delete, to: kept)
        let list = try world.list()
        #expect(world.addresses.kinds.isEmpty)
        world.watch(list).expect(
            progress(0, of: 0, "0% KNOWN"),
            .books(books: [
                row(1, "Kept", isDeleted: true), row(2, "Old", isDeleted: true),
            ]))
        advance(by: .seconds(1))
        #expect(world.books.ids == [kept])
    }

    @Test func `A deletion for good that the log refuses is tried again`() throws {
        let log = TestLog()
        log.isFast = true
        let world = BooksFixture(log: log)
        let id = try world.makeBook()
        let list = try world.list()
        world.apply(.delete, to: id)
        log.isFast = false
        world.time.advance(by: .seconds(600))
        world.libraries.settle()
        log.fail()
        world.libraries.settle()
        #expect(world.books.ids == [id])
        log.isFast = true
        world.time.advance(by: .seconds(60))
        world.libraries.settle()
        #expect(world.books.ids.isEmpty)
        withExtendedLifetime(list) {}
    }

    @Test func `The id of a deleted book is not used again`() throws {
        let view = try watchList()
        for number in 1...3 {
            view.send(.importBook(name: try Name("Kanji"), cards: []))
            view.expect(.booksEdited(edits: [.insert(at: 0, row: row(number))]))
            world.delete(try bookID(number))
            view.expect(.booksEdited(edits: [.delete(at: 0)]))
        }
    }

    @Test func `A book is renamed if its old name is named`() throws {
        try world.makeBook("Kanij", cards: 1, known: 1)
        let view = try watchList()
        let rename = Books.ViewEvent.renameBook(
            book: "1", from: "Kanij", to: try Name("Kanji"))
        #expect(view.model.refusal(of: rename) == nil)
        view.send(rename)
        view.expect(
            .booksEdited(edits: [.update(at: 0, row: row(1, cards: 1, "100%"))]))
        #expect(view.model.refusal(of: rename)?.code == .stale)
        // Proposed before the other renaming was applied.
        view.model.handle(rename, settling: world.libraries)
        view.send(.renameBook(book: "1", from: "Kanji", to: try Name("Kanji")))
        view.expectNothing()
        #expect(
            view.model.refusal(of: .renameBook(book: "7", from: "", to: try Name("a"))) == nil)
    }

    @Test(arguments: [
        (0, 3, [2, 3, 4, 1]), (3, 0, [4, 1, 2, 3]), (0, 1, [2, 1, 3, 4]), (2, 1, [1, 3, 2, 4]),
    ])
    func `A book can be moved in the list`(from: Int, to: Int, order: [Int]) throws {
        for _ in 1...4 { try world.makeBook() }
        let view = try watchList()
        view.send(.moveBook(book: "\(from + 1)", to: to))
        view.expect(.booksEdited(edits: [.move(from: from, to: to)]))
        #expect(world.books.ids.map(\.number) == order)
        world.watch(view.model).expect(
            progress(0, of: 0, "0% KNOWN"), .books(books: order.map { row($0) }))
    }

    @Test(arguments: [-1, 3, 4, Int.max, Int.min, 1])
    func `A book is not moved to an invalid place, or to its own`(to: Int) throws {
        for _ in 1...3 { try world.makeBook() }
        let view = try watchList()
        view.send(.moveBook(book: "2", to: to))
        view.expectNothing()
        #expect(world.books.ids.map(\.number) == [1, 2, 3])
    }

    @Test(arguments: ["2", "0", "01", "-1", "+1", "", "x", "1 ", "99999999999999999999"])
    func `An event for a book that does not exist is ignored`(book: String) throws {
        try world.makeBook()
        let view = try watchList()
        view.send(.deleteBook(book: book))
        view.send(.restoreBook(book: book))
        view.send(.renameBook(book: book, from: "Kanji", to: try Name("Kana")))
        view.send(.moveBook(book: book, to: 0))
        view.send(.addCards(book: book, cards: cards(1)))
        view.expectNothing()
        #expect(
            world.books.ids.map { world.books.summary(of: $0)?.progress } == [
                Progress(known: 0, of: 0)
            ])
    }

    @Test func `Adding no cards changes nothing`() throws {
        try world.makeBook()
        let view = try watchList()
        view.send(.addCards(book: "1", cards: []))
        view.expectNothing()
    }

    @Test func `The list of books follows the study of each book`() throws {
        try world.makeBook()
        try world.makeBook(cards: 3)
        let view = try watchList()
        let study = try world.study(try bookID(2))
        study.handle(.reveal, settling: world.libraries)
        view.expectNothing()
        study.handle(.known, settling: world.libraries)
        view.expect(
            .booksEdited(edits: [.update(at: 1, row: row(2, cards: 3, "33%"))]),
            progress(1, of: 3, "33% KNOWN"))
        study.handle(.reveal, settling: world.libraries)
        study.handle(.unknown, settling: world.libraries)
        view.expectNothing()
    }

    @Test func `The progress is sent even if its percentage is the same`() throws {
        try world.makeBook(cards: 200)
        let view = try watchList()
        world.answer(isKnown: true, in: .first)
        view.expect(progress(1, of: 200, "0% KNOWN"))
    }

    @Test func `A view that binds after edits gets the whole list of books`() throws {
        let view = try watchList()
        for name in ["a", "b", "c"] {
            view.send(.importBook(name: try Name(name), cards: cards(4)))
        }
        view.send(.moveBook(book: "3", to: 0))
        world.delete(try bookID(2))
        world.answer(isKnown: true, in: .first)
        view.forget()
        world.watch(view.model).expect(
            progress(1, of: 8, "12% KNOWN"),
            .books(books: [row(3, "c", cards: 4), row(1, "a", cards: 4, "25%")]))
    }

    // MARK: The view models of books

    @Test func `The list adds a study for every stored book at once`() throws {
        for _ in 1...2 { try world.makeBook() }
        let list = try world.list()
        #expect(
            world.addresses.kinds == [
                try address("study/1"): "study", try address("study/2"): "study",
                try address("cards/1"): "cards", try address("cards/2"): "cards",
            ])
        withExtendedLifetime(list) {}
    }

    @Test func `The list adds and removes studies even without a view`() throws {
        let list = try world.list()
        for _ in 1...2 { try world.makeBook() }
        #expect(world.addresses.kinds.count == 4)
        world.delete(.first)
        #expect(
            world.addresses.kinds == [
                try address("study/2"): "study", try address("cards/2"): "cards",
            ])
        world.watch(list).expect(progress(0, of: 0, "0% KNOWN"), .books(books: [row(2)]))
    }

    @Test func `The list shows a book only while its study can be reached`() throws {
        let view = try watchList()
        var reachable: [Bool] = []
        let study = try address("study/1")
        view.model.output.bind(view) { [world] _, _ in
            reachable.append(world.addresses.kinds[study] != nil)
        }
        view.send(.importBook(name: try Name("Kanji"), cards: []))
        view.send(.deleteBook(book: "1"))
        #expect(reachable == [true, false])
        view.forget()
    }

    @Test func `The list of books is at one address, and durable`() throws {
        #expect(BooksViewModel.placement == .fixed(try address("books")))
        #expect((BooksViewModel.self as Any) is any DurableViewModel.Type)
    }
}
