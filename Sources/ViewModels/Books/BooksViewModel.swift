public import BusdProtocol

/// `books`: the library of books. It also adds the view models for studying: the view model of a
/// book exists as long as the book.
///
/// A change is sent first as an edit of the list, then as the new progress.
public final class BooksViewModel: DurableViewModel {
    public typealias Kind = Books
    public typealias Services = any HasBooks & HasDirectory

    public static let placement = Placement.fixed(.literal("books"))

    public let output = Output<Books.ViewModelEvent>()
    private let books: Library<Book>
    private let directory: any Directory
    private var rows: [Books.Row] = []

    public init(at address: Address, services: Services) {
        books = services.books
        directory = services.directory
        for id in books.ids { addViewModel(of: id) }
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
        case .importBook(_, let cards): books.refusal(of: .book(cards))
        case .addCards(let book, let cards):
            BookID(book).flatMap { books.refusal(of: .cards(cards, of: $0)) }
        case .deleteBook, .moveBook: nil
        }
    }

    public func handle(event: Books.ViewEvent) {
        switch event {
        case .deleteBook(let book): withID(book) { books.delete($0) }
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
        case .created(let id, _): addViewModel(of: id)
        case .changed, .moved: break
        case .deleted(let id): directory.remove(id.address)
        }
    }

    private func addViewModel(of id: BookID) { directory.add(Study.self, at: id.address) }

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
            cardCount: String(summary.progress.cards), progress: summary.progress.shortText)
    }
}
