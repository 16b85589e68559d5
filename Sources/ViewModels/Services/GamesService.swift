public import Protocol

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

    /// Every change of a game. Without effect where there is no such game, or its rules do not
    /// allow it.
    func apply(_ action: GameAction, to id: GameID, at now: Instant)
}

/// How much a library of games holds.
public struct GamesSize: Equatable, Sendable {
    public var games = 0
    /// Of all games together.
    public var moves = 0
    /// Games whose clock runs.
    public var running = 0

    public init() {}
}

/// What makes a library of games larger.
enum GamesGrowth {
    case game
    case move
    case running
}

extension GamesService {
    func refusal(of growth: GamesGrowth) -> Refusal? {
        switch growth {
        case .game:
            guard size.games >= Games.mostGames else { return nil }
            return .overloaded(
                "there are \(Games.mostGames) games: delete one first", limit: "games")
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
}
