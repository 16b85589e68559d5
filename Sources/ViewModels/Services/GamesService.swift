public import BusdProtocol

/// The services of a view model that shows or changes games.
public protocol HasGames {
    var games: any GamesService { get }
}

/// The library of games, which lists, scoreboards, players and creators share.
///
/// Values go in and come out, so a game that nobody looks at may be on disk alone. Every change is
/// told by the `feed` before the method returns.
public protocol GamesService: AnyObject {
    var feed: GamesFeed { get }

    var size: GamesSize { get }

    /// All games, newest first.
    var summaries: [GameSummary] { get }

    /// `nil` where there is no such game.
    func game(_ id: GameID) -> Game?

    @discardableResult
    func create(home: Team, away: Team) -> GameID

    /// Without effect where there is no such game.
    func delete(_ id: GameID)

    /// Every change of a game. Returns false, and has no effect, if there is no such game or its
    /// rules do not allow the action.
    @discardableResult
    func apply(_ action: GameAction, to id: GameID, at now: Instant) -> Bool
}

/// How much a library of games holds.
public struct GamesSize: Equatable, Sendable {
    public var games = 0
    /// Of all games together.
    public var moves = 0
    /// Games whose clock runs.
    public var running = 0
    /// Bytes of the names of all teams and players together.
    public var nameBytes = 0

    public init() {}
}

/// What makes a library of games larger.
enum GamesGrowth {
    case game(Team, Team)
    case move
    case running
}

extension GamesService {
    func refusal(of growth: GamesGrowth) -> Refusal? {
        switch growth {
        case .game(let home, let away): return refusal(ofGame: home.nameBytes + away.nameBytes)
        case .move:
            guard size.moves >= Games.mostMoves else { return nil }
            return .overloaded(
                "all games together have \(Games.mostMoves) moves: delete a game first",
                limit: "moves")
        case .running:
            guard size.running >= Games.mostRunning else { return nil }
            return .overloaded(
                "\(Games.mostRunning) games are running: pause one first", limit: "gamesRunning")
        }
    }
    /// - Parameter nameBytes: bytes of the names in the new game.
    private func refusal(ofGame nameBytes: Int) -> Refusal? {
        guard size.games < Games.mostGames else {
            return .overloaded(
                "there are \(Games.mostGames) games: delete one first", limit: "games")
        }
        guard size.nameBytes + nameBytes <= Games.mostNameBytes else {
            return .overloaded(
                "the names in all games together have at most \(Games.mostNameBytes) bytes: "
                    + "delete a game first, or use shorter names", limit: "gameNames")
        }
        return nil
    }
}
