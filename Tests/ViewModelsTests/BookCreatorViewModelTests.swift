import Protocol
import TestKit
import Testing
import ViewModels

@Suite struct `A book creator` {
    private let world = BooksWorld()

    private func creator() throws -> RecordingView<BookCreatorViewModel> {
        let view = RecordingView(try world.creator())
        view.forget()
        return view
    }

    /// One whose draft could be added, on the second screen.
    private func complete() throws -> RecordingView<BookCreatorViewModel> {
        let view = try creator()
        view.send(.nameChanged(name: "Kanji"))
        view.send(.nextTapped)
        view.send(.cardsChanged(text: "水\twater\n"))
        view.forget()
        return view
    }

    @Test func `begins with an empty draft on its first screen`() throws {
        RecordingView(try world.creator()).expect(
            .screen(name: .name), .name(text: ""), .cards(count: 0, problems: []),
            .nextEnabled(isEnabled: false), .addEnabled(isEnabled: false))
    }

    @Test func `goes from a name to cards to a book`() throws {
        let view = try creator()
        view.send(.nameChanged(name: "Kanji"))
        view.expect(.name(text: "Kanji"), .nextEnabled(isEnabled: true))
        view.send(.nextTapped)
        view.expect(.screen(name: .cards))
        view.send(.cardsChanged(text: "水\twater\n火\tfire\n"))
        view.expect(.cards(count: 2, problems: []), .addEnabled(isEnabled: true))
        view.send(.addTapped)
        view.expect(
            .added(book: "1"), .screen(name: .name), .name(text: ""),
            .cards(count: 0, problems: []), .nextEnabled(isEnabled: false),
            .addEnabled(isEnabled: false))
        let cards = [Card(front: "水", back: "water"), Card(front: "火", back: "fire")]
        #expect(world.library.book(.first) == Book(name: try Name("Kanji"), cards: cards))
    }

    @Test func `goes on to the cards only with a good name`() throws {
        let view = try creator()
        view.send(.nextTapped)
        view.expectNothing()
        view.send(.nameChanged(name: "a\tb"))
        view.send(.nextTapped)
        view.expect(.name(text: "a\tb"))
    }

    @Test func `goes back, and keeps everything`() throws {
        let view = try complete()
        view.send(.nextTapped)
        view.expectNothing()
        view.send(.backTapped)
        view.expect(.screen(name: .name))
        view.send(.backTapped)
        view.expectNothing()
        view.send(.nextTapped)
        view.expect(.screen(name: .cards))
        RecordingView(view.model).expect(
            .screen(name: .cards), .name(text: "Kanji"), .cards(count: 1, problems: []),
            .nextEnabled(isEnabled: true), .addEnabled(isEnabled: true))
    }

    @Test(arguments: [
        (String(repeating: "x", count: 40), true), (String(repeating: "x", count: 41), false),
        (String(repeating: "👩‍👩‍👧", count: 40), true),
        (String(repeating: "👩‍👩‍👧", count: 41), false),
        (String(repeating: "e\u{301}", count: 40), true), (" ", true), ("水", true),
        ("", false), ("a\tb", false), ("\u{7F}", false), ("\u{85}", false), ("a\nb", false),
    ])
    func `knows a good name, as a reader counts characters`(name: String, isGood: Bool) throws {
        let view = try complete()
        view.send(.nameChanged(name: "before"))
        view.forget()
        view.send(.nameChanged(name: name))
        view.expect(.name(text: name))
        if !isGood { view.expect(.nextEnabled(isEnabled: false), .addEnabled(isEnabled: false)) }
        view.send(.addTapped)
        #expect(world.library.summaries.map(\.name.text) == (isGood ? [name] : []))
        if !isGood { view.expectNothing() }
        view.forget()
    }

