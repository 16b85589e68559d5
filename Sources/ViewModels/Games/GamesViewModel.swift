public import Protocol

/// `games`: the library of games. It also makes their view models: a game's scoreboard and its
/// players can be reached for as long as the game is there.
public final class GamesViewModel: HostedViewModel {
    public typealias Kind = Games
    public typealias Services = any HasGames & HasDirectory

    public static let placement = Placement.fixed(.literal("games"))
    public static let isDurable = true

    public let output = Output<Games.ViewModelEvent>()
    private let games: any GamesService
    private let directory: any Directory
    private var rows: [Games.Row] = []

    public init(at address: Address, services: Services) {
        games = services.games
        directory = services.directory
        for summary in games.summaries { addViewModels(of: summary.id) }
        games.feed.library.bind(self) { $0.keepDirectory($1) }
    }

    public func start() {
        rows = games.summaries.map(row)
        output.send(.games(games: rows))
        games.feed.library.bind(self) { $0.show($1) }
    }

    public func handle(event: Games.ViewEvent) {
        switch event {
        case .createGame(let home, let away): games.create(home: home, away: away)
        case .deleteGame(let game): if let id = GameID(game) { games.delete(id) }
        }
    }

    private func keepDirectory(_ change: GamesChange) {
        switch change {
        case .created(let id, _): addViewModels(of: id)
        case .changed: break
        case .deleted(let id), .withdrawn(let id): directory.remove(id.address)
        }
    }

    private func addViewModels(of id: GameID) {
        directory.add(Scoreboard.self, at: id.address)
        for player in PlayerID.all { directory.add(Player.self, at: player.address(in: id)) }
    }

    private func show(_ change: GamesChange) {
        switch change {
        case .created(let id, let game):
            edit(.insert(at: 0, row: row(GameSummary(game, id: id))))
            output.send(.created(game: id.text, address: id.address.text))
        case .changed(let id, let game):
            let row = row(GameSummary(game, id: id))
            guard let place = place(of: id), rows[place] != row else { return }
            edit(.update(at: place, row: row))
        case .deleted(let id), .withdrawn(let id):
            guard let place = place(of: id) else { return }
            edit(.delete(at: place))
        }
    }

    private func edit(_ edit: Edit<Games.Row>) {
        // While the output holds the rows too, an edit would copy them all.
        output.withdraw("games")
        guard rows.apply([edit]) else { return }
        output.send(.gamesEdited(edits: [edit]), current: .games(games: rows))
    }

    /// From the front, where the games are that are being played.
    private func place(of id: GameID) -> Int? {
        let text = id.text
        return rows.firstIndex { $0.id == text }
    }

    private func row(_ summary: GameSummary) -> Games.Row {
        Games.Row(
            id: summary.id.text, address: summary.id.address.text, home: summary.home.text,
            away: summary.away.text, score: summary.score.text, status: summary.status)
    }
}
