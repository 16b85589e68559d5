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
