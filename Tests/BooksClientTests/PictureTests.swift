import BusdBooksEvents
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import books

@Suite(.showsScreens) struct BooksPictureTests {
    private var state: BooksState {
        var state = BooksState()
        state.apply(
            .books(books: [
                row(1), row(12, "日本の名前", 1, 100), row(3, "A name that is rather long", 4_000, 0),
            ]))
        state.apply(.currentProgress(text: "43% KNOWN", known: 43, cards: 100))
        state.choose("12")
        return state
    }

    private func drawn(_ state: BooksState, _ columns: Int, _ rows: Int) -> Picture {
        picture(columns, rows) { BooksPicture(state: state).draw(on: &$0, in: $1) }
    }

    @Test func `Each book is one line, below the progress of all books`() {
        #expect(
            drawn(state, 80, 6).frame.text == """
                    Books                                      43% KNOWN  ━━━━━━━━────────────

                     1  Kanji                                  120 cards   ━━━━━━────────  43%
                  ▸ 12  日本の名前                                1 card   ━━━━━━━━━━━━━━ 100%
                     3  A name that is rather long            4000 cards   ──────────────   0%

                """)
        #expect(drawn(state, 80, 6).frame.hiddenCursor == Point(column: 2, row: 3))
    }

    @Test func `On a small screen the name and the bars are shorter`() {
        #expect(
            drawn(state, 40, 6).frame.text == """
                  Books                        43% KNOWN

                   1  Kanji              120 cards   43%
                ▸ 12  日本の名前            1 card  100%
                   3  A name that is …  4000 cards    0%

                """)
    }

    @Test func `A deleted book says how this is taken back`() {
        var state = BooksState()
        var marked = row(3, "A name that is rather long", 4_000, 0)
        marked.isDeleted = true
        state.apply(.books(books: [row(1), marked]))
        #expect(
            drawn(state, 80, 5).frame.lines[3]
                == "     3  A name that is rather long                    "
                + "deleted: u takes it back")
        #expect(
            drawn(state, 40, 5).frame.lines[3] == "   3  A name …  deleted: u takes it back")
    }

    @Test func `A click on a row is a click on its book`() {
        let picture = drawn(state, 80, 6)
        #expect(picture.touch(at: Point(column: 40, row: 4)) == .row("3"))
        #expect(picture.touch(at: Point(column: 40, row: 5)) == nil)
    }

    @Test func `A long list is shown around the chosen row, and counted`() {
        var state = BooksState()
        state.apply(.books(books: (1...100).map { row($0) }))
        state.list.move(by: 50)
        let lines = drawn(state, 60, 7).frame.lines
        #expect(lines[0] == "    Books  51 of 100")
        #expect(
            lines.dropFirst(2).map { $0.prefix(8) } == [
                "    49  ", "    50  ", "  ▸ 51  ", "    52  ", "    53  ",
            ])
    }

    @Test func `The library shows that it waits for the daemon, or has no books`() {
        var state = BooksState()
        #expect(drawn(state, 60, 8).frame.text.contains("Waiting for the daemon…"))
        state.apply(.books(books: []))
        #expect(drawn(state, 60, 8).frame.text.contains("No books yet: n begins one."))
    }

    @Test func `The library draws nothing outside its area`() {
        for columns in stride(from: 0, through: 100, by: 5) {
            for rows in 0...12 {
                expectInside(columns, rows) { BooksPicture(state: state).draw(on: &$0, in: $1) }
            }
        }
    }
}

@Suite(.showsScreens) struct CreatorPictureTests {
    private func view(_ text: String = "水\twater\nfire\n") -> CardsView {
        let view = CardsView()
        if !text.isEmpty { #expect(view.edit(.paste(text))) }
        view.handle(event: .cards(count: 1, problems: ["line 2 has no tab"]))
        return view
    }

    private func draw(
        _ view: CardsView, _ screen: BookCreator.Screen = .cards, canGoOn: Bool = false
    ) -> (inout Picture, Area) -> Void {
        { picture, area in
            CreatorPicture(
                draft: "ann", screen: screen, name: TextField("Kanji"), canGoOn: canGoOn,
                cards: CardsState(view)
            ).draw(on: &picture, in: area)
        }
    }

    @Test func `Each line has the front and the back of a card, with problems below`() {
        #expect(
            text(60, 12, draw(view())) == """
                    Kanji · draft ann                               Add

                     1  水 → water
                     2  fire
                     3





                    1 card
                    line 2 has no tab

                """)
    }

