public import BusdProtocol

/// `books`: the library of books. It also makes the view models in which they are studied: a book's
/// can be reached for as long as the book is there.
///
/// A change is told first as an edit of the list, then as the progress that it leads to.
public final class BooksViewModel: DurableViewModel {
    public typealias Kind = Books
    public typealias Services = any HasBooks & HasDirectory

    public static let placement = Placement.fixed(.literal("books"))

    public let output = Output<Books.ViewModelEvent>()
    private let books: any BooksService
    private let directory: any Directory
    private var rows: [Books.Row] = []
    private var progress = LibraryProgress()

    public init(at address: Address, services: Services) {
        books = services.books
        directory = services.directory
        for summary in books.summaries { addViewModel(of: summary.id) }
        books.feed.library.bind(self) { $0.keepDirectory($1) }
    }

    public func start() {
        let summaries = books.summaries
        for summary in summaries { progress[summary.id] = summary.progress }
        showProgress()
        rows = summaries.map(row)
        output.send(.books(books: rows))
        books.feed.library.bind(self) { $0.show($1) }
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
        case .importBook(let name, let cards): books.create(name: name, cards: cards)
        case .addCards(let book, let cards): withID(book) { books.add(cards, to: $0) }
        }
    }

    private func withID(_ text: String, _ body: (BookID) -> Void) {
        if let id = BookID(text) { body(id) }
    }

    // MARK: The view models of books

    private func keepDirectory(_ change: BooksChange) {
        switch change {
        case .created(let id, _), .restored(let id, _): addViewModel(of: id)
        case .changed, .moved, .reordered: break
        case .deleted(let id), .withdrawn(let id): directory.remove(id.address)
        }
    }

    private func addViewModel(of id: BookID) { directory.add(Study.self, at: id.address) }

    // MARK: The list

    private func show(_ change: BooksChange) {
        switch change {
        case .created(let id, let book), .restored(let id, let book):
            progress[id] = book.progress
            edit(.insert(at: rows.count, row: row(BookSummary(book, id: id))))
        case .changed(let id, let book):
            progress[id] = book.progress
            let row = row(BookSummary(book, id: id))
            if let place = place(of: id), rows[place] != row { edit(.update(at: place, row: row)) }
        case .moved(let id, let to):
            if let from = place(of: id) { edit(.move(from: from, to: to)) }
        case .deleted(let id), .withdrawn(let id):
            progress[id] = nil
            if let place = place(of: id) { edit(.delete(at: place)) }
        case .reordered: becomeWhatIsKept()
        }
        showProgress()
    }

    private func edit(_ edit: Edit<Books.Row>) {
        // While the output holds the rows too, an edit would copy them all.
        output.withdraw("books")
        if rows.apply([edit]) { tell([edit]) }
    }

    private func tell(_ edits: [Edit<Books.Row>]) {
        guard !edits.isEmpty else { return }
        output.send(.booksEdited(edits: edits), current: .books(books: rows))
    }

    private func becomeWhatIsKept() {
        let kept = books.summaries.map(row)
        let edits = rows.edits(to: kept)
        rows = kept
        if let edits {
            tell(edits)
        } else {
            output.send(.books(books: rows))
        }
    }

    private func showProgress() {
        let total = progress.total
        output.send(.currentProgress(text: total.text, known: total.known, cards: total.cards))
    }

    private func place(of id: BookID) -> Int? {
        let text = id.text
        return rows.firstIndex { $0.id == text }
    }

    private func row(_ summary: BookSummary) -> Books.Row {
        Books.Row(
            id: summary.id.text, name: summary.name.text,
            cardCount: String(summary.progress.cards), progress: summary.progress.shortText)
    }
}
