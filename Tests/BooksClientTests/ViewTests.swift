import BusdBooksEvents
import BusdProtocol
import BusdScreens
import BusdTerminal
import Testing

@testable import books

func row(
    _ id: Int, _ name: String = "Kanji", _ cards: Int = 120, _ progress: Int = 43
) -> Books.Row {
    Books.Row(id: "\(id)", name: name, cardCount: "\(cards)", progress: "\(progress)%")
}

/// Records the events of a view.
final class Recorder<Event: WireEvent> {
    var events: [Event] = []

    init(_ output: Output<Event>) { output.bind(self) { $0.events.append($1) } }

    func take() -> [Event] {
        defer { events = [] }
        return events
    }
}

@Suite struct BooksViewTests {
    private let view = BooksView()

    private func show(_ ids: Int...) { view.handle(event: .books(books: ids.map { row($0) })) }

    @Test func `The choice stays on its book while the list changes`() {
        show(1, 2, 3)
        view.state.choose("2")
        view.handle(event: .booksEdited(edits: [.insert(at: 0, row: row(4)), .delete(at: 1)]))
        #expect(view.state.list.rows.map(\.id) == ["4", "2", "3"])
        #expect(view.state.list.chosen == "2")
        view.handle(event: .booksEdited(edits: [.delete(at: 1)]))
        #expect(view.state.list.chosen == "3")
    }

    @Test func `A book that was just added is chosen when it arrives`() {
        show(1)
        view.state.choose("7")
        #expect(view.state.list.chosen == "1")
        view.handle(event: .booksEdited(edits: [.insert(at: 1, row: row(7))]))
        #expect(view.state.list.chosen == "7")
        view.state.list.move(by: -1)
        view.handle(event: .currentProgress(text: "1% KNOWN", known: 1, cards: 100))
        #expect(view.state.list.chosen == "1")
    }

    @Test func `A book is moved by places, and not beyond the ends`() {
        let recorder = Recorder(view.output)
        view.moveChosen(by: 1, isSettled: true)
        show(1, 2, 3)
        view.moveChosen(by: -1, isSettled: true)
        #expect(recorder.take() == [])
        view.moveChosen(by: 1, isSettled: true)
        #expect(recorder.take() == [.moveBook(book: "1", to: 1)])
    }

    @Test func `A key that is pressed twice moves the book twice, also before an answer`() {
        let recorder = Recorder(view.output)
        show(1, 2, 3, 4)
        view.moveChosen(by: 1, isSettled: true)
        view.moveChosen(by: 1, isSettled: false)
        #expect(
            recorder.take() == [.moveBook(book: "1", to: 1), .moveBook(book: "1", to: 2)])
        // Another view has moved the book back, and all events are answered.
        view.moveChosen(by: 1, isSettled: true)
        view.state.choose("3")
        view.moveChosen(by: -1, isSettled: false)
        #expect(
            recorder.take() == [.moveBook(book: "1", to: 1), .moveBook(book: "3", to: 1)])
    }

    @Test func `A book is deleted by its id`() {
        let recorder = Recorder(view.output)
        view.delete(row(3))
        #expect(recorder.take() == [.deleteBook(book: "3")])
    }

    @Test func `A row has a line of text`() {
        #expect(row(3).line == "3  Kanji  120 cards  43%")
        var marked = row(3)
        marked.isDeleted = true
        #expect(marked.line == "3  Kanji  120 cards  43%  deleted")
        #expect(row(3, "Kanji", 1).cards == "1 card")
        #expect(row(3).study == .literal("study/3"))
        #expect(Books.Row(id: "a/b/..", name: "", cardCount: "", progress: "").study == nil)
    }
}

