import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit
import BusdViewModels
import Testing

/// One book, on a disk that the test plays.
private final class OneBook: BooksService, Journal, HasBooks {
    let feed = BooksFeed()
    let size = BooksSize()
    private let id = BookID.first
    private var present: Book
    private var kept: Book
    /// The oldest first.
    private var flying: [Book] = []
    private var hasChanged = false
    private(set) var hasChanges = false

    init(_ book: Book) { (present, kept) = (book, book) }

    var books: any BooksService { self }

    var summaries: [BookSummary] { [BookSummary(present, id: id)] }
    func book(_ id: BookID) -> Book? { id == self.id ? present : nil }
    func cardCount(of id: BookID) -> Int? { book(id)?.cards.count }
    func create(name: Name, cards: [Card]) -> BookID { id }
    func delete(_ id: BookID) {}
    func move(_ id: BookID, to place: Int) {}

    func add(_ cards: [Card], to id: BookID) {
        present.add(cards)
        noteChange()
    }

    func answer(isKnown: Bool, in id: BookID) {
        if present.answer(isKnown: isKnown) { noteChange() }
    }

    func ask(_ place: Int, in id: BookID) {
        if present.ask(place) { noteChange() }
    }

    func askAll(in id: BookID) {
        if present.askAll() { noteChange() }
    }

    /// Its one view model never sleeps.
    func asOnDisk(_ address: Address, _ make: () -> Void, then: (Int?) -> Void) { make() }

    private func noteChange() {
        (hasChanged, hasChanges) = (true, true)
        feed.tell(.changed(id, present))
    }

    func takeChanged() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }

    func commit() {
        hasChanges = false
        flying.append(present)
    }

    func succeed() { kept = flying.removeFirst() }

    func rollBack() {
        let failed = present
        present = kept
        flying = []
        hasChanges = false
        if failed != kept { feed.tell(.changed(id, present)) }
    }

    func remember(key: String, of address: Address, answer: ClosedRange<Int>?) {
        hasChanges = true
    }
    func recallKeys(of address: Address) -> Recall { .keys([]) }
}

/// An answer that could not be kept: whoever looked on has seen nothing of it, and goes on from
/// what is shown.
@Suite struct `An answer that is refused` {
    private let book: OneBook
    private let bus: TestBus
    private let view: TestConnection
    private let keeper: TestConnection

    init() throws { try self.init(cards: 3) }

    private init(cards count: Int) throws {
        let cards = (1...count).map { Card(front: "f\($0)", back: "b\($0)") }
        let book = OneBook(Book(name: try Name("A"), cards: cards))
        self.book = book
        bus = TestBus(journal: book) { host in
            host.register(
                BooksViewModel.self, services: Services(books: book, directory: host))
            host.register(StudyViewModel.self, services: book)
        }
        (view, keeper) = (bus.connect(), bus.connect())
        view.send("subscribe study/1", "send study/1 reveal")
        _ = view.takeLines()
    }

    private struct Services: HasBooks, HasDirectory {
        let books: any BooksService
        let directory: any Directory
    }

    private let revealed = #"{"card":{"front":"f1","position":1,"of":3,"back":"b1"}}"#
    private let rest =
        #"{"progress":{"text":"0% KNOWN"}},{"done":{"isDone":false}},{"undoable":{"canUndo":false}}"#

