public import BusdGamesEvents
public import BusdProtocol

/// `games`: the library of games. It also adds their view models: the scoreboard and the players of
/// a game exist as long as the game.
public final class GamesViewModel: DurableViewModel {
    public typealias Kind = Games
    public typealias Services = any HasGames & HasDirectory & HasClock & HasWallClock

    public static let placement = Placement.fixed(.literal("games"))

    public let output = Output<Games.ViewModelEvent>()
    private let games: Library<Game>
    private let wallClock: any WallClock
    private let viewModels: ThingViewModels<Game>
    /// Set by `start`.
    private var rows: ThingRows<Game, Games.Row, Games.ViewModelEvent>?

    public init(at address: Address, services: Services) {
        games = services.games
        wallClock = services.wallClock
        viewModels = ThingViewModels(of: games, [Scoreboard.self], services) { id, summary in
            let players = Side.allCases.flatMap { PlayerID.team($0, of: summary.teamSize) }
            return players.map { (Player.self, $0.address(in: id)) }
                + [(Plays.self, id.addressOfPlays)]
        }
    }

    public var subject: Subject { games.subject }

    /// It must stay awake to add and remove the view models of games.
    public var canSleep: Bool { false }

    public func start() {
        let list = ListOutput(
            output, { .games(games: $0) }, edited: { .gamesEdited(edits: $0) })
        rows = ThingRows(of: games, .newestFirst, on: list, update: { $0.show($1, $2) }) {
            Games.Row($0, $1)
        }
        games.changes.bind(self) { $0.show($1) }
    }

    private func show(_ change: LibraryChange<Game>) {
        rows?.show(change)
        if case .created(let id, _) = change {
            output.send(.created(game: id.text, address: id.address.text))
        }
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
}

extension Games.Row {
    fileprivate init(_ id: GameID, _ game: GameSummary) {
        self.init(
            id: id.text, address: id.address.text, home: game.home.text, away: game.away.text,
            score: game.score.text, status: game.status,
            created: Int(widening: game.created.seconds), isDeleted: game.deleted != nil)
    }

    /// Most moves change the score at most, which costs less than another row.
    fileprivate mutating func show(_ id: GameID, _ game: GameSummary) {
        guard isDeleted == (game.deleted != nil), home.isExactly(game.home.text),
            away.isExactly(game.away.text)
        else {
            self = Self(id, game)
            return
        }
        let score = game.score.text
        if !self.score.isExactly(score) || status != game.status {
            update(score: score, status: game.status)
        }
    }
}