    @Test func `The creator fits a small screen`() {
        #expect(
            text(40, 8, draw(view())) == """
                Kanji · draft ann                   Add
                 1  水 → water
                 2  fire
                 3


                1 card
                line 2 has no tab

                """)
    }

    @Test func `The cursor is shown in its line`() {
        let view = view()
        #expect(picture(60, 12, draw(view)).frame.cursor == Point(column: 8, row: 4))
        _ = view.edit(.up)
        _ = view.edit(.up)
        _ = view.edit(.end)
        #expect(picture(60, 12, draw(view)).frame.cursor == Point(column: 18, row: 2))
    }

    @Test func `An empty creator shows what to do`() {
        let empty = CardsView()
        #expect(text(60, 12, draw(empty)).contains("Paste or type the cards, one"))
    }

    @Test func `The buttons can be clicked once they are enabled`() throws {
        let view = view()
        let next = try #require(place(of: "Next", in: picture(60, 12, draw(view, .name))))
        #expect(picture(60, 12, draw(view, .name)).touch(at: next) == nil)
        #expect(picture(60, 12, draw(view, .name, canGoOn: true)).touch(at: next) == .key(.enter))
        view.handle(event: .addEnabled(isEnabled: true))
        let add = try #require(place(of: "Add", in: picture(60, 12, draw(view))))
        #expect(picture(60, 12, draw(view)).touch(at: add) == .key(.control("d")))
    }

    @Test func `Only the first of many problems are shown`() {
        let view = view()
        view.handle(event: .cards(count: 0, problems: (1...21).map { "line \($0) has no tab" }))
        let lines = text(60, 16, draw(view)).split(separator: "\n")
        #expect(lines.suffix(2) == ["    line 3 has no tab", "    and 18 more"])
    }

    @Test func `The creator draws nothing outside its area`() {
        let view = view(String(repeating: "a front\ta back that is long\n", count: 20))
        for columns in stride(from: 0, through: 100, by: 5) {
            for rows in 0...25 {
                expectInside(columns, rows, draw(view))
                expectInside(columns, rows, draw(view, .name))
            }
        }
    }
}

@Suite(.showsScreens) struct StudyPictureTests {
    private func state(_ front: String, _ back: String?) -> StudyState {
        var state = StudyState()
        state.apply(.card(front: front, position: 3, of: 12, back: back))
        state.apply(.progress(text: "43% KNOWN"))
        return state
    }

    private func draw(_ state: StudyState) -> (inout Picture, Area) -> Void {
        { StudyPicture(title: "Kanji", state: state).draw(on: &$0, in: $1) }
    }

    @Test func `A card has its front above and its back below`() {
        #expect(
            text(40, 11, draw(state("水", "water"))) == """
                Kanji                          43% KNOWN
                ╭─ card 3 of 12 ───────────────────────╮
                │                                      │
                │                  水                  │
                │                                      │
                │   ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄   │
                │                                      │
                │                water                 │
                │                                      │
                │                                      │
                ╰──────────────────────────────────────╯

                """)
    }

    @Test func `A long front is wrapped, and takes the rows that the back does not need`() {
        let front =
            "What is it that goes on four legs in the morning, on two legs at noon, and on "
            + "three legs in the evening?"
        #expect(
            text(40, 10, draw(state(front, "Man"))) == """
                Kanji                          43% KNOWN
                ╭─ card 3 of 12 ───────────────────────╮
                │       What is it that goes on        │
                │      four legs in the morning,       │
                │     on two legs at noon, and on      │
                │      three legs in the evening?      │
                │   ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄   │
                │                 Man                  │
                │                                      │
                ╰──────────────────────────────────────╯

                """)
    }

    @Test func `The front and the back share the rows as they need them`() {
        #expect(CardPicture.share(1, 1, of: 9) == 4)
        #expect(CardPicture.share(7, 1, of: 9) == 7)
        #expect(CardPicture.share(9, 1, of: 9) == 8)
        #expect(CardPicture.share(1, 7, of: 9) == 2)
        #expect(CardPicture.share(3, 9, of: 9) == 3)
        #expect(CardPicture.share(9, 9, of: 9) == 4)
    }

    @Test func `A click on a hidden card reveals it`() {
        let middle = Point(column: 20, row: 5)
        #expect(picture(40, 11, draw(state("水", nil))).touch(at: middle) == .key(.text(" ")))
        #expect(picture(40, 11, draw(state("水", "water"))).touch(at: middle) == nil)
    }

    @Test func `A finished study shows that nothing is left`() {
        var state = state("水", "water")
        state.apply(.progress(text: "100% KNOWN"))
        state.apply(.done(isDone: true))
        let text = text(40, 11, draw(state))
        #expect(text.contains("Nothing is left to learn here."))
        #expect(text.contains("100% KNOWN"))
    }

    @Test func `A study draws nothing outside its area`() {
        let state = state(String(repeating: "水 and fire ", count: 30), "water")
        for columns in stride(from: 0, through: 100, by: 5) {
            for rows in 0...25 { expectInside(columns, rows, draw(state)) }
        }
    }

    @Test func `A bar is as full as its text says`() {
        func bar(_ percent: String) -> String {
            text(10, 1) { ProgressBar(percent).draw(on: &$0.frame, in: $1) }
        }
        #expect(bar("43% KNOWN") == "━━━━──────\n")
        #expect(bar("100%") == "━━━━━━━━━━\n")
        #expect(bar("999%") == "━━━━━━━━━━\n")
        #expect(bar("soon") == "──────────\n")
    }
}
