import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdBooks

@Suite struct StudyViewModelTests {
    private let world = BooksFixture()

    /// A view of the study of a new book, after its first values.
    private func watch(
        cards count: Int, known: Int = 0
    ) throws -> RecordingView<StudyViewModel> {
        let view = world.watch(try world.study(try world.makeBook(cards: count, known: known)))
        view.forget()
        return view
    }

    private func card(_ position: Int, of count: Int) -> Study.ViewModelEvent {
        .card(front: "front \(position)", position: position, of: count, back: nil)
    }

    private func revealed(_ position: Int, of count: Int) -> Study.ViewModelEvent {
        .card(front: "front \(position)", position: position, of: count, back: "back \(position)")
    }

    @Test func `A study begins with the first card, hidden`() throws {
        let id = try world.makeBook(cards: 3)
        world.watch(try world.study(id)).expect(
            card(1, of: 3), .progress(text: "0% KNOWN"), .done(isDone: false),
            .undoable(canUndo: false))
    }

    @Test func `A study continues with the card that was asked last`() throws {
        let id = try world.makeBook(cards: 3, known: 1)
        world.answer(isKnown: false, in: id)
        world.watch(try world.study(id)).expect(
            card(3, of: 3), .progress(text: "33% KNOWN"), .done(isDone: false),
            .undoable(canUndo: false))
    }

    @Test(arguments: [0, 2])
    func `A study is done if no card is left`(count: Int) throws {
        let id = try world.makeBook(cards: count, known: count)
        world.watch(try world.study(id)).expect(
            .progress(text: count == 0 ? "0% KNOWN" : "100% KNOWN"), .done(isDone: true),
            .undoable(canUndo: false))
    }

    @Test func `A study reveals the back of a card`() throws {
        let view = try watch(cards: 1)
        view.send(.reveal)
        view.expect(revealed(1, of: 1))
        view.send(.reveal)
        view.expectNothing()
    }

    @Test func `An answer counts only after the card is revealed`() throws {
        let view = try watch(cards: 2)
        view.send(.known)
        view.send(.unknown)
        view.expectNothing()
        #expect(world.books[.first]?.current == 0)
    }

