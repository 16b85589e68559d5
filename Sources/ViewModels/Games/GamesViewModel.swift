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
        case .created(let id, _), .restored(let id, _): addViewModels(of: id)
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
            insert(game, id)
            output.send(.created(game: id.text, address: id.address.text))
        case .restored(let id, let game): insert(game, id)
        case .changed(let id, let game):
            let row = row(GameSummary(game, id: id))
            guard let place = place(of: id), rows[place] != row else { return }
            edit(.update(at: place, row: row))
        case .deleted(let id), .withdrawn(let id):
            guard let place = place(of: id) else { return }
            edit(.delete(at: place))
        }
    }

    private func insert(_ game: Game, _ id: GameID) {
        edit(.insert(at: countOfNewer(than: id), row: row(GameSummary(game, id: id))))
    }

    private func edit(_ edit: Edit<Games.Row>) {
        // While the output holds the rows too, an edit would copy them all.
        output.withdraw("games")
        guard rows.apply([edit]) else { return }
        output.send(.gamesEdited(edits: [edit]), current: .games(games: rows))
    }

    private func place(of id: GameID) -> Int? {
        let place = countOfNewer(than: id)
        return place < rows.count && rows[place].id == id.text ? place : nil
    }

    /// The newest is first, and newer games have higher numbers.
    private func countOfNewer(than id: GameID) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if let other = GameID(rows[middle].id), other > id {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func row(_ summary: GameSummary) -> Games.Row {
        Games.Row(
            id: summary.id.text, address: summary.id.address.text, home: summary.home.text,
            away: summary.away.text, score: summary.score.text, status: summary.status)
    }
}
