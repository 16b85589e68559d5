import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal
import BusdScreensTestSupport
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
@Suite struct PagesTests {
    private let stage = RecordingStage()
    private let connection: BusConnection
    private let books = BooksView()

    init() throws {
        connection = BusConnection(loop: try ClientLoop(), path: "/nowhere/busd.sock")
    }

    private func drawn(_ page: any Page) -> String {
        text(60, 12) { page.draw(on: &$0, in: $1) }
    }

    @Test func `without a daemon the library waits, and leads to other pages`() {
        let page = BooksPage(books, connection, on: stage)
        #expect(drawn(page).contains("Waiting for the daemon…"))
        #expect(page.hints == [])
        for key in [Key.text("n"), .text("?"), .enter, .text("d"), .escape, .text("q")] {
            page.press(key)
        }
        #expect(stage.steps == [.create, .help, .quit])
        #expect(page.question == nil)
    }

    @Test func `a book is studied, and deleted after a question`() {
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

    @Test func `the book in the question is deleted, even if the list changes`() {
        let page = BooksPage(books, connection, on: stage)
        let recorder = Recorder(books.output)
        books.handle(event: .books(books: [row(3), row(4)]))
        page.press(.text("d"))
        books.handle(event: .booksEdited(edits: [.delete(at: 0)]))
        page.press(.text("y"))
        #expect(recorder.take() == [.deleteBook(book: "3")])
    }

    @Test func `a typed name is shown before the daemon has it`() {
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

    @Test func `a study waits for its card, and can be left`() {
        let page = StudyPage(.literal("study/3"), in: books, connection, on: stage)
        #expect(drawn(page).contains("Waiting for study/3…"))
        #expect(page.summary == "")
        #expect(page.hints == [])
        for key in [Key.text("?"), .escape, .text("q"), .text("x")] { page.press(key) }
        #expect(stage.steps == [.help, .back, .quit])
    }

    @Test func `any key leaves the help, and q the program`() {
        let page = HelpPage(on: stage)
        #expect(drawn(page).contains("reveal the card"))
        page.press(.text("x"))
        page.press(.text("q"))
        #expect(stage.steps == [.back, .quit])
    }
}
