public import BusdProtocol

/// `games`: the library of games. It also adds their view models: the scoreboard and the players of
/// a game exist as long as the game.
public final class GamesViewModel: DurableViewModel {
    public typealias Kind = Games
    public typealias Services = any HasGames & HasDirectory & HasClock & HasWallClock

    public static let placement = Placement.fixed(.literal("games"))

    public let output = Output<Games.ViewModelEvent>()
    private let games: Library<Game>
    private let directory: any Directory
    private let wallClock: any WallClock
    private let expirations: Expirations<Game>
    private var rows: [Games.Row] = []
    /// The ids of `rows`.
    private var ids: [GameID] = []

    public init(at address: Address, services: Services) {
        games = services.games
        directory = services.directory
        wallClock = services.wallClock
        expirations = Expirations(of: games, clock: services.clock)
        for id in games.ids {
            if let summary = games.summary(of: id), summary.deleted == nil {
                addViewModels(of: id, summary)
            }
        }
        games.changes.bind(self) { $0.keepDirectory($1) }
    }

    public var subject: Subject { games.subject }

    /// It must stay awake to add and remove the view models of games.
    public var canSleep: Bool { false }

    public func start() {
        ids = games.ids.sorted(by: >)
        rows = ids.compactMap { id in games.summary(of: id).map { row(id, $0) } }
        output.send(.games(games: rows))
        games.changes.bind(self) { $0.show($1) }
    }

    public func refusal(of event: Games.ViewEvent) -> Refusal? {
        switch event {
        case .createGame(let home, let away, _): refusal(ofCreating: home, away)
        case .deleteGame, .restoreGame: nil
        }
    }

    private func refusal(ofCreating home: Team, _ away: Team) -> Refusal? {
        guard home.players.count == away.players.count else {
            return Refusal(
                .badEvent, "both teams need the same number of players", at: "away.players")
        }
        return games.refusal(of: .game(Teams(home: home, away: away)))
    }

    public func handle(event: Games.ViewEvent) {
        switch event {
        case .createGame(let home, let away, let rules):
            games.create(
                GameSeed(
                    Teams(home: home, away: away), rules: rules ?? .usual, created: wallClock.now))
        case .deleteGame(let game): if let id = GameID(game) { games.propose(.delete, to: id) }
        case .restoreGame(let game): if let id = GameID(game) { games.propose(.restore, to: id) }
        }
    }

    private func keepDirectory(_ change: LibraryChange<Game>) {
        switch change {
        case .created(let id, let game): addViewModels(of: id, game.summary)
        case .changed(let id, let game, let before):
            guard game.deleted != before.deleted else { return }
            expirations.schedule(id)
            if game.deleted == nil {
                addViewModels(of: id, game.summary)
            } else {
                directory.remove(id.address)
            }
        case .moved: break
        // The view models of a marked game are gone already.
        case .deleted(let id):
            expirations.schedule(id)
            directory.remove(id.address)
        }
    }

    private func addViewModels(of id: GameID, _ summary: GameSummary) {
        directory.add(Scoreboard.self, at: id.address)
        for side in Side.allCases {
            for player in PlayerID.team(side, of: summary.teamSize) {
                directory.add(Player.self, at: player.address(in: id))
            }
        }
        directory.add(Plays.self, at: id.addressOfPlays)
    }

    private func show(_ change: LibraryChange<Game>) {
        switch change {
        case .created(let id, let game):
            let place = countOfNewer(than: id)
            ids.insert(id, at: place)
            edit(.insert(at: place, row: row(id, game.summary)))
            output.send(.created(game: id.text, address: id.address.text))
        case .changed(let id, let game, let before):
            if let place = place(of: id) { update(place, id, game, before) }
        case .moved: break
        case .deleted(let id):
            guard let place = place(of: id) else { return }
            ids.remove(at: place)
            edit(.delete(at: place))
        }
    }

    private func update(_ place: Int, _ id: GameID, _ game: Game, _ before: GameSummary) {
        if game.deleted != before.deleted || game.home.name != before.home
            || game.away.name != before.away
        {
            return edit(.update(at: place, row: row(id, game.summary)))
        }
        let (score, status) = (game.score.text, game.status)
        var row = rows[place]
        guard row.score != score || row.status != status else { return }
        row.update(score: score, status: status)
        edit(.update(at: place, row: row))
    }

    private func edit(_ edit: Edit<Games.Row>) {
        // If the output held the rows, too, an edit would copy all of them.
        output.withdraw("games")
        guard rows.apply([edit]) else { return }
        output.send(.gamesEdited(edits: [edit]), current: .games(games: rows))
    }

    private func place(of id: GameID) -> Int? {
        let place = countOfNewer(than: id)
        return place < ids.count && ids[place] == id ? place : nil
    }

    /// A binary search: ids descend.
    private func countOfNewer(than id: GameID) -> Int {
        ids.indices.partitionPoint { ids[$0] > id }
    }

    private func row(_ id: GameID, _ summary: GameSummary) -> Games.Row {
        Games.Row(
            id: id.text, address: id.address.text, home: summary.home.text,
            away: summary.away.text, score: summary.score.text, status: summary.status,
            created: Int(widening: summary.created.seconds),
            isDeleted: summary.deleted != nil)
    }
}
