public import BusdBooksEvents
public import BusdProtocol

/// `books`: the library of books. It also adds the view models of each book, which exist as long as
/// the book, but not while it is marked as deleted. When it has been marked for ten minutes, it is
/// deleted for good.
///
/// A change is sent first as an edit of the list, then as the new progress.
public final class BooksViewModel: DurableViewModel {
    public typealias Kind = Books
    public typealias Services = any HasBooks & HasDirectory & HasClock

    public static let placement = Placement.fixed(.literal("books"))

    public let output = Output<Books.ViewModelEvent>()
    private let books: Library<Book>
    private let viewModels: ThingViewModels<Book>
    /// Set by `start`.
    private var rows: ThingRows<Book, Books.Row, Books.ViewModelEvent>?

    public init(at address: Address, services: Services) {
        books = services.books
        viewModels = ThingViewModels(of: books, [Study.self, Cards.self], services)
    }

    public var subject: Subject { books.subject }

    /// It must stay awake to add and remove the view models of books.
    public var canSleep: Bool { false }

    public func start() {
        showProgress()
        let list = ListOutput(
            output, { .books(books: $0) }, edited: { .booksEdited(edits: $0) })
        rows = ThingRows(of: books, on: list) { Books.Row($0, $1) }
        books.changes.bind(self) { $0.show($1) }
    }

    private func show(_ change: LibraryChange<Book>) {
        rows?.show(change)
        showProgress()
    }

    private func showProgress() {
        let total = books.size.progress
        output.send(.currentProgress(text: total.text, known: total.known, cards: total.cards))
    }

    public func refusal(of event: Books.ViewEvent) -> Refusal? {
        switch event {
        case .importBook(_, let cards): books.refusal(of: .book(cards), at: "cards")
        case .addCards(let book, let cards):
            BookID(book).flatMap { books.refusal(of: .cards(cards, of: $0), at: "cards") }
        case .renameBook(let book, let old, _):
            BookID(book).flatMap { refusal(ofName: old, of: $0) }
        case .deleteBook, .restoreBook, .moveBook: nil
        }
    }

    private func refusal(ofName name: String, of id: BookID) -> Refusal? {
        // A pending entry may give it this name.
        guard let book = books.summary(of: id), !book.isDeleted, !books.isPending(id),
            !book.name.text.isExactly(name)
        else { return nil }
        return Refusal(.stale, "the book has another name now: look at it, then rename it")
    }

    public func handle(event: Books.ViewEvent) {
        switch event {
        case .deleteBook(let book): withID(book) { books.propose(.delete, to: $0) }
        case .restoreBook(let book): withID(book) { books.propose(.restore, to: $0) }
        case .renameBook(let book, let old, let new):
            withID(book) { books.propose(.rename(from: ExactText(old), to: new), to: $0) }
        case .moveBook(let book, let to): withID(book) { books.move($0, to: to) }
        case .importBook(let name, let cards): books.create(BookSeed(name: name, cards: cards))
        case .addCards(let book, let cards): withID(book) { books.propose(.add(cards), to: $0) }
        }
    }

    private func withID(_ text: String, _ body: (BookID) -> Void) {
        if let id = BookID(text) { body(id) }
    }
}

extension Books.Row {
    fileprivate init(_ id: BookID, _ book: BookSummary) {
        self.init(
            id: id.text, name: book.name.text, cardCount: String(book.progress.cards),
            progress: book.progress.shortText, isDeleted: book.isDeleted)
    }
}