    @Test func `A study goes through the cards, and asks unknown ones again`() throws {
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

    @Test func `The last unknown card is hidden after each answer`() throws {
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

    @Test func `A finished study has no card in the snapshot, until cards are added again`() throws
    {
        let view = try watch(cards: 1)
        view.send(.reveal)
        view.send(.known)
        view.forget()
        world.watch(view.model).expect(
            .progress(text: "100% KNOWN"), .done(isDone: true),
            .undoable(canUndo: true, position: 1))
        world.apply(.add(cards(1, from: 2)), to: .first)
        view.expect(card(2, of: 2), .progress(text: "50% KNOWN"), .done(isDone: false))
        world.watch(view.model).expect(
            .progress(text: "50% KNOWN"), .done(isDone: false),
            .undoable(canUndo: true, position: 1),
            card(2, of: 2))
    }

    @Test func `A card that is asked again after the end is sent again`() throws {
        let view = try watch(cards: 1)
        view.send(.reveal)
        view.send(.known)
        view.expect(
            revealed(1, of: 1), .progress(text: "100% KNOWN"), .done(isDone: true),
            .undoable(canUndo: true, position: 1))
        world.apply(.ask(0), to: .first)
        view.expect(card(1, of: 1), .progress(text: "0% KNOWN"), .done(isDone: false))
    }

    @Test(arguments: [Study.ViewEvent.known, .unknown])
    func `An undo takes back the last answer, once, and asks its card again`(
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
        #expect(world.books[.first]?.current == 0)
        #expect(world.books[.first]?.knownCount == 0)
        view.send(.known)
        view.expect(
            card(2, of: 3), .progress(text: "33% KNOWN"), .undoable(canUndo: true, position: 1))
    }

    @Test func `An undo takes back the last answer of a book, or one to its only card`() throws {
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

    @Test func `A second round begins once no card is left`() throws {
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
        #expect(world.books[.first]?.knownCount == 0)
    }

    @Test func `A book without cards has no second round`() throws {
        let view = try watch(cards: 0)
        view.send(.again)
        view.expectNothing()
    }

    @Test(arguments: [false, true])
    func `A study stays with its card when cards are added`(isRevealed: Bool) throws {
        let view = try watch(cards: 2, known: 1)
        if isRevealed { view.send(.reveal) }
        view.forget()
        world.apply(.add(cards(2, from: 3)), to: .first)
        view.expect(isRevealed ? revealed(2, of: 4) : card(2, of: 4), .progress(text: "25% KNOWN"))
    }

    @Test(arguments: [false, true])
    func `A study stays with its card and its last answer while other cards are corrected`(
        isRevealed: Bool
    ) throws {
        let view = try watch(cards: 4)
        view.send(.reveal)
        view.send(.known)
        if isRevealed { view.send(.reveal) }
        view.forget()
        func card(_ position: Int, of count: Int) -> Study.ViewModelEvent {
            .card(
                front: "front 2", position: position, of: count, back: isRevealed ? "back 2" : nil)
        }
        let new = Card(front: "new", back: "new")
        world.apply(.insert(at: 0, card: new), to: .first)
        view.expect(
            card(3, of: 5), .progress(text: "20% KNOWN"), .undoable(canUndo: true, position: 2))
        world.apply(.move(from: 1, card: cards(1)[0], to: 4), to: .first)
        view.expect(card(2, of: 5), .undoable(canUndo: true, position: 5))
        world.apply(.remove(at: 0, card: new), to: .first)
        view.expect(
            card(1, of: 4), .progress(text: "25% KNOWN"), .undoable(canUndo: true, position: 4))
        world.apply(.remove(at: 3, card: cards(1)[0]), to: .first)
        view.expect(card(1, of: 3), .progress(text: "0% KNOWN"), .undoable(canUndo: false))
    }

    @Test func `The card that is asked can be changed, and stays revealed`() throws {
        let view = try watch(cards: 2)
        view.send(.reveal)
        view.forget()
        let new = Card(front: "new", back: "newer")
        world.apply(.change(at: 0, card: cards(1)[0], to: new), to: .first)
        view.expect(.card(front: "new", position: 1, of: 2, back: "newer"))
        view.send(.known)
        view.forget()
        view.send(.undo)
        view.expect(
            .card(front: "new", position: 1, of: 2, back: "newer"), .progress(text: "0% KNOWN"),
            .undoable(canUndo: false))
        world.apply(.remove(at: 0, card: new), to: .first)
        view.expect(card2(1, of: 1))
    }

    private func card2(_ position: Int, of count: Int) -> Study.ViewModelEvent {
        .card(front: "front 2", position: position, of: count, back: nil)
    }

    @Test func `A study ignores other books`() throws {
        let view = try watch(cards: 2)
        let other = try world.makeBook(cards: 2)
        world.answer(isKnown: true, in: other)
        world.move(other, to: 0)
        world.delete(other)
        view.expectNothing()
    }

    @Test func `A study is silent when its book is deleted, and after`() throws {
        let view = try watch(cards: 2)
        view.send(.reveal)
        view.forget()
        world.delete(.first)
        for event in Study.ViewEvent.examples { view.send(event) }
        view.expectNothing()
    }

    @Test(arguments: ["study/2", "study/01", "study/x", "study/1/1", "books/1", "study"])
    func `No study is at an address of another form or book`(place: String) throws {
        try world.makeBook()
        #expect(StudyViewModel(at: try address(place), services: world) == nil)
    }

    @Test func `A study is added by the list, and durable`() {
        #expect(StudyViewModel.placement == .added)
        #expect((StudyViewModel.self as Any) is any DurableViewModel.Type)
    }
}
