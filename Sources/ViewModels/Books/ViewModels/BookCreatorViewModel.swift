public import BusdBooksEvents
import BusdDeck
public import BusdProtocol

/// `book-creator/NAME`: the draft of a book, over two screens. It accepts any text, and lists the
/// problems. A complete book can be added from either screen.
public final class BookCreatorViewModel: DraftingViewModel {
    public typealias Kind = BookCreator
    public typealias Services = any HasBooks & HasDrafts

    public static let placement = Placement.onDemand

    public static let awaitsOutcomes = true

    public let output = Output<BookCreator.ViewModelEvent>()
    private let books: Library<Book>
    private let share: DraftShare
    private var typed = BookDraft() {
        didSet { share.bytes = typed.bytes }
    }

    public var draft: BookDraft? {
        get { typed.isEmpty ? nil : typed }
        set { typed = newValue ?? BookDraft() }
    }

    public init(at address: Address, services: Services) {
        books = services.books
        share = DraftShare(of: services.drafts)
    }

    public var subject: Subject { books.subject }

    public func isDurable(_ event: BookCreator.ViewEvent) -> Bool {
        if case .addTapped = event { true } else { false }
    }

    public func start() { show() }

    public func refusal(of event: BookCreator.ViewEvent) -> Refusal? {
        switch event {
        case .nameChanged(let name): share.refusal(ofName: name, inPlaceOf: typed.text)
        case .cardsChanged(let text, let base): refusal(ofCards: text, editing: base)
        case .addTapped(let name, let text): refusal(ofAdding: name, text)
        case .nextTapped, .backTapped: nil
        }
    }

    private func refusal(ofCards edit: String, editing base: Int?) -> Refusal? {
        guard let text = typed.cardsText(after: edit, of: base) else {
            return Refusal(.stale, "the cards were changed elsewhere: edit the newest revision")
        }
        guard text.utf8.count <= BookCreator.longestText else {
            return .badEvent(
                "the cards in a draft have at most \(BookCreator.longestText) bytes", at: "text",
                limit: BookCreator.draftText)
        }
        return share.refusal(ofBytes: BookDraft.bytes(ofDeck: text), inPlaceOf: typed.deckBytes)
    }

    private func refusal(ofAdding name: String?, _ text: String?) -> Refusal? {
        guard let shown = typed.shown(name: name, text: text) else {
            return Refusal(.stale, "the draft was changed elsewhere: look at it, then add it")
        }
        if shown.isComplete { return books.refusal(of: .book(shown.deck.cards), at: "text") }
        guard name != nil || text != nil, let problem = shown.problem else { return nil }
        return Refusal(.badEvent, problem.text, at: problem.path)
    }

    public func handle(event: BookCreator.ViewEvent) {
        switch event {
        case .nameChanged(let name): typed.text = name
        case .nextTapped: if typed.name != nil { typed.screen = .cards }
        case .backTapped: typed.screen = .name
        case .cardsChanged(let edit, let base): setCards(edit, editing: base)
        case .addTapped(let name, let text):
            if let shown = typed.shown(name: name, text: text) { add(shown) }
        }
        show()
    }

    private func setCards(_ edit: String, editing base: Int?) {
        guard let text = typed.cardsText(after: edit, of: base) else { return }
        typed.setDeck(text)
        if !share.hasRoom(for: typed.bytes) { typed.forgetEarlier() }
    }

    private func add(_ shown: BookDraft) {
        guard shown.isComplete, let name = shown.name else { return }
        books.create(BookSeed(name: name, cards: shown.deck.cards)) { [weak self] outcome in
            if case .applied(let id) = outcome { self?.added(id) }
        }
    }

    private func added(_ id: BookID) {
        typed = BookDraft(after: typed)
        output.send(.added(book: id.text))
        show()
    }

    private func show() {
        output.send(.screen(name: typed.screen))
        output.send(.name(text: typed.text))
        output.send(.cardsText(text: typed.cardsText, revision: typed.revision))
        output.send(.cards(count: typed.deck.cards.count, problems: typed.deck.problems))
        output.send(.nextEnabled(isEnabled: typed.name != nil))
        output.send(.addEnabled(isEnabled: typed.isComplete))
    }
}
