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
    private let directory: any Directory
    private let expirations: Expirations<Book>
    private var rows: [Books.Row] = []

    public init(at address: Address, services: Services) {
        books = services.books
        directory = services.directory
        expirations = Expirations(of: books, clock: services.clock)
        for id in books.ids where books.isPresent(id) { addViewModels(of: id) }
        books.changes.bind(self) { $0.keepDirectory($1) }
    }

    public var subject: Subject { books.subject }

    /// It must stay awake to add and remove the view models of books.
    public var canSleep: Bool { false }

    public func start() {
        showProgress()
        rows = books.ids.compactMap { id in books.summary(of: id).map { row(id, $0) } }
        output.send(.books(books: rows))
        books.changes.bind(self) { $0.show($1) }
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

    // MARK: The view models of books

    private func keepDirectory(_ change: LibraryChange<Book>) {
        switch change {
        case .created(let id, _): addViewModels(of: id)
        case .changed(let id, let book, let before):
            guard (book.deleted == nil) == before.isDeleted else { return }
            expirations.schedule(id)
            if before.isDeleted { addViewModels(of: id) } else { removeViewModels(of: id) }
        case .moved: break
        case .deleted(let id):
            expirations.schedule(id)
            removeViewModels(of: id)
        }
    }

    private func addViewModels(of id: BookID) {
        directory.add(Study.self, at: id.address)
        directory.add(Cards.self, at: id.cardsAddress)
    }

    private func removeViewModels(of id: BookID) {
        directory.remove(id.address)
        directory.remove(id.cardsAddress)
    }

    // MARK: The list

    private func show(_ change: LibraryChange<Book>) {
        switch change {
        case .created(let id, let book):
            edit(.insert(at: rows.count, row: row(id, book.summary)))
        case .changed(let id, let book, _):
            let row = row(id, book.summary)
            if let place = place(of: id), rows[place] != row { edit(.update(at: place, row: row)) }
        case .moved(let id, let to):
            if let from = place(of: id) { edit(.move(from: from, to: to)) }
        case .deleted(let id):
            if let place = place(of: id) { edit(.delete(at: place)) }
        }
        showProgress()
    }

    private func edit(_ edit: Edit<Books.Row>) {
        // If the output held the rows, too, an edit would copy all of them.
        output.withdraw("books")
        guard rows.apply([edit]) else { return }
        output.send(.booksEdited(edits: [edit]), current: .books(books: rows))
    }

    private func showProgress() {
        let total = books.size.progress
        output.send(.currentProgress(text: total.text, known: total.known, cards: total.cards))
    }

    private func place(of id: BookID) -> Int? {
        let text = id.text
        return rows.firstIndex { $0.id == text }
    }

    private func row(_ id: BookID, _ summary: BookSummary) -> Books.Row {
        Books.Row(
            id: id.text, name: summary.name.text,
            cardCount: String(summary.progress.cards), progress: summary.progress.shortText,
            isDeleted: summary.isDeleted)
    }
}
