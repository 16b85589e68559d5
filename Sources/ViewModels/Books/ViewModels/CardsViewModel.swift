public import BusdBooksEvents
public import BusdProtocol

/// `cards/BOOK`: the cards of a book, and their corrections.
public final class CardsViewModel: DurableViewModel {
    public typealias Kind = Cards
    public typealias Services = any HasBooks

    public static let placement = Placement.added
    /// Places are those of the newest cards, so an event waits for the outcome of the last one.
    public static let awaitsOutcomes = true

    public let output = Output<Cards.ViewModelEvent>()
    private let id: BookID
    private let books: Library<Book>
    /// The cards that views have.
    private var shown: [Card] = []

    public init?(at address: Address, services: Services) {
        guard let id = BookID(ofCardsAt: address), services.books.isPresent(id) else { return nil }
        self.id = id
        books = services.books
    }

    deinit { books.unfollow(id) }

    public var subject: Subject { books.subject(id) }

    /// `nil` if it is deleted, or marked so.
    private var book: Book? { books[id].flatMap { $0.deleted == nil ? $0 : nil } }

    public func start() {
        books.follow(id).bind(self) { model, _ in model.showChanges() }
        guard let book else { return }
        output.send(.name(text: book.name.text))
        shown = book.cards
        output.send(.cards(cards: shown))
        show(book.correction)
    }

    // MARK: Events

    public func refusal(of event: Cards.ViewEvent) -> Refusal? {
        guard let book else { return nil }
        switch event {
        case .changeCard(let place, let card, let new):
            guard book.has(card, at: place) else { return Self.stale }
            return books.refusal(of: .change(card, to: new, of: id), at: "to")
        case .addCard(let place, let card):
            guard 0...book.cards.count ~= place else { return nil }
            return books.refusal(of: .cards([card], of: id), at: "card")
        case .moveCard(let place, let card, _), .removeCard(let place, let card):
            return book.has(card, at: place) ? nil : Self.stale
        case .undo(let place, let card):
            guard book.canTakeBack(card, to: place) else {
                return Refusal(
                    .stale, "another change was the last one: look at it, then take it back")
            }
            guard book.correction?.wasKnown != nil else { return nil }
            return books.refusal(of: .undo(card, of: id), at: "card")
        }
    }

    private static let stale = Refusal(
        .stale, "another card is at this place now: look at the cards, then correct them")

    public func handle(event: Cards.ViewEvent) {
        guard let book else { return }
        switch event {
        case .changeCard(let place, let card, let new):
            propose(.change(at: place, card: card, to: new))
        case .addCard(let place, let card):
            if 0...book.cards.count ~= place { propose(.insert(at: place, card: card)) }
        case .moveCard(let place, let card, let to):
            if book.cards.indices.contains(to) { propose(.move(from: place, card: card, to: to)) }
        case .removeCard(let place, let card): propose(.remove(at: place, card: card))
        case .undo(let place, let card): propose(.takeBack(at: place, card: card))
        }
    }

    private func propose(_ action: BookAction) { books.propose(action, to: id) }

    // MARK: Values

    private func showChanges() {
        guard let book else { return }
        output.send(.name(text: book.name.text))
        // An answer of a study changes no card, and then both are one array.
        if book.cards != shown {
            let edits = [Edit](from: shown, to: book.cards)
            shown = book.cards
            // If the output held the cards, too, an edit would copy all of them.
            output.withdraw("cards")
            output.send(.cardsEdited(edits: edits), current: .cards(cards: shown))
        }
        show(book.correction)
    }

    private func show(_ correction: Correction?) {
        output.send(
            .undoable(canUndo: correction != nil, at: correction?.place, card: correction?.card))
    }
}
