public import Protocol

/// `book-creator/NAME`: a book in the making, over two screens. It takes any text, and says what is
/// wrong with it. What is complete can be added from either screen.
public final class BookCreatorViewModel: DraftingViewModel {
    public typealias Kind = BookCreator
    public typealias Services = any HasBooks

    public static let placement = Placement.onDemand

    public let output = Output<BookCreator.ViewModelEvent>()
    private let books: any BooksService
    package var draft = BookDraft()

    public init(at address: Address, services: Services) {
        books = services.books
    }

    public func start() { show() }

    public func handle(event: BookCreator.ViewEvent) {
        switch event {
        case .nameChanged(let name): draft.text = name
        case .nextTapped: if draft.name != nil { draft.screen = .cards }
        case .backTapped: draft.screen = .name
        case .cardsChanged(let text): draft.deck = CardText(text)
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
        output.send(.screen(name: draft.screen))
        output.send(.name(text: draft.text))
        output.send(.cards(count: draft.deck.cards.count, problems: draft.deck.problems))
        output.send(.nextEnabled(isEnabled: draft.name != nil))
        output.send(.addEnabled(isEnabled: draft.isComplete))
    }
}
