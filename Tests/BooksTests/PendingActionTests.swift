import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdBooks

/// The test decides when the log commits or refuses entries.
@Suite struct PendingActionTests {
    private let log = TestLog()
    private let books: BooksFixture

    init() {
        books = BooksFixture(log: log)
        log.isFast = true
    }

    private func succeed() {
        if log.hasCommits { log.succeed() }
        books.libraries.settle()
    }

    private func fail() {
        log.fail()
        books.libraries.settle()
    }

    /// From now on the test decides when entries are committed.
    private func delay() { log.isFast = false }

    @Test func `A creator keeps its draft of a book until the book exists`() throws {
        let creator = try books.creator()
        let view = books.watch(creator)
        view.send(.nameChanged(name: "Kanji"))
        view.send(.cardsChanged(text: "a\tb"))
        view.forget()
        delay()
        view.send(.addTapped())
        fail()
        view.expectNothing()
        view.send(.addTapped())
        view.expectNothing()
        #expect(creator.draft?.revision == 1)
        succeed()
        view.expect(.added(book: "1"))
        view.forget()
        #expect(creator.draft == nil)
    }

    @Test func `Only view models with a state of their own await outcomes`() {
        #expect(BookCreatorViewModel.awaitsOutcomes)
        #expect(StudyViewModel.awaitsOutcomes)
        #expect(!BooksViewModel.awaitsOutcomes)
    }

    // MARK: The study

    private func study(
        cards count: Int, known: Int = 0
    ) throws -> RecordingView<StudyViewModel> {
        let view = books.watch(try books.study(try books.makeBook(cards: count, known: known)))
        view.send(.reveal)
        view.forget()
        delay()
        return view
    }

    @Test(arguments: [Study.ViewEvent.known, .unknown])
    func `A refused answer leaves the card as it was`(answer: Study.ViewEvent) throws {
        let view = try study(cards: 2)
        let before = view.model.output.current
        view.send(answer)
        view.expectNothing()
        #expect(view.model.subject.isPending)
        fail()
        view.expectNothing()
        #expect(view.model.output.current == before)
        #expect(!view.model.canSleep)
        // The card is still revealed, and the answer counts now.
        view.send(answer)
        succeed()
        view.expect(.card(front: "front 2", position: 2, of: 2, back: nil))
        view.forget()
    }

    @Test func `An unknown answer without an entry hides the only card that is left`() throws {
        let view = try study(cards: 2, known: 1)
        view.send(.unknown)
        view.expect(
            .card(front: "front 2", position: 2, of: 2, back: nil),
            .undoable(canUndo: true, position: 2))
        #expect(!log.hasCommits)
    }

    @Test func `An answer can be taken back after its undo was refused`() throws {
        let view = try study(cards: 2)
        view.send(.known)
        succeed()
        view.forget()
        view.send(.undo)
        fail()
        view.expectNothing()
        view.send(.undo)
        succeed()
        view.expect(
            .card(front: "front 1", position: 1, of: 2, back: "back 1"),
            .progress(text: "0% KNOWN"), .undoable(canUndo: false))
    }

    @Test func `A study stays done, with its undo, if a second round is refused`() throws {
        let view = try study(cards: 1)
        view.send(.known)
        succeed()
        view.forget()
        view.send(.again)
        fail()
        view.expectNothing()
        view.send(.undo)
        succeed()
        view.forget()
        #expect(books.books[.first]?.current == 0)
    }

    @Test func `A study tolerates that its book is deleted during an answer`() throws {
        let view = try study(cards: 2)
        view.send(.known)
        books.delete(.first)
        succeed()
        view.forget()
        succeed()
        view.send(.undo)
        view.expectNothing()
    }

    // MARK: Limits

    @Test func `Pending cards and books count toward their limits`() throws {
        let list = try books.list()
        let id = try books.makeBook(cards: 9_998)
        for _ in 1...998 { try books.makeBook() }
        delay()
        let more = Books.ViewEvent.addCards(book: id.text, cards: cards(2))
        #expect(list.refusal(of: more) == nil)
        list.handle(more, settling: books.libraries)
        #expect(list.refusal(of: more)?.code == .badEvent)
        let book = Books.ViewEvent.importBook(name: try Name("Kanji"), cards: [])
        #expect(list.refusal(of: book) == nil)
        list.handle(book, settling: books.libraries)
        #expect(list.refusal(of: book)?.code == .overloaded)
    }
}
