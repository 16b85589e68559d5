import BusdProtocol
import BusdTestKit
import BusdViewModels
import Testing

@Suite struct `The study of a book` {
    private let world = BooksWorld()

    /// A view of the study of a new book, after the values that it is told first.
    private func watch(
        cards count: Int, known: Int = 0
    ) throws -> RecordingView<StudyViewModel> {
        let view = RecordingView(try world.study(try world.makeBook(cards: count, known: known)))
        view.forget()
        return view
    }

    private func card(_ position: Int, of count: Int) -> Study.ViewModelEvent {
        .card(front: "front \(position)", position: position, of: count, back: nil)
    }

    private func revealed(_ position: Int, of count: Int) -> Study.ViewModelEvent {
        .card(front: "front \(position)", position: position, of: count, back: "back \(position)")
    }

    @Test func `begins with the first card, hidden`() throws {
        let id = try world.makeBook(cards: 3)
        RecordingView(try world.study(id)).expect(
            card(1, of: 3), .progress(text: "0% KNOWN"), .done(isDone: false),
            .undoable(canUndo: false))
    }

    @Test func `goes on with the card that was asked last`() throws {
        let id = try world.makeBook(cards: 3, known: 1)
        world.library.answer(isKnown: false, in: id)
        RecordingView(try world.study(id)).expect(
            card(3, of: 3), .progress(text: "33% KNOWN"), .done(isDone: false),
            .undoable(canUndo: false))
    }

    @Test(arguments: [0, 2])
    func `is done where no card is left`(count: Int) throws {
        let id = try world.makeBook(cards: count, known: count)
        RecordingView(try world.study(id)).expect(
            .progress(text: count == 0 ? "0% KNOWN" : "100% KNOWN"), .done(isDone: true),
            .undoable(canUndo: false))
    }

    @Test func `reveals the back`() throws {
        let view = try watch(cards: 1)
        view.send(.reveal)
        view.expect(revealed(1, of: 1))
        view.send(.reveal)
        view.expectNothing()
    }

    @Test func `counts no answer before the card is revealed`() throws {
        let view = try watch(cards: 2)
        view.send(.known)
        view.send(.unknown)
        view.expectNothing()
        #expect(world.library.book(.first)?.current == 0)
    }

    @Test func `goes through the cards, and asks again what is not known`() throws {
        let view = try watch(cards: 3)
        view.send(.reveal)
        view.send(.unknown)
        view.expect(
            revealed(1, of: 3), card(2, of: 3), .undoable(canUndo: true, position: 1))
        view.send(.reveal)
        view.send(.known)
        view.expect(
            revealed(2, of: 3), card(3, of: 3), .progress(text: "33% KNOWN"),
            .undoable(canUndo: true, position: 2))
        view.send(.reveal)
        view.send(.unknown)
        view.expect(
            revealed(3, of: 3), card(1, of: 3), .undoable(canUndo: true, position: 3))
        view.send(.reveal)
        view.send(.known)
        view.expect(
            revealed(1, of: 3), card(3, of: 3), .progress(text: "66% KNOWN"),
            .undoable(canUndo: true, position: 1))
        view.send(.reveal)
        view.send(.known)
        view.expect(
            revealed(3, of: 3), .progress(text: "100% KNOWN"), .done(isDone: true),
            .undoable(canUndo: true, position: 3))
        view.send(.reveal)
        view.send(.known)
        view.send(.unknown)
        view.expectNothing()
    }

    @Test func `hides the last card that is not known each time`() throws {
        let view = try watch(cards: 2, known: 1)
        view.send(.reveal)
        view.send(.unknown)
        view.forget()
        for _ in 1...3 {
            view.send(.reveal)
            view.expect(revealed(2, of: 2))
            view.send(.unknown)
            view.expect(card(2, of: 2))
        }
    }

    @Test func `has no card in the snapshot when it is done, and one again when cards come`() throws
    {
        let view = try watch(cards: 1)
        view.send(.reveal)
        view.send(.known)
        view.forget()
        RecordingView(view.model).expect(
            .progress(text: "100% KNOWN"), .done(isDone: true),
            .undoable(canUndo: true, position: 1))
        world.library.add(cards(1, from: 2), to: .first)
        view.expect(card(2, of: 2), .progress(text: "50% KNOWN"), .done(isDone: false))
        RecordingView(view.model).expect(
            .progress(text: "50% KNOWN"), .done(isDone: false),
            .undoable(canUndo: true, position: 1),
            card(2, of: 2))
    }

    @Test func `says the same card again where it is asked after it was done`() throws {
        let view = try watch(cards: 1)
        let book = try #require(world.library.book(.first))
        view.send(.reveal)
        view.send(.known)
        view.expect(
            revealed(1, of: 1), .progress(text: "100% KNOWN"), .done(isDone: true),
            .undoable(canUndo: true, position: 1))
        world.library.feed.tell(.changed(.first, book))
        view.expect(card(1, of: 1), .progress(text: "0% KNOWN"), .done(isDone: false))
    }

    @Test(arguments: [Study.ViewEvent.known, .unknown])
    func `takes back the last answer, once, and asks its card again`(
        answer: Study.ViewEvent
    ) throws {
        let view = try watch(cards: 3)
        view.send(.undo)
        view.expectNothing()
        view.send(.reveal)
        view.send(answer)
        view.forget()
        view.send(.undo)
        if answer == .known {
            view.expect(
                revealed(1, of: 3), .progress(text: "0% KNOWN"), .undoable(canUndo: false))
        } else {
            view.expect(revealed(1, of: 3), .undoable(canUndo: false))
        }
        view.send(.undo)
        view.expectNothing()
        #expect(world.library.book(.first)?.current == 0)
        #expect(world.library.book(.first)?.knownCount == 0)
        view.send(.known)
        view.expect(
            card(2, of: 3), .progress(text: "33% KNOWN"), .undoable(canUndo: true, position: 1))
    }