@Suite struct CreatorViewTests {
    @Test func `Each key sends the name, and an older name that arrives undoes no key`() {
        let view = NameView()
        let recorder = Recorder(view.output)
        view.edit(.text("K"))
        view.edit(.text("a"))
        view.handle(event: .name(text: "K"))
        view.goOn()
        #expect(view.name.text == "Ka")
        #expect(
            recorder.take() == [.nameChanged(name: "K"), .nameChanged(name: "Ka"), .nextTapped])
        view.handle(event: .name(text: "Ka"))
        view.handle(event: .name(text: "Kanji"))
        #expect(view.name.text == "Kanji")
    }

    @Test func `Only the view model enables the next screen`() {
        let view = NameView()
        view.edit(.paste("Kanji\n"))
        #expect(view.name.text == "Kanji")
        #expect(!view.canGoOn)
        view.handle(event: .nextEnabled(isEnabled: true))
        #expect(view.canGoOn)
    }

    @Test func `A terminal that joins a draft has its cursor at the end`() {
        let view = CardsView()
        view.handle(event: .cardsText(text: "a\tb\nc\td", revision: 3))
        #expect(view.text.row == 1)
        #expect(view.text.current.before == "c\td")
        _ = view.edit(.up)
        view.handle(event: .cardsText(text: "a\tb\nc\td\ne", revision: 4))
        #expect(view.text.row == 0)
    }

    @Test func `Esc in one terminal leaves the other with its cards`() {
        let (one, other) = (ScreenView(), ScreenView())
        for view in [one, other] { view.handle(event: .screen(name: .cards)) }
        let recorder = Recorder(one.output)
        one.goBack()
        #expect(recorder.take() == [.backTapped])
        for view in [one, other] { view.handle(event: .screen(name: .name)) }
        #expect((one.name, other.name) == (.name, .cards))
    }

    @Test func `The cards are sent whole, and once for many keys`() {
        let view = CardsView()
        let recorder = Recorder(view.output)
        for key in Key.typing("水\twater\n火") { #expect(view.edit(key)) }
        #expect(recorder.take() == [])
        #expect(view.isUnsent)
        view.sendText()
        view.sendText()
        #expect(recorder.take() == [.cardsChanged(text: "水\twater\n火", revision: 0)])
        #expect(view.edit(.up))
        #expect(!view.isUnsent)
    }

    @Test func `The cards of another terminal are shown`() {
        let view = CardsView()
        view.handle(event: .cardsText(text: "a\tb\nc\td", revision: 3))
        #expect(view.text.text == "a\tb\nc\td")
        #expect(!view.isUnsent)
        let recorder = Recorder(view.output)
        #expect(view.edit(.text("!")))
        view.sendText()
        #expect(recorder.take() == [.cardsChanged(text: "a\tb\nc\td!", revision: 3)])
    }

    @Test func `Typed cards and cards that arrive are merged, and the cursor stays`() {
        let view = CardsView()
        #expect(view.edit(.paste("mine\t1")))
        view.handle(event: .cardsText(text: "theirs\t2", revision: 1))
        #expect(view.text.text == "theirs\t2\nmine\t1")
        #expect(view.text.row == 1)
        #expect(view.isUnsent)
        let recorder = Recorder(view.output)
        #expect(view.edit(.text("!")))
        view.sendText()
        #expect(
            recorder.take() == [.cardsChanged(text: "theirs\t2\nmine\t1!", revision: 1)])
    }

    @Test func `Cards that arrive during an edit wait for its answer`() {
        let view = CardsView()
        #expect(view.edit(.paste("mine\t1")))
        view.sendText()
        #expect(view.edit(.text("2")))
        view.handle(event: .cardsText(text: "theirs\t2", revision: 1))
        view.handle(event: .cardsText(text: "theirs\t2\nmine\t1", revision: 2))
        #expect(view.text.text == "mine\t12")
        let recorder = Recorder(view.output)
        view.sendText()
        #expect(recorder.take() == [])
        view.handled(.cardsChanged(text: "mine\t1", revision: 0))
        #expect(view.text.text == "theirs\t2\nmine\t12")
        view.sendText()
        #expect(
            recorder.take() == [.cardsChanged(text: "theirs\t2\nmine\t12", revision: 2)])
    }

    @Test func `Cards that the daemon has forgotten stay, and are sent again`() {
        let view = CardsView()
        view.handle(event: .cardsText(text: "a\tb", revision: 3))
        #expect(view.edit(.down))
        #expect(view.edit(.end))
        #expect(view.edit(.paste("\nc\td")))
        view.handle(event: .cardsText(text: "", revision: 0))
        #expect(view.text.text == "a\tb\nc\td")
        let recorder = Recorder(view.output)
        view.sendText()
        #expect(recorder.take() == [.cardsChanged(text: "a\tb\nc\td", revision: 0)])
    }

    @Test func `An edit that was refused is not sent again before the next key`() {
        let view = CardsView()
        let recorder = Recorder(view.output)
        #expect(view.edit(.paste("a\tb")))
        view.sendText()
        view.notHandled()
        view.sendText()
        #expect(recorder.take() == [.cardsChanged(text: "a\tb", revision: 0)])
        #expect(view.edit(.text("c")))
        view.sendText()
        #expect(recorder.take() == [.cardsChanged(text: "a\tbc", revision: 0)])
    }

    @Test func `A book is added as the screen shows it`() {
        let view = CardsView()
        let recorder = Recorder(view.output)
        #expect(view.edit(.paste("a\tb")))
        view.add("Kanji")
        #expect(
            recorder.take() == [
                .cardsChanged(text: "a\tb", revision: 0),
                .addTapped(name: "Kanji", text: "a\tb"),
            ])
        var added: [String] = []
        view.onAdded = { added.append("\($0) \($1 ? "all" : "some")") }
        view.handle(event: .added(book: "7"))
        #expect(added == ["7 all"])
        #expect(view.text.isEmpty)
        #expect(!view.isUnsent)
    }

    @Test func `Adding waits for the answer to an edit`() {
        let view = CardsView()
        let recorder = Recorder(view.output)
        #expect(view.edit(.paste("a\tb")))
        view.sendText()
        #expect(view.edit(.text("c")))
        view.add("Kanji")
        #expect(recorder.take() == [.cardsChanged(text: "a\tb", revision: 0)])
        view.handle(event: .cardsText(text: "a\tb", revision: 1))
        view.handled(.cardsChanged(text: "a\tb", revision: 0))
        #expect(
            recorder.take() == [
                .cardsChanged(text: "a\tbc", revision: 1),
                .addTapped(name: "Kanji", text: "a\tbc"),
            ])
    }

    @Test(arguments: [false, true])
    func `Cards that another terminal's new book does not have are the next draft`(
        isEditUnderWay: Bool
    ) {
        let view = CardsView()
        let recorder = Recorder(view.output)
        var hasAll: [Bool] = []
        view.onAdded = { hasAll.append($1) }
        view.handle(event: .cardsText(text: "a\tb\n", revision: 1))
        #expect(view.edit(.down))
        #expect(view.edit(.paste("c\td")))
        if isEditUnderWay { view.sendText() }
        view.handle(event: .added(book: "7"))
        view.handle(event: .cardsText(text: "", revision: 2))
        if isEditUnderWay { #expect(view.notHandled()) }
        #expect(hasAll == [false])
        #expect(view.text.text == "c\td")
        recorder.events = []
        view.sendText()
        #expect(recorder.take() == [.cardsChanged(text: "c\td", revision: 2)])
    }

    @Test func `A terminal whose cards another terminal has added has none left`() {
        let view = CardsView()
        var hasAll: [Bool] = []
        view.onAdded = { hasAll.append($1) }
        view.handle(event: .cardsText(text: "a\tb\n", revision: 1))
        view.handle(event: .added(book: "7"))
        view.handle(event: .cardsText(text: "", revision: 2))
        #expect(hasAll == [true])
        #expect(view.text.isEmpty && !view.isUnsent)
    }

    @Test func `The refusal of another event leaves an edit to be sent`() {
        let view = CardsView()
        #expect(view.edit(.paste("a\tb")))
        #expect(!view.notHandled())
        #expect(view.isUnsent)
    }

    @Test func `Another terminal can lead on to the cards, but not back to the name`() {
        let view = ScreenView()
        let recorder = Recorder(view.output)
        view.handle(event: .screen(name: .cards))
        view.handle(event: .screen(name: .name))
        #expect(view.name == .cards)
        view.goBack()
        // A snapshot from before the daemon handled the event.
        view.handle(event: .screen(name: .cards))
        #expect(view.name == .name)
        #expect(recorder.take() == [.backTapped])
        view.answered()
        view.handle(event: .screen(name: .cards))
        #expect(view.name == .cards)
    }

    @Test func `A text that is too long for a line of the wire is not taken`() {
        let view = CardsView()
        #expect(view.edit(.paste("a\tb\n")))
        #expect(!view.edit(.paste(String(repeating: "x", count: 60_001))))
        // Each tab takes two bytes of JSON.
        #expect(!view.edit(.paste(String(repeating: "\t", count: 40_000))))
        #expect(view.text.text == "a\tb\n")
        #expect(view.edit(.paste(String(repeating: "x", count: 50_000))))
    }
}

