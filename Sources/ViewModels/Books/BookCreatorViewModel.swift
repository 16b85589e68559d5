public import Protocol

/// `book-creator/NAME`: a book in the making, over two screens. It takes any text, and says what is
/// wrong with it. What is complete can be added from either screen.
public final class BookCreatorViewModel: DraftingViewModel {
    public typealias Kind = BookCreator
    public typealias Services = any HasBooks & HasDrafts

    public static let placement = Placement.onDemand

    public let output = Output<BookCreator.ViewModelEvent>()
    private let books: any BooksService
    private let share: DraftShare
    package var draft = BookDraft()

    public init(at address: Address, services: Services) {
        books = services.books
        share = DraftShare(of: services.drafts)
    }

    public func start() { show() }

    public func refusal(of event: BookCreator.ViewEvent) -> Refusal? {
        switch event {
        case .nameChanged(let name): share.refusal(ofName: name, inPlaceOf: draft.text)
        case .cardsChanged(let text):
            share.refusal(ofBytes: BookDraft.bytes(ofDeck: text), inPlaceOf: draft.deckBytes)
        case .addTapped:
            draft.isComplete ? books.refusal(of: .book(draft.deck.cards)) : nil
        case .nextTapped, .backTapped: nil
        }
    }

    public func handle(event: BookCreator.ViewEvent) {
        switch event {
        case .nameChanged(let name): draft.text = name
        case .nextTapped: if draft.name != nil { draft.screen = .cards }
        case .backTapped: draft.screen = .name
        case .cardsChanged(let text): draft.setDeck(text)
        case .addTapped: add()
        }
        show()
    }

    private func add() {
        guard draft.isComplete, let name = draft.name else { return }
        let id = books.create(name: name, cards: draft.deck.cards)
        draft = BookDraft()
        output.send(.added(book: id.text))
    }

    /// A book that could not be kept is a draft again.
    public func takeBack(to shown: [BookCreator.ViewModelEvent]) { show() }

    private func show() {
        share.bytes = draft.bytes
        output.send(.screen(name: draft.screen))
        output.send(.name(text: draft.text))
        output.send(.cards(count: draft.deck.cards.count, problems: draft.deck.problems))
        output.send(.nextEnabled(isEnabled: draft.name != nil))
        output.send(.addEnabled(isEnabled: draft.isComplete))
    }
}
