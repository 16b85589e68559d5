import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdBooks

@Suite struct BookCreatorViewModelTests {
    private let world = BooksFixture()

    private func creator() throws -> RecordingView<BookCreatorViewModel> {
        let view = world.watch(try world.creator())
        view.forget()
        return view
    }

    /// A creator with a complete draft, on the second screen.
    private func complete() throws -> RecordingView<BookCreatorViewModel> {
        let view = try creator()
        view.send(.nameChanged(name: "Kanji"))
        view.send(.nextTapped)
        view.send(.cardsChanged(text: "水\twater\n"))
        view.forget()
        return view
    }

    @Test func `A book creator begins with an empty draft on its first screen`() throws {
        world.watch(try world.creator()).expect(
            .screen(name: .name), .name(text: ""), .cardsText(text: "", revision: 0),
            .cards(count: 0, problems: []), .nextEnabled(isEnabled: false),
            .addEnabled(isEnabled: false))
    }

    @Test func `A name and then cards become a book`() throws {
        let view = try creator()
        view.send(.nameChanged(name: "Kanji"))
        view.expect(.name(text: "Kanji"), .nextEnabled(isEnabled: true))
        view.send(.nextTapped)
        view.expect(.screen(name: .cards))
        view.send(.cardsChanged(text: "水\twater\n火\tfire\n"))
        view.expect(
            .cardsText(text: "水\twater\n火\tfire\n", revision: 1),
            .cards(count: 2, problems: []), .addEnabled(isEnabled: true))
        view.send(.addTapped())
        view.expect(
            .added(book: "1"), .screen(name: .name), .name(text: ""),
            .cardsText(text: "", revision: 2), .cards(count: 0, problems: []),
            .nextEnabled(isEnabled: false),
            .addEnabled(isEnabled: false))
        let cards = [Card(front: "水", back: "water"), Card(front: "火", back: "fire")]
        #expect(world.books[.first] == Book(BookSeed(name: try Name("Kanji"), cards: cards)))
    }

    @Test func `A book creator goes on to the cards only with a valid name`() throws {
        let view = try creator()
        view.send(.nextTapped)
        view.expectNothing()
        view.send(.nameChanged(name: "a\tb"))
        view.send(.nextTapped)
        view.expect(.name(text: "a\tb"))
    }

    @Test func `Going back to the name keeps the draft of a book`() throws {
        let view = try complete()
        view.send(.nextTapped)
        view.expectNothing()
        view.send(.backTapped)
        view.expect(.screen(name: .name))
        view.send(.backTapped)
        view.expectNothing()
        view.send(.nextTapped)
        view.expect(.screen(name: .cards))
        world.watch(view.model).expect(
            .screen(name: .cards), .name(text: "Kanji"),
            .cardsText(text: "水\twater\n", revision: 1), .cards(count: 1, problems: []),
            .nextEnabled(isEnabled: true), .addEnabled(isEnabled: true))
    }

