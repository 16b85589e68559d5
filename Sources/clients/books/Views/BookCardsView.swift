import BusdBooksEvents
import BusdProtocol
import BusdScreens

/// The cards of a book, as they are shown: all, or those with a text. One card is chosen, and stays
/// chosen while others are added, moved or removed.
struct BookCards: Equatable {
    /// What an undo brings back.
    struct Undo: Equatable {
        let place: Int
        let card: Card
    }

    private(set) var name = ""
    private(set) var cards: [Card] = []
    private(set) var undo: Undo?
    /// False before the view model has sent the cards.
    private(set) var isKnown = false
    var search = Search() {
        didSet { show() }
    }
    /// The places of the shown cards.
    private(set) var shown: [Int] = []
    /// The place of the chosen card, which is shown, if any is.
    private(set) var chosen = 0
    /// A card that this screen adds is chosen when it arrives at this place.
    private var wanted: Int?

    mutating func apply(_ event: Cards.ViewModelEvent) {
        switch event {
        case .name(let text): name = text
        case .cards(let cards):
            self.cards = cards
            isKnown = true
            show()
        case .cardsEdited(let edits): apply(edits)
        case .undoable(_, let place, let card):
            undo = place.flatMap { place in card.map { Undo(place: place, card: $0) } }
        }
    }

    /// Edits that do not fit the cards, or would take too long, change nothing.
    private mutating func apply(_ edits: [Edit<Card>]) {
        let (moved, isTooMuch) = edits.count.multipliedReportingOverflow(
            by: cards.count + edits.count)
        guard !isTooMuch, moved <= Self.mostMoved, cards.apply(edits) else { return }
        for edit in edits { follow(edit) }
        show()
    }

    private static let mostMoved = 1 << 28

    private mutating func follow(_ edit: Edit<Card>) {
        if case .insert(let at, _) = edit, wanted == at {
            (chosen, wanted) = (at, nil)
        } else {
            chosen = edit.place(chosen) ?? chosen
        }
    }

    private mutating func show() {
        let isAll = search.isEmpty
        shown = cards.indices.filter { isAll || search.finds(cards[$0].front, cards[$0].back) }
        let next = shown.indices.partitionPoint { shown[$0] < chosen }
        // Without a card the place stays: it was chosen for the cards that arrive.
        if next < shown.count { chosen = shown[next] } else { chosen = shown.last ?? chosen }
    }

    // MARK: The choice

    var chosenCard: Card? { shown.isEmpty ? nil : cards[chosen] }

    /// The place of the chosen card among the shown ones.
    var chosenRow: Int { shown.indices.partitionPoint { shown[$0] < chosen } }

    mutating func choose(_ place: Int) {
        chosen = max(0, place)
        show()
    }

    /// Moves the choice down by `step` shown cards, or up if it is negative. It stops at the ends.
    mutating func choose(by step: Int) {
        guard !shown.isEmpty else { return }
        chosen = shown[min(max(0, chosenRow + step), shown.count - 1)]
    }

    /// The place of a new card behind the chosen one. It is chosen when it arrives.
    mutating func placeOfNew() -> Int {
        let place = cards.isEmpty ? 0 : chosen + 1
        wanted = place
        return place
    }

    /// The first shown card to show if there is room for `room` cards.
    func firstRow(of room: Int) -> Int { max(0, min(chosenRow - room / 2, shown.count - room)) }
}

/// A view on the cards of a book.
final class BookCardsView: View {
    let output = Output<Cards.ViewEvent>()
    var state = BookCards()

    func handle(event: Cards.ViewModelEvent) { state.apply(event) }

    /// Moves the chosen card down by `step` places, or up if it is negative.
    func moveChosen(by step: Int) {
        guard let card = state.chosenCard else { return }
        let to = min(max(0, state.chosen + step), state.cards.count - 1)
        if to != state.chosen { output.send(.moveCard(at: state.chosen, card: card, to: to)) }
    }

    func remove(_ card: Card, at place: Int) { output.send(.removeCard(at: place, card: card)) }

    func undo() {
        if let undo = state.undo { output.send(.undo(at: undo.place, card: undo.card)) }
    }
}
