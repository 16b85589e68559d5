import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The list of games, live.
final class GamesPage: Page {
    private weak var host: (any PageHost<Step>)?
    private let viewModel: RemoteViewModel<Games>
    private let view = GamesView()
    private var opensNewest: Bool
    private var asksToDelete: Games.Row?
    private var page = 1
    private var watch: SteadyWatch?

    /// - Parameter opensNewest: opens the newest game that is not finished, if there is one.
    init(_ connection: BusConnection, opensNewest: Bool = false, on host: any PageHost<Step>) {
        self.host = host
        self.opensNewest = opensNewest
        viewModel = RemoteViewModel(connection, at: .literal("games"), as: "games")
        viewModel.report(to: host)
        viewModel.onUpdate = { [weak self] in self?.updated() }
        watch = SteadyWatch(viewModel, connection.loop.clock) { [weak self] in
            self?.asksToDelete = nil
            self?.view.hide()
            self?.host?.changed()
        }
        view.bind(with: viewModel)
    }

    /// Shows an event of the view model.
    func show(_ event: Games.ViewModelEvent) { view.handle(event: event) }

    private func updated() {
        host?.changed()
        guard opensNewest, view.list.isKnown else { return }
        opensNewest = false
        if let game = view.list.newest(orFinished: false) { open(game) }
    }

    private func open(_ game: Games.Row) {
        if game.isDeleted {
            host?.showNotice("this game is deleted: u takes it back")
        } else if let address = Address(game.address) {
            host?.go(.open(address))
        }
    }

    // MARK: Keys

    func press(_ key: Key) {
        opensNewest = false
        host?.changed()
        if let game = asksToDelete {
            asksToDelete = nil
            if key == .text("y") { view.delete(game) }
            return
        }
        if view.search.press(key) { return }
        guard let command = GamesCommand(key, page: page) else {
            if let notice = key.unknown { host?.showNotice(notice) }
            return
        }
        switch command {
        case .move(let step): view.list.move(by: step)
        case .open: if let game = view.list.chosenRow { open(game) }
        case .delete: if let game = view.list.chosenRow, !game.isDeleted { asksToDelete = game }
        case .restore: if let game = view.list.chosenRow, game.isDeleted { view.restore(game) }
        case .search: view.search.open()
        case .create: host?.go(.create)
        case .help: host?.go(.help)
        case .back: if view.search.isEmpty { host?.go(.back) } else { view.search.clear() }
        case .quit: host?.go(.quit)
        }
    }

    func touch(_ touch: Touch) {
        guard case .row(let id) = touch else { return }
        if id == view.list.chosen { return press(.enter) }
        view.list.choose(id: id)
        host?.changed()
    }

    // MARK: Drawing

    var minimum: Size { GamesPicture.minimum }

    var hints: [Hint] {
        if view.search.isOpen { return Search.hints }
        return view.list.isKnown ? GamesHints.all(chosen: view.list.chosenRow) : []
    }

    var question: String? {
        asksToDelete.map { "Delete \($0.home) \($0.score) \($0.away)? y/n" }
    }

    func draw(on picture: inout Picture, in area: Area) {
        page = GamesPicture.page(in: area)
        GamesPicture(list: view.list, search: view.search).draw(on: &picture, in: area)
    }
}