    @Test func `counts the cards and tells what is wrong with lines`() throws {
        let view = try complete()
        view.send(.cardsChanged(text: "a\tb\n\nc\td\nno tab\n"))
        view.expect(
            .cards(count: 2, problems: ["line 4 has no tab"]), .addEnabled(isEnabled: false))
        view.send(.addTapped)
        view.expectNothing()
        view.send(.cardsChanged(text: "a\tb\n\nc\td\n"))
        view.expect(.cards(count: 2, problems: []), .addEnabled(isEnabled: true))
        view.send(.cardsChanged(text: "\n\n"))
        view.expect(.cards(count: 0, problems: []), .addEnabled(isEnabled: false))
        view.send(.addTapped)
        view.expectNothing()
        #expect(world.library.summaries.isEmpty)
    }

    @Test func `takes an export of Anki`() throws {
        let view = try complete()
        view.send(
            .cardsChanged(
                text: """
                    #separator:tab
                    #html:true
                    #tags column:3
                    水\t<b>water</b>\tn5
                    """))
        view.expectNothing()
        view.send(.addTapped)
        view.forget()
        #expect(world.library.book(.first)?.cards == [Card(front: "水", back: "water")])
    }

    @Test func `adds from either screen what is complete`() throws {
        let view = try complete()
        view.send(.backTapped)
        view.send(.addTapped)
        view.expect(
            .screen(name: .name), .added(book: "1"), .name(text: ""),
            .cards(count: 0, problems: []), .nextEnabled(isEnabled: false),
            .addEnabled(isEnabled: false))
    }

    @Test func `adds one book a draft`() throws {
        let view = try complete()
        view.send(.addTapped)
        view.send(.addTapped)
        view.forget()
        #expect(world.library.summaries.count == 1)
    }

    @Test func `has one draft for two views`() throws {
        let view = try creator()
        let other = RecordingView(view.model)
        other.forget()
        view.send(.nameChanged(name: "Kanji"))
        view.send(.nextTapped)
        other.send(.cardsChanged(text: "水\twater"))
        for view in [view, other] {
            view.expect(
                .name(text: "Kanji"), .nextEnabled(isEnabled: true), .screen(name: .cards),
                .cards(count: 1, problems: []), .addEnabled(isEnabled: true))
        }
        other.send(.addTapped)
        for view in [view, other] {
            view.expect(
                .added(book: "1"), .screen(name: .name), .name(text: ""),
                .cards(count: 0, problems: []), .nextEnabled(isEnabled: false),
                .addEnabled(isEnabled: false))
        }
    }

    @Test func `says its draft, not its message, to a view that comes later`() throws {
        let view = try complete()
        view.send(.addTapped)
        view.forget()
        RecordingView(view.model).expect(
            .screen(name: .name), .name(text: ""), .cards(count: 0, problems: []),
            .nextEnabled(isEnabled: false), .addEnabled(isEnabled: false))
    }

    @Test func `has its draft again where the book could not be kept`() throws {
        let view = try complete()
        let draft = view.model.draft
        view.send(.addTapped)
        view.forget()
        view.model.draft = draft
        view.model.takeBack(to: [])
        view.expect(
            .screen(name: .cards), .name(text: "Kanji"), .cards(count: 1, problems: []),
            .nextEnabled(isEnabled: true), .addEnabled(isEnabled: true))
        view.send(.addTapped)
        #expect(world.library.summaries.last?.progress.cards == 1)
        view.forget()
    }

    @Test func `keeps its draft where a book goes`() throws {
        let view = try complete()
        view.send(.addTapped)
        view.forget()
        world.library.feed.tell(.withdrawn(.first))
        world.library.delete(.first)
        view.expectNothing()
    }

    @Test func `is let go of with its view`() throws {
        weak var model: BookCreatorViewModel?
        do {
            let view = try complete()
            model = view.model
            #expect(model != nil)
        }
        #expect(model == nil)
    }

    @Test func `is made on demand, and not durable`() {
        #expect(BookCreatorViewModel.placement == .onDemand)
        #expect(!BookCreatorViewModel.isDurable)
    }
}
