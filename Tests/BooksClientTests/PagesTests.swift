import BusdBooksEvents
import BusdClient
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import books

private final class RecordingStage: PageHost {
    var steps: [Step] = []
    var notices: [String] = []

    func changed() {}
    func showNotice(_ notice: String) { notices.append(notice) }
    func go(_ step: Step) { steps.append(step) }
}

/// Pages without a daemon.
@Suite(.showsScreens) struct PagesTests {
    private let stage = RecordingStage()
    private let connection: BusConnection
    private let books = BooksView()

    init() throws {
        connection = BusConnection(loop: try ClientLoop(), path: "/nowhere/busd.sock")
    }

    private func drawn(_ page: any Page) -> String {
        text(60, 12) { page.draw(on: &$0, in: $1) }
    }

    @Test func `Without a daemon the library waits, and leads to other pages`() {
        let page = BooksPage(books, connection, on: stage)
        #expect(drawn(page).contains("Waiting for the daemon…"))
        #expect(page.hints == [])
        for key in [Key.text("n"), .text("?"), .enter, .text("d"), .escape, .text("q")] {
            page.press(key)
        }
        #expect(stage.steps == [.create, .help, .quit])
        #expect(page.question == nil)
    }

    @Test func `A book is studied, and deleted after a question`() {
        let page = BooksPage(books, connection, on: stage)
        let recorder = Recorder(books.output)
        books.handle(event: .books(books: [row(3), row(4, "Swahili", 1)]))
        page.press(.enter)
        page.touch(.row("4"))
        page.touch(.row("4"))
        #expect(stage.steps == [.study(.literal("study/3")), .study(.literal("study/4"))])
        page.press(.text("d"))
        #expect(page.question == "Delete Swahili with its 1 card? y/n")
        page.press(.text("n"))
        #expect(page.question == nil)
        page.press(.text("d"))
        page.press(.text("y"))
        page.press(.text("K"))
        #expect(recorder.take() == [.deleteBook(book: "4"), .moveBook(book: "4", to: 0)])
    }

    @Test func `The book in the question is deleted, even if the list changes`() {
        let page = BooksPage(books, connection, on: stage)
        let recorder = Recorder(books.output)
        books.handle(event: .books(books: [row(3), row(4)]))
        page.press(.text("d"))
        books.handle(event: .booksEdited(edits: [.delete(at: 0)]))
        page.press(.text("y"))
        #expect(recorder.take() == [.deleteBook(book: "3")])
    }

    @Test func `A deleted book has only the key that takes the deletion back`() {
        let page = BooksPage(books, connection, on: stage)
        let recorder = Recorder(books.output)
        var marked = row(3)
        marked.isDeleted = true
        books.handle(event: .books(books: [marked, row(4)]))
        for key in [Key.enter, .text("d"), .text("r"), .text("c")] { page.press(key) }
        #expect(stage.steps == [])
        #expect(stage.notices == Array(repeating: "deleted: u takes it back", count: 4))
        #expect(page.question == nil)
        page.press(.text("u"))
        page.press(.down)
        page.press(.text("u"))
        page.press(.text("c"))
        page.press(.text("r"))
        #expect(recorder.take() == [.restoreBook(book: "3")])
        #expect(stage.steps == [.cards("4", at: 0), .rename(row(4))])
    }

    @Test func `A book is renamed with the name that was seen`() {
        let page = RenamePage(row(3), books, on: stage)
        let recorder = Recorder(books.output)
        #expect(drawn(page).contains("Name Kanji"))
        page.press(.control("u"))
        page.press(.enter)
        #expect(stage.notices == ["the name is missing"])
        #expect(stage.steps == [])
        for key in Key.typing("Kana") { page.press(key) }
        page.press(.enter)
        page.press(.escape)
        #expect(recorder.take().map { "\($0)" }.count == 1)
        #expect(stage.steps == [.back, .back])
    }

    @Test func `A card is edited on two sides, and not saved without a connection`() {
        let page = CardEditorPage(
            CardToEdit(book: "3", place: 1, card: Card(front: "水", back: "watre")), connection,
            on: stage)
        #expect(
            drawn(page) == """
                    Card 2                                         Save

                    Front  水




                    Back   watre

                """)
        page.press(.control("d"))
        #expect(stage.steps == [.back])
        page.press(.tab)
        page.press(.backspace)
        page.press(.control("d"))
        #expect(stage.notices == ["not saved: there is no connection"])
        page.press(.escape)
        #expect(stage.steps == [.back, .back])
        let new = CardEditorPage(CardToEdit(book: "3", place: 0, card: nil), connection, on: stage)
        new.press(.control("d"))
        #expect(stage.notices.last == "a card needs a front or a back")
        new.press(.paste(String(repeating: "x", count: 24_001)))
        #expect(stage.notices.last == "too long for a card")
    }

    @Test func `A typed name is shown before the daemon has it`() {
        let page = CreatorPage(.literal("book-creator/ann"), connection, on: stage)
        for key in Key.typing("Kanji") { page.press(key) }
        #expect(
            drawn(page) == """
                    New book · draft ann                           Next



                     Name Kanji

                          Its cards come next.
                          Any terminal can go on with it.

                """)
        page.press(.escape)
        #expect(stage.steps == [.back])
    }

    @Test func `A study waits for its card, and can be left`() {
        let page = StudyPage(.literal("study/3"), in: books, connection, on: stage)
        #expect(drawn(page).contains("Waiting for book 3…"))
        #expect(page.summary == "")
        #expect(page.hints == [])
        for key in [Key.text("?"), .escape, .text("q"), .text("x")] { page.press(key) }
        #expect(stage.steps == [.help, .back, .quit])
    }

    @Test func `Any key leaves the help, and q the program`() {
        let page = HelpPage(on: stage)
        #expect(drawn(page).contains("reveal the card"))
        page.press(.text("x"))
        page.press(.text("q"))
        #expect(stage.steps == [.back, .quit])
    }
}
