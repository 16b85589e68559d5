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
        case .study: if let book = view.state.list.chosenRow?.study { host?.go(.study(book)) }
        case .delete: asksToDelete = view.state.list.chosenRow
        case .add: host?.go(.create)
        case .help: host?.go(.help)
        case .back: break
        case .quit: host?.go(.quit)
        }
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
        view.state.list.isKnown ? BooksHints.all(count: view.state.list.rows.count) : []
    }

    var question: String? {
        asksToDelete.map { "Delete \($0.name) with its \($0.cards)? y/n" }
    }

    func draw(on picture: inout Picture, in area: Area) {
        page = BooksPicture.page(in: area)
        BooksPicture(state: view.state).draw(on: &picture, in: area)
    }
}