@Suite struct StudyViewTests {
    @Test func `A card is hidden, then revealed, and gone when all are known`() {
        let view = StudyView()
        let recorder = Recorder(view.output)
        #expect(!view.state.isKnown)
        view.handle(event: .card(front: "水", position: 3, of: 12, back: nil))
        view.handle(event: .progress(text: "43% KNOWN"))
        view.handle(event: .done(isDone: false))
        #expect(view.state.line == "43% KNOWN  3 of 12  水")
        #expect(!view.state.isRevealed)
        view.handle(event: .card(front: "水", position: 3, of: 12, back: "water\nagua"))
        #expect(view.state.line == "43% KNOWN  3 of 12  水 = water agua")
        #expect(view.state.isRevealed)
        view.reveal()
        view.answer(isKnown: true)
        view.answer(isKnown: false)
        #expect(recorder.take() == [.reveal, .known, .unknown])
        view.handle(event: .progress(text: "100% KNOWN"))
        view.handle(event: .done(isDone: true))
        #expect(view.state.current == nil)
        #expect(view.state.line == "100% KNOWN  done")
    }

    @Test func `An undo after the end shows the last card again, though it has not changed`() {
        let view = StudyView()
        view.handle(event: .card(front: "水", position: 1, of: 1, back: "water"))
        view.handle(event: .done(isDone: true))
        view.handle(event: .done(isDone: false))
        #expect(view.state.current?.front == "水")
    }

    @Test func `A card that arrives after the end is shown`() {
        let view = StudyView()
        view.handle(event: .done(isDone: true))
        view.handle(event: .card(front: "火", position: 1, of: 1, back: nil))
        view.handle(event: .done(isDone: false))
        #expect(view.state.current?.front == "火")
    }
}