    @Test(arguments: ["known", "unknown"])
    func `leaves the card revealed`(answer: String) {
        keeper.send(#"{"op":"send","to":"study/1","event":"\#(answer)","id":1}"#)
        bus.committed(successfully: false)
        keeper.expect(#"{"error":{"code":"unavailable","message":"…"},"id":1}"#)
        view.expectNothing()
        view.send("get study/1")
        view.expect(
            #"{"ok":{"address":"study/1","cursor":"…:1","done":"…","events":[\#(revealed),\#(rest)]}}"#
        )
    }

    @Test func `can be given again`() {
        keeper.send("send study/1 known")
        bus.committed(successfully: false)
        keeper.expect(#"{"error":{"code":"unavailable","message":"…"}}"#)
        keeper.send("send study/1 known")
        book.succeed()
        bus.committed()
        view.expect(
            #"{"from":"study/1","seq":2,"more":true,"event":{"card":{"front":"f2","position":2,"of":3}}}"#,
            #"{"from":"study/1","seq":3,"more":true,"event":{"progress":{"text":"33% KNOWN"}}}"#,
            #"{"from":"study/1","seq":4,"event":{"undoable":{"canUndo":true,"position":1}}}"#)
    }

    @Test func `is none where the only card left is not known: it is hidden without the disk`()
        throws
    {
        let last = try Self(cards: 1)
        last.view.send(#"{"op":"send","to":"study/1","event":"unknown","id":1}"#)
        last.view.expect(
            #"{"from":"study/1","seq":2,"more":true,"cause":{"connection":1,"id":1},"event":{"card":{"front":"f1","position":1,"of":1}}}"#,
            #"{"from":"study/1","seq":3,"cause":{"connection":1,"id":1},"event":{"undoable":{"canUndo":true,"position":1}}}"#,
            #"{"ok":{"seq":[2,3],"changed":true},"id":1}"#)
    }

    @Test func `hides the only card left no more than its views do`() throws {
        let last = try Self(cards: 1)
        last.keeper.send(
            #"{"op":"send","to":"study/1","event":"unknown","key":"k","id":1}"#)
        last.bus.committed(successfully: false)
        last.keeper.expect(#"{"error":{"code":"unavailable","message":"…"},"id":1}"#)
        last.view.expectNothing()
        last.view.send("get study/1")
        last.view.expect(
            #"{"ok":{"address":"study/1","cursor":"…:1","done":"…","events":[{"card":{"front":"f1","position":1,"of":1,"back":"b1"}},\#(rest)]}}"#
        )
        last.keeper.send("send study/1 known")
        last.book.succeed()
        last.bus.committed()
        last.view.expect(
            #"{"from":"study/1","seq":2,"more":true,"event":{"progress":{"text":"100% KNOWN"}}}"#,
            #"{"from":"study/1","seq":3,"more":true,"event":{"done":{"isDone":true}}}"#,
            #"{"from":"study/1","seq":4,"event":{"undoable":{"canUndo":true,"position":1}}}"#)
    }

    private let revealedSecond = #"{"card":{"front":"f2","position":2,"of":3,"back":"b2"}}"#
    private let hidden = #"{"card":{"front":"f2","position":2,"of":3}}"#

    /// The second card, hidden.
    private func goOn() {
        keeper.send("send study/1 known")
        book.succeed()
        bus.committed()
        _ = view.takeLines()
    }

    private func expectSecondCardHidden() {
        view.expectNothing()
        view.send("get study/1")
        view.expect(
            #"{"ok":{"address":"study/1","cursor":"…:4","done":"…","events":[\#(hidden),{"progress":{"text":"33% KNOWN"}},{"done":{"isDone":false}},{"undoable":{"canUndo":true,"position":1}}]}}"#
        )
        view.send("send study/1 reveal")
        view.expect(
            #"{"from":"study/1","seq":5,"event":{"card":{"front":"f2","position":2,"of":3,"back":"b2"}}}"#
        )
    }

    @Test(arguments: [
        [#"{"op":"send","to":"study/1","event":"reveal","key":"k","id":1}"#],
        [
            #"send books addCards {"book":"1","cards":[{"front":"f4","back":"b4"}]}"#,
            "send study/1 reveal",
        ],
        [
            #"send books addCards {"book":"1","cards":[{"front":"f4","back":"b4"}]}"#,
            "send study/1 reveal", "send study/1 known",
        ],
    ])
    func `leaves the card hidden where to reveal it was refused too`(lines: [String]) {
        goOn()
        for line in lines { keeper.send(line) }
        bus.committed(successfully: false)
        #expect(keeper.takeLines().count == lines.count)
        expectSecondCardHidden()
    }

    @Test func `leaves the card revealed that was so when the commit before was on disk`() {
        keeper.send("send study/1 known")
        keeper.send("send study/1 reveal", "send study/1 known")
        book.succeed()
        bus.committed()
        #expect(view.takeLines().last?.hasSuffix(#""event":\#(revealedSecond)}"#) == true)
        bus.committed(successfully: false)
        keeper.expect(#"{"error":{"code":"unavailable","message":"…"}}"#)
        view.expectNothing()
        view.send("get study/1")
        view.expect(
            #"{"ok":{"address":"study/1","cursor":"…:5","done":"…","events":[\#(revealedSecond),{"progress":{"text":"33% KNOWN"}},{"done":{"isDone":false}},{"undoable":{"canUndo":true,"position":1}}]}}"#
        )
    }

    @Test func `takes those after it along`() {
        keeper.send(
            "send study/1 known", "send study/1 reveal", "send study/1 unknown",
            #"send books addCards {"book":"1","cards":[{"front":"f4","back":"b4"}]}"#)
        bus.committed(successfully: false)
        keeper.expect(
            #"{"error":{"code":"unavailable","message":"…"}}"#,
            #"{"error":{"code":"unavailable","message":"…"}}"#,
            #"{"error":{"code":"unavailable","message":"…"}}"#,
            #"{"error":{"code":"unavailable","message":"…"}}"#)
        view.expectNothing()
        view.send("get study/1")
        view.expect(
            #"{"ok":{"address":"study/1","cursor":"…:1","done":"…","events":[\#(revealed),\#(rest)]}}"#
        )
    }
}
