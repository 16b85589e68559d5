import BusdClient
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

    /// - Parameter opensNewest: opens the newest game that is not finished, if there is one.
    init(_ connection: BusConnection, opensNewest: Bool = false, on host: any PageHost<Step>) {
        self.host = host
        self.opensNewest = opensNewest
        viewModel = RemoteViewModel(connection, at: .literal("games"), as: "games")
        viewModel.report(to: host)
        viewModel.onUpdate = { [weak self] in self?.updated() }
        view.bind(with: viewModel)
    }

    private func updated() {
        host?.changed()
        guard opensNewest, view.list.isKnown else { return }
        opensNewest = false
        if let game = view.list.newest(orFinished: false) { open(game) }
    }

    private func open(_ game: Games.Row) {
        if let address = Address(game.address) { host?.go(.open(address)) }
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
        guard let command = GamesCommand(key, page: page) else { return }
        switch command {
        case .move(let step): view.list.move(by: step)
        case .open: if let game = view.list.chosenRow { open(game) }
        case .delete: asksToDelete = view.list.chosenRow
        case .create: host?.go(.create)
        case .help: host?.go(.help)
        case .back: host?.go(.back)
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
        view.list.isKnown ? GamesHints.all(isEmpty: view.list.rows.isEmpty) : []
    }

    var question: String? {
        asksToDelete.map { "Delete \($0.home) \($0.score) \($0.away)? y/n" }
    }

    func draw(on picture: inout Picture, in area: Area) {
        page = GamesPicture.page(in: area)
        GamesPicture(list: view.list).draw(on: &picture, in: area)
    }
}
