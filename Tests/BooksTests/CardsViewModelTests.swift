import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdBooks

@Suite struct CardsViewModelTests {
    private let world = BooksFixture()
    private let new = Card(front: "new", back: "new")

    /// A view of the cards of a new book, after its first values.
    private func watch(cards count: Int) throws -> RecordingView<CardsViewModel> {
        let view = world.watch(try world.cardList(try world.makeBook(cards: count)))
        view.forget()
        return view
    }

    @Test func `The cards of a book are shown with its name`() throws {
        let id = try world.makeBook("Kanji", cards: 2)
        world.watch(try world.cardList(id)).expect(
            .name(text: "Kanji"), .cards(cards: cards(2)), .undoable(canUndo: false))
    }

    @Test func `A card can be changed, and the change taken back`() throws {
        let view = try watch(cards: 2)
        view.send(.changeCard(at: 1, card: cards(2)[1], to: new))
        view.expect(
            .cardsEdited(edits: [.update(at: 1, row: new)]),
            .undoable(canUndo: true, at: 1, card: cards(2)[1]))
        view.send(.undo(at: 1, card: cards(2)[1]))
        view.expect(
            .cardsEdited(edits: [.update(at: 1, row: cards(2)[1])]), .undoable(canUndo: false))
    }

    @Test func `A card can be added at a place, moved and removed`() throws {
        let view = try watch(cards: 2)
        view.send(.addCard(at: 2, card: new))
        view.expect(.cardsEdited(edits: [.insert(at: 2, row: new)]))
        view.send(.moveCard(at: 2, card: new, to: 0))
        view.expect(.cardsEdited(edits: [.move(from: 2, to: 0)]))
        view.send(.removeCard(at: 1, card: cards(2)[0]))
        view.expect(
            .cardsEdited(edits: [.delete(at: 1)]),
            .undoable(canUndo: true, at: 1, card: cards(2)[0]))
        view.send(.undo(at: 1, card: cards(2)[0]))
        view.expect(
            .cardsEdited(edits: [.insert(at: 1, row: cards(2)[0])]), .undoable(canUndo: false))
        for place in [-1, 4, Int.max, Int.min] {
            view.send(.addCard(at: place, card: new))
            view.send(.moveCard(at: 0, card: new, to: place))
        }
        view.expectNothing()
    }

    @Test func `An event that does not name the card at its place is refused`() throws {
        let view = try watch(cards: 2)
        for place in [0, -1, 2, Int.max, Int.min] {
            for event in [
                Cards.ViewEvent.changeCard(at: place, card: new, to: new),
                .moveCard(at: place, card: new, to: 1), .removeCard(at: place, card: new),
                .undo(at: place, card: new),
            ] {
                #expect(view.model.refusal(of: event)?.code == .stale)
                // Proposed before the card was changed.
                view.model.handle(event, settling: world.libraries)
            }
        }
        view.expectNothing()
        #expect(view.model.refusal(of: .removeCard(at: 0, card: cards(2)[0])) == nil)
    }

    @Test func `Two views that take back one change take back one`() throws {
        let view = try watch(cards: 2)
        view.send(.removeCard(at: 0, card: cards(2)[0]))
        view.send(.removeCard(at: 0, card: cards(2)[1]))
        view.forget()
        let undo = Cards.ViewEvent.undo(at: 0, card: cards(2)[1])
        #expect(view.model.refusal(of: .undo(at: 0, card: cards(2)[0]))?.code == .stale)
        #expect(view.model.refusal(of: undo) == nil)
        view.send(undo)
        view.expect(
            .cardsEdited(edits: [.insert(at: 0, row: cards(2)[1])]), .undoable(canUndo: false))
        #expect(view.model.refusal(of: undo)?.code == .stale)
    }

    @Test func `Other changes of the book are shown`() throws {
        let view = try watch(cards: 1)
        world.apply(.add(cards(1, from: 2)), to: .first)
        view.expect(.cardsEdited(edits: [.insert(at: 1, row: cards(2)[1])]))
        world.apply(.rename(from: "Kanji", to: try Name("Kana")), to: .first)
        view.expect(.name(text: "Kana"))
        world.answer(isKnown: true, in: .first)
        view.expectNothing()
        world.watch(view.model).expect(
            .name(text: "Kana"), .undoable(canUndo: false), .cards(cards: cards(2)))
    }

    @Test(arguments: [false, true])
    func `The cards of a deleted book are silent`(isForGood: Bool) throws {
        let view = try watch(cards: 2)
        if isForGood { world.delete(.first) } else { world.apply(.delete, to: .first) }
        for event in Cards.ViewEvent.examples {
            #expect(view.model.refusal(of: event) == nil)
            view.send(event)
        }
        view.expectNothing()
    }

    @Test(arguments: ["cards/2", "cards/01", "cards/x", "cards/1/1", "study/1", "cards"])
    func `No cards are at an address of another form or book`(place: String) throws {
        try world.makeBook()
        #expect(CardsViewModel(at: try address(place), services: world) == nil)
    }

    // MARK: Limits

    @Test func `Limits are those of adding cards`() throws {
        let id = try world.makeBook(cards: 10_000)
        let model = try world.cardList(id)
        let refusal = Refusal(
            .badEvent, "a book has at most 10000 cards (limit cardsOfBook)", at: "card")
        #expect(model.refusal(of: .addCard(at: 0, card: new)) == refusal)
        #expect(model.refusal(of: .changeCard(at: 0, card: cards(1)[0], to: new)) == nil)
        world.apply(.remove(at: 0, card: cards(1)[0]), to: id)
        #expect(model.refusal(of: .addCard(at: 0, card: new)) == nil)
        #expect(model.refusal(of: .undo(at: 0, card: cards(1)[0])) == nil)
        world.apply(.insert(at: 0, card: new), to: id)
        #expect(model.refusal(of: .undo(at: 1, card: cards(1)[0])) == refusal)
    }

    @Test func `A longer card is refused in a book that is full, a shorter one is not`() throws {
        let long = Card(front: String(repeating: "x", count: (2 << 20) - 32), back: "")
        let id = try world.create(BookSeed(name: try Name("Kanji"), cards: [long]))
        let model = try world.cardList(id)
        let longer = Card(front: long.front + "x", back: "")
        let refusal = Refusal(
            .badEvent, "the cards of a book have at most 2097152 bytes (limit bytesOfBook)",
            at: "to")
        #expect(model.refusal(of: .changeCard(at: 0, card: long, to: longer)) == refusal)
        #expect(model.refusal(of: .changeCard(at: 0, card: long, to: new)) == nil)
        world.apply(.change(at: 0, card: long, to: new), to: id)
        // The former card is kept for an undo, and counts for all cards together.
        #expect(world.books.size.cardBytes == (2 << 20) + 38)
        #expect(model.refusal(of: .addCard(at: 0, card: new)) == nil)
    }
}
