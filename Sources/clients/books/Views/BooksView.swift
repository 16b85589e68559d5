import BusdBooksEvents
import BusdProtocol
import BusdScreens

/// The library, as it is shown.
struct BooksState: Equatable {
    var list = ChosenList<Books.Row>()
    /// `43% KNOWN`
    private(set) var progress = ""
    /// A book to choose as soon as it is in the list.
    private var wanted: Books.Row.ID?

    mutating func apply(_ event: Books.ViewModelEvent) {
        switch event {
        case .books(let books): list.replace(with: books)
        case .booksEdited(let edits): list.apply(edits)
        case .currentProgress(let text, _, _): progress = text
        }
        if let wanted { choose(wanted) }
    }

    mutating func choose(_ book: Books.Row.ID) {
        list.choose(id: book)
        wanted = list.chosen == book ? nil : book
    }

    func name(of book: Books.Row.ID) -> String? { list.rows.first { $0.id == book }?.name }
}

/// A view on the library.
final class BooksView: View {
    let output = Output<Books.ViewEvent>()
    var state = BooksState()
    /// The last move that was sent.
    private var move: (book: Books.Row.ID, to: Int)?

    func handle(event: Books.ViewModelEvent) { state.apply(event) }

    func delete(_ book: Books.Row) { output.send(.deleteBook(book: book.id)) }

    func restore(_ book: Books.Row) { output.send(.restoreBook(book: book.id)) }

    func rename(_ book: Books.Row, to name: Name) {
        output.send(.renameBook(book: book.id, from: book.name, to: name))
    }

    /// Moves the chosen book down by `step` places, or up if it is negative.
    /// - Parameter isSettled: no event waits for an answer. Otherwise a second press counts from
    ///   the place to which the first one moves the book.
    func moveChosen(by step: Int, isSettled: Bool) {
        guard let book = state.list.chosen, let place = state.list.chosenPlace else { return }
        let last = state.list.rows.count - 1
        let from = move.flatMap { $0.book == book && !isSettled ? $0.to : nil } ?? place
        let to = min(max(0, from + step), last)
        guard to != from else { return }
        move = (book, to)
        output.send(.moveBook(book: book, to: to))
    }
}

extension Books.Row {
    /// `120 cards`
    var cards: String { cardCount + (cardCount == "1" ? " card" : " cards") }

    /// The address of the book's study.
    var study: Address? { Address.literal("study").appending(id) }
}
