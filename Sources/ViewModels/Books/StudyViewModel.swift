public import BusdProtocol

/// `study/BOOK`: one card after the other. An answer counts once the card has been revealed.
///
/// Whether it has been, and which answer was the last, is remembered here alone: after a restart
/// the card is hidden, and there is nothing to undo. An answer that could not be kept has never
/// been given: its card is asked again, revealed as it was.
public final class StudyViewModel: DurableViewModel {
    public typealias Kind = Study
    public typealias Services = any HasBooks

    public static let placement = Placement.added

    public let output = Output<Study.ViewModelEvent>()
    private let id: BookID
    private let books: any BooksService
    private var isRevealed = false
    private var isAnswering = false
    /// The place of the card that was answered last; `nil`: there is nothing to undo.
    private var answered: Int?

    public init?(at address: Address, services: Services) {
        guard let id = BookID(studiedAt: address), services.books.book(id) != nil else {
            return nil
        }
        self.id = id
        books = services.books
    }

    public func start() {
        guard let book = books.book(id) else { return }
        books.feed.follow(id).bind(self) { $0.hear($1) }
        show(book)
    }

    public func handle(event: Study.ViewEvent) {
        switch event {
        case .reveal: reveal()
        case .known: answer(isKnown: true)
        case .unknown: answer(isKnown: false)
        case .undo: undo()
        case .again: again()
        }
    }

    /// All but that is the book's.
    package var canSleep: Bool { !isRevealed && answered == nil }

    deinit { books.feed.left(id) }

    private func reveal() {
        guard let book = books.book(id) else { return }
        isRevealed = true
        show(book)
    }

    private func answer(isKnown: Bool) {
        guard isRevealed else { return }
        answered = books.book(id)?.current
        isAnswering = true
        books.answer(isKnown: isKnown, in: id)
        // The only card that is left is asked again at once: the book has not changed.
        if isRevealed { hear(books.book(id)) }
        isAnswering = false
    }

    private func undo() {
        guard let place = answered else { return }
        answered = nil
        isRevealed = true
        books.ask(place, in: id)
        // The only card that is left was asked again already: the book has not changed.
        hear(books.book(id))
    }

    private func again() {
        guard let book = books.book(id), book.current == nil, !book.cards.isEmpty else { return }
        answered = nil
        books.askAll(in: id)
    }

    /// `nil` once the book has been deleted.
    private func hear(_ book: Book?) {
        guard let book else { return }
        if isAnswering { isRevealed = false }
        show(book)
    }

    package func takeBack(to shown: [Study.ViewModelEvent]) {
        isRevealed = shown.contains { event in
            if case .card(_, _, _, back: _?) = event { true } else { false }
        }
        answered = nil
        for case .undoable(_, let position?) in shown { answered = position - 1 }
        if let book = books.book(id) { show(book) }
    }

    private func show(_ book: Book) {
        isRevealed = isRevealed && book.current != nil
        if let place = book.current, let card = book.card {
            output.send(
                .card(
                    front: card.front, position: place + 1, of: book.cards.count,
                    back: isRevealed ? card.back : nil))
        } else {
            output.withdraw("card")
        }
        output.send(.progress(text: book.progress.text))
        output.send(.done(isDone: book.current == nil))
        output.send(.undoable(canUndo: answered != nil, position: answered.map { $0 + 1 }))
    }
}
