public import BusdBooksEvents
public import BusdProtocol

/// `study/BOOK`: shows one card after the other. An answer counts only if the card is revealed.
///
/// Only the view model knows which card is revealed, and which card was answered last. After a
/// restart the card is hidden, and no answer can be undone.
public final class StudyViewModel: DurableViewModel {
    public typealias Kind = Study
    public typealias Services = any HasBooks

    public static let placement = Placement.added
    public static let awaitsOutcomes = true

    public let output = Output<Study.ViewModelEvent>()
    private let id: BookID
    private let books: Library<Book>
    /// The cards to which the places below belong.
    private var cards: [Card]
    /// The place of the revealed card. It has no effect if another card is asked.
    private var revealed: Int?
    /// The place of the card that was answered last; `nil`: no answer can be undone.
    private var answered: Int?

    public init?(at address: Address, services: Services) {
        guard let id = BookID(studiedAt: address), services.books.isPresent(id) else { return nil }
        self.id = id
        books = services.books
        cards = books[id]?.cards ?? []
    }

    public var subject: Subject { books.subject(id) }

    /// Only the view model knows which card is revealed.
    public func isDurable(_ event: Study.ViewEvent) -> Bool { event != .reveal }

    public func start() {
        books.follow(id).bind(self) { $0.show($1) }
        show(books[id])
    }

    public func handle(event: Study.ViewEvent) {
        guard let book = books[id], book.deleted == nil else { return }
        switch event {
        case .reveal:
            revealed = book.current
            show(book)
        case .known: answer(isKnown: true, in: book)
        case .unknown: answer(isKnown: false, in: book)
        case .undo:
            if let answered { propose(.ask(answered), revealing: answered, answered: nil) }
        case .again:
            guard book.current == nil, !book.cards.isEmpty else { return }
            propose(.askAll, revealing: nil, answered: nil)
        }
    }

    private func answer(isKnown: Bool, in book: Book) {
        guard let asked = book.current, revealed == asked else { return }
        propose(.answer(isKnown: isKnown), revealing: nil, answered: asked)
    }

    /// Proposes an action. If it is refused, `revealed` and `answered` get their old values back.
    private func propose(_ action: BookAction, revealing place: Int?, answered last: Int?) {
        let before = (revealed, answered)
        (revealed, answered) = (place, last)
        books.propose(action, to: id) { [weak self] outcome in
            guard let self else { return }
            switch outcome {
            case .applied: return
            // The last unknown card is asked again: the book has not changed.
            case .noEffect: break
            case .refused: (revealed, answered) = before
            }
            show(books[id])
        }
    }

    /// All other values come from the book.
    public var canSleep: Bool { revealed == nil && answered == nil }

    deinit { books.unfollow(id) }

    /// - Parameter book: `nil` if the book was deleted.
    private func show(_ book: Book?) {
        guard let book, book.deleted == nil else { return }
        followCards(to: book.cards)
        if let place = book.current, let card = book.card {
            output.send(
                .card(
                    front: card.front, position: place + 1, of: book.cards.count,
                    back: revealed == place ? card.back : nil))
        } else {
            output.withdraw("card")
        }
        output.send(.progress(text: book.progress.text))
        output.send(.done(isDone: book.current == nil))
        output.send(.undoable(canUndo: answered != nil, position: answered.map { $0 + 1 }))
    }

    /// Keeps the places of the revealed and the answered card while cards are added, moved or
    /// removed.
    private func followCards(to new: [Card]) {
        guard new != cards else { return }
        for edit in [Edit](from: cards, to: new) {
            revealed = revealed.flatMap(edit.place)
            answered = answered.flatMap(edit.place)
        }
        cards = new
    }
}