    @Test(arguments: [
        (String(repeating: "x", count: 40), true), (String(repeating: "x", count: 41), false),
        (String(repeating: "👩‍👩‍👧", count: 40), true),
        (String(repeating: "👩‍👩‍👧", count: 41), false),
        (String(repeating: "e\u{301}", count: 40), true), (" ", true), ("水", true),
        ("", false), ("a\tb", false), ("\u{7F}", false), ("\u{85}", false), ("a\nb", false),
    ])
    func `A book needs a name of at most 40 characters`(name: String, isGood: Bool) throws {
        let view = try complete()
        view.send(.nameChanged(name: "before"))
        view.forget()
        view.send(.nameChanged(name: name))
        view.expect(.name(text: name))
        if !isGood { view.expect(.nextEnabled(isEnabled: false), .addEnabled(isEnabled: false)) }
        view.send(.addTapped())
        #expect(
            world.books.ids.compactMap { world.books.summary(of: $0)?.name.text }
                == (isGood ? [name] : []))
        if !isGood { view.expectNothing() }
        view.forget()
    }

    @Test func `A book creator counts the cards and reports problems with lines`() throws {
        let view = try complete()
        view.send(.cardsChanged(text: "a\tb\n\nc\td\nno tab\n"))
        view.expect(
            .cardsText(text: "a\tb\n\nc\td\nno tab\n", revision: 2),
            .cards(count: 2, problems: ["line 4 has no tab"]), .addEnabled(isEnabled: false))
        view.send(.addTapped())
        view.expectNothing()
        view.send(.cardsChanged(text: "a\tb\n\nc\td\n"))
        view.expect(
            .cardsText(text: "a\tb\n\nc\td\n", revision: 3),
            .cards(count: 2, problems: []), .addEnabled(isEnabled: true))
        view.send(.cardsChanged(text: "\n\n"))
        view.expect(
            .cardsText(text: "\n\n", revision: 4), .cards(count: 0, problems: []),
            .addEnabled(isEnabled: false))
        view.send(.addTapped())
        view.expectNothing()
        #expect(world.books.ids.isEmpty)
    }

    @Test func `A book creator takes an export of Anki`() throws {
        let view = try complete()
        view.send(
            .cardsChanged(
                text: """
                    #separator:tab
                    #html:true
                    #tags column:3
                    水\t<b>water</b>\tn5
                    """))
        view.forget()
        view.send(.addTapped())
        view.forget()
        #expect(world.books[.first]?.cards == [Card(front: "水", back: "water")])
    }

    @Test func `A complete draft can be added from either screen`() throws {
        let view = try complete()
        view.send(.backTapped)
        view.send(.addTapped())
        view.expect(
            .screen(name: .name), .added(book: "1"), .name(text: ""),
            .cardsText(text: "", revision: 2), .cards(count: 0, problems: []),
            .nextEnabled(isEnabled: false),
            .addEnabled(isEnabled: false))
    }

    @Test func `A draft becomes one book, even if it is added twice`() throws {
        let view = try complete()
        view.send(.addTapped())
        view.send(.addTapped())
        view.forget()
        #expect(world.books.count == 1)
    }

    @Test func `Two views of a book creator share one draft`() throws {
        let view = try creator()
        let other = world.watch(view.model)
        other.forget()
        view.send(.nameChanged(name: "Kanji"))
        view.send(.nextTapped)
        other.send(.cardsChanged(text: "水\twater"))
        for view in [view, other] {
            view.expect(
                .name(text: "Kanji"), .nextEnabled(isEnabled: true), .screen(name: .cards),
                .cardsText(text: "水\twater", revision: 1), .cards(count: 1, problems: []),
                .addEnabled(isEnabled: true))
        }
        other.send(.addTapped())
        for view in [view, other] {
            view.expect(
                .added(book: "1"), .screen(name: .name), .name(text: ""),
                .cardsText(text: "", revision: 2), .cards(count: 0, problems: []),
                .nextEnabled(isEnabled: false),
                .addEnabled(isEnabled: false))
        }
    }

    @Test func `The edits of two views are merged by line`() throws {
        let view = try creator()
        view.send(.cardsChanged(text: "a\tb\n", revision: 0))
        view.send(.cardsChanged(text: "a\tb\nc\td\n", revision: 1))
        view.forget()
        view.send(.cardsChanged(text: "A\tb\n", revision: 1))
        view.expect(.cardsText(text: "A\tb\nc\td\n", revision: 3))
        view.send(.cardsChanged(text: "x\ty", revision: nil))
        view.expect(
            .cardsText(text: "x\ty", revision: 4), .cards(count: 1, problems: []))
    }

    @Test func `An edit of a forgotten revision is refused`() throws {
        let view = try creator()
        for number in 1...6 { view.send(.cardsChanged(text: "\(number)\tb", revision: number - 1)) }
        view.forget()
        let stale = Refusal(
            .stale, "the cards were changed elsewhere: edit the newest revision")
        #expect(view.model.refusal(of: .cardsChanged(text: "a\tb", revision: 1)) == stale)
        #expect(view.model.refusal(of: .cardsChanged(text: "a\tb", revision: 2)) == nil)
        #expect(view.model.refusal(of: .cardsChanged(text: "a\tb", revision: 7)) == stale)
        // A new daemon has lost the draft, and accepts the edit.
        #expect(try creator().model.refusal(of: .cardsChanged(text: "a", revision: 7)) == nil)
    }

    @Test func `Texts of up to 1,000 lines together are merged`() throws {
        let view = try creator()
        let base = String(repeating: "a\tb\n", count: 331)
        view.send(.cardsChanged(text: base, revision: nil))
        view.send(.cardsChanged(text: base + "c\td\n", revision: 1))
        view.forget()
        let stale = Refusal(
            .stale, "the cards were changed elsewhere: edit the newest revision")
        // The base has 331 line ends, the newest text 332, the edit 336: fewer than 1,000 together.
        let edit = String(repeating: "a\tb\n", count: 336)
        #expect(view.model.refusal(of: .cardsChanged(text: edit, revision: 1)) == nil)
        #expect(view.model.refusal(of: .cardsChanged(text: edit + "\n", revision: 1)) == stale)
        #expect(view.model.refusal(of: .cardsChanged(text: edit + "\n", revision: 2)) == nil)
    }

    @Test func `An edit of a draft that has become a book is refused`() throws {
        let view = try complete()
        view.send(.addTapped())
        view.forget()
        let edit = BookCreator.ViewEvent.cardsChanged(text: "late\tedit", revision: 1)
        #expect(view.model.refusal(of: edit)?.code == .stale)
    }

    @Test func `An edit that merging makes too long is refused`() throws {
        let view = try creator()
        let long = String(repeating: "x", count: 65_000)
        view.send(.cardsChanged(text: "a" + long, revision: 0))
        view.send(.cardsChanged(text: "b" + long, revision: 0))
        view.forget()
        let refusal = view.model.refusal(of: .cardsChanged(text: "c" + long, revision: 0))
        #expect(
            refusal
                == Refusal(
                    .badEvent, "the cards in a draft have at most 131072 bytes (limit draftText)",
                    at: "text"))
    }

    @Test func `A book is added only if the screen shows the newest draft`() throws {
        let view = try complete()
        func refusal(_ name: String?, _ text: String?) -> Refusal? {
            view.model.refusal(of: .addTapped(name: name, text: text))
        }
        let stale = Refusal(
            .stale, "the draft was changed elsewhere: look at it, then add it")
        #expect(refusal("Kanji", "火\tfire\n") == stale)
        #expect(refusal("Hanzi", nil) == stale)
        #expect(refusal("Kanji", "水\twater\n") == nil)
        view.send(.addTapped(name: "Kanji", text: "水\twater\n"))
        #expect(world.books[.first]?.cards == [Card(front: "水", back: "water")])
        view.forget()
    }

    @Test func `One event can add a book to an empty draft, and a bad one is refused`() throws {
        let view = try creator()
        func refusal(_ name: String, _ text: String) -> Refusal? {
            view.model.refusal(of: .addTapped(name: name, text: text))
        }
        #expect(
            refusal("", "a\tb") == Refusal(.badEvent, "the name of the book is missing", at: "name")
        )
        #expect(refusal("Kanji", "a") == Refusal(.badEvent, "line 1 has no tab", at: "text"))
        #expect(refusal("Kanji", "") == Refusal(.badEvent, "there are no cards", at: "text"))
        #expect(refusal("Kanji", "a\tb") == nil)
        view.send(.addTapped(name: "Kanji", text: "a\tb"))
        view.expect(.added(book: "1"))
    }

    @Test func `A view that binds later gets the draft of a book, but no message`() throws {
        let view = try complete()
        view.send(.addTapped())
        view.forget()
        world.watch(view.model).expect(
            .screen(name: .name), .name(text: ""), .cardsText(text: "", revision: 2),
            .cards(count: 0, problems: []), .nextEnabled(isEnabled: false),
            .addEnabled(isEnabled: false))
    }

    @Test func `A book creator is released with its view`() throws {
        weak var model: BookCreatorViewModel?
        do {
            let view = try complete()
            model = view.model
            #expect(model != nil)
        }
        #expect(model == nil)
    }

    @Test func `A book creator is made on demand, and is not durable`() {
        #expect(BookCreatorViewModel.placement == .onDemand)
        #expect(!((BookCreatorViewModel.self as Any) is any DurableViewModel.Type))
    }
}