    @Test func `takes back the answer that ended the book, and the one to its only card`() throws {
        let view = try watch(cards: 1)
        view.send(.reveal)
        view.send(.unknown)
        view.forget()
        view.send(.undo)
        view.expect(revealed(1, of: 1), .undoable(canUndo: false))
        view.send(.known)
        view.forget()
        view.send(.undo)
        view.expect(
            revealed(1, of: 1), .progress(text: "0% KNOWN"), .done(isDone: false),
            .undoable(canUndo: false))
    }

    @Test func `begins a second round once no card is left`() throws {
        let view = try watch(cards: 2, known: 1)
        view.send(.again)
        view.expectNothing()
        view.send(.reveal)
        view.send(.known)
        view.forget()
        view.send(.again)
        view.expect(
            card(1, of: 2), .progress(text: "0% KNOWN"), .done(isDone: false),
            .undoable(canUndo: false))
        view.send(.undo)
        view.expectNothing()
        #expect(world.library.book(.first)?.knownCount == 0)
    }

    @Test func `has no second round of a book without cards`() throws {
        let view = try watch(cards: 0)
        view.send(.again)
        view.expectNothing()
    }

    @Test(arguments: [false, true])
    func `stays with its card when cards are added`(isRevealed: Bool) throws {
        let view = try watch(cards: 2, known: 1)
        if isRevealed { view.send(.reveal) }
        view.forget()
        world.library.add(cards(2, from: 3), to: .first)
        view.expect(isRevealed ? revealed(2, of: 4) : card(2, of: 4), .progress(text: "25% KNOWN"))
    }

    @Test func `does not mind other books`() throws {
        let view = try watch(cards: 2)
        let other = try world.makeBook(cards: 2)
        world.library.answer(isKnown: true, in: other)
        world.library.move(other, to: 0)
        world.library.delete(other)
        view.expectNothing()
    }

    @Test func `says nothing when its book goes, and nothing after`() throws {
        let view = try watch(cards: 2)
        view.send(.reveal)
        view.forget()
        world.library.delete(.first)
        for event in Study.ViewEvent.examples { view.send(event) }
        view.expectNothing()
    }

    @Test(arguments: ["study/2", "study/01", "study/x", "study/1/1", "books/1", "study"])
    func `is only where a book is`(place: String) throws {
        try world.makeBook()
        #expect(StudyViewModel(at: try address(place), services: world) == nil)
    }

    @Test func `is added by the list, and durable`() {
        #expect(StudyViewModel.placement == .added)
        #expect((StudyViewModel.self as Any) is any DurableViewModel.Type)
    }
}

/// The book comes back through the feed, and then the study is told what views show.
@Suite struct `A study whose answer could not be kept` {
    private let world = BooksWorld(UnreliableBooks())

    /// What the study says after each change, and after all of them have been taken back, each a
    /// card of the book and whether it is revealed.
    private func shown(
        cards count: Int = 3, known: Int = 0, isRevealed: Bool = true,
        _ changes: (StudyViewModel, UnreliableBooks) -> Void
    ) throws -> [Study.ViewModelEvent] {
        let id = try world.makeBook(cards: count, known: known)
        let study = try world.study(id)
        study.startOnce()
        if isRevealed { study.handle(event: .reveal) }
        let before = study.output.current
        world.library.keep()
        changes(study, world.library)
        world.library.rollBack()
        study.takeBack(to: before)
        #expect(Set(study.output.current.map(\.name)) == Set(before.map(\.name)))
        return before.filter { !study.output.current.contains($0) }
    }

    private func answer(_ study: StudyViewModel, _ events: Study.ViewEvent...) {
        for event in events {
            study.handle(event: .reveal)
            study.handle(event: event)
        }
    }

    @Test(arguments: [Study.ViewEvent.known, .unknown])
    func `asks the card again, revealed as it was`(event: Study.ViewEvent) throws {
        #expect(try shown { study, _ in answer(study, event) } == [])
    }

    @Test func `asks the first card again after several answers`() throws {
        #expect(try shown { study, _ in answer(study, .known, .unknown, .known) } == [])
    }

    @Test func `asks the last card again`() throws {
        #expect(try shown(cards: 2, known: 1) { study, _ in answer(study, .known) } == [])
    }

    @Test func `asks the only card left again, revealed as it was`() throws {
        #expect(try shown(cards: 2, known: 1) { study, _ in answer(study, .unknown) } == [])
    }

    @Test func `hides a card that was revealed meanwhile`() throws {
        #expect(try shown(isRevealed: false) { study, _ in study.handle(event: .reveal) } == [])
        #expect(try shown(isRevealed: false) { study, _ in answer(study, .known) } == [])
    }

    @Test(arguments: [false, true])
    func `does not mind where its book's place could not be kept`(isRevealed: Bool) throws {
        #expect(try shown(isRevealed: isRevealed) { _, _ in } == [])
    }

    @Test(arguments: [false, true])
    func `leaves the card as it is where added cards could not be kept`(
        isRevealed: Bool
    ) throws {
        #expect(
            try shown(isRevealed: isRevealed) { $1.add(cards(2, from: 4), to: .first) } == [])
    }

    @Test func `is done again where added cards could not be kept`() throws {
        #expect(
            try shown(cards: 1, known: 1, isRevealed: false) {
                $1.add(cards(2, from: 2), to: .first)
            } == [])
    }

    @Test func `asks the card again where added cards could not be kept either`() throws {
        #expect(
            try shown { study, library in
                answer(study, .known)
                library.add(cards(2, from: 4), to: .first)
                answer(study, .unknown)
            } == [])
    }
}
