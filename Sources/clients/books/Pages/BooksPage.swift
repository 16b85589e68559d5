import BusdBooksEvents
import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The library, live.
final class BooksPage: Page {
    private weak var host: (any PageHost<Step>)?
    private let view: BooksView
    private let connection: BusConnection
    private var asksToDelete: Books.Row?
    private var page = 1

    init(_ view: BooksView, _ connection: BusConnection, on host: any PageHost<Step>) {
        self.view = view
        self.connection = connection
        self.host = host
    }

    // MARK: Keys

    func press(_ key: Key) {
        host?.changed()
        if let book = asksToDelete {
            asksToDelete = nil
            if key == .text("y") { view.delete(book) }
            return
        }
        guard let command = BooksCommand(key, page: page) else { return }
        switch command {
        case .choose(let step): view.state.list.move(by: step)
        case .move(let step):
            view.moveChosen(by: step, isSettled: connection.unansweredCount == 0)
        case .study: withChosen { book in if let book = book.study { host?.go(.study(book)) } }
        case .cards: withChosen { host?.go(.cards($0.id, at: 0)) }
        case .rename: withChosen { host?.go(.rename($0)) }
        case .delete: withChosen { asksToDelete = $0 }
        case .restore:
            if let book = view.state.list.chosenRow, book.isDeleted { view.restore(book) }
        case .add: host?.go(.create)
        case .help: host?.go(.help)
        case .back: break
        case .quit: host?.go(.quit)
        }
    }

    private func withChosen(_ body: (Books.Row) -> Void) {
        guard let book = view.state.list.chosenRow else { return }
        if book.isDeleted { host?.showNotice(BooksPicture.deleted) } else { body(book) }
    }

    func touch(_ touch: Touch) {
        guard case .row(let id) = touch else { return }
        if id == view.state.list.chosen { return press(.enter) }
        view.state.list.choose(id: id)
        host?.changed()
    }

    // MARK: Drawing

    var minimum: Size { BooksPicture.minimum }

    var hints: [Hint] {
        let list = view.state.list
        guard list.isKnown else { return [] }
        return BooksHints.all(
            count: list.rows.count, isDeleted: list.chosenRow?.isDeleted ?? false)
    }

    var question: String? {
        asksToDelete.map { "Delete \($0.name) with its \($0.cards)? y/n" }
    }

    func draw(on picture: inout Picture, in area: Area) {
        page = BooksPicture.page(in: area)
        BooksPicture(state: view.state).draw(on: &picture, in: area)
    }
}
