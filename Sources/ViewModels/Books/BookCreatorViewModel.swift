public import BusdProtocol

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
        case .cardsChanged(let text, let base): refusal(ofCards: text, editing: base)
        case .addTapped(let name, let text): refusal(ofAdding: name, text)
        case .nextTapped, .backTapped: nil
        }
    }

    private func refusal(ofCards edit: String, editing base: Int?) -> Refusal? {
        guard let text = draft.cardsText(after: edit, of: base) else {
            return Refusal(.stale, "the cards were changed elsewhere: edit the newest revision")
        }
        guard text.utf8.count <= Drafts.longestText else {
            return .tooLarge(
                "the cards in a draft have at most \(Drafts.longestText) bytes", limit: "draftText")
        }
        return share.refusal(ofBytes: BookDraft.bytes(ofDeck: text), inPlaceOf: draft.deckBytes)
    }

    private func refusal(ofAdding name: String?, _ text: String?) -> Refusal? {
        guard let shown = draft.shown(name: name, text: text) else {
            return Refusal(.stale, "the draft was changed elsewhere: look at it, and add it then")
        }
        if shown.isComplete { return books.refusal(of: .book(shown.deck.cards)) }
        guard name != nil || text != nil, let problem = shown.problem else { return nil }
        return Refusal(.badEvent, problem)
    }

    public func handle(event: BookCreator.ViewEvent) {
        switch event {
        case .nameChanged(let name): draft.text = name
        case .nextTapped: if draft.name != nil { draft.screen = .cards }
        case .backTapped: draft.screen = .name
        case .cardsChanged(let edit, let base): setCards(edit, editing: base)
        case .addTapped(let name, let text):
            if let shown = draft.shown(name: name, text: text) { add(shown) }
        }
        show()
    }

    private func setCards(_ edit: String, editing base: Int?) {
        guard let text = draft.cardsText(after: edit, of: base) else { return }
        draft.setDeck(text)
        if !share.hasRoom(for: draft.bytes) { draft.forgetEarlier() }
    }

    private func add(_ shown: BookDraft) {
        guard shown.isComplete, let name = shown.name else { return }
        let id = books.create(name: name, cards: shown.deck.cards)
        draft = BookDraft(after: draft)
        output.send(.added(book: id.text))
    }

    /// A book that could not be kept is a draft again.
    package func takeBack(to shown: [BookCreator.ViewModelEvent]) { show() }

    private func show() {
        share.bytes = draft.bytes
        output.send(.screen(name: draft.screen))
        output.send(.name(text: draft.text))
        output.send(.cardsText(text: draft.cardsText, revision: draft.revision))
        output.send(.cards(count: draft.deck.cards.count, problems: draft.deck.problems))
        output.send(.nextEnabled(isEnabled: draft.name != nil))
        output.send(.addEnabled(isEnabled: draft.isComplete))
    }
}
