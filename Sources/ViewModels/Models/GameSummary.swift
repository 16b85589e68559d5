public import BusdProtocol

/// What a list shows of a game; storage has it without reading the moves.
public struct GameSummary: Hashable, Sendable {
    public var id: GameID
    public var home: Name
    public var away: Name
    public var score: Score
    public var status: Games.Status

    public init(id: GameID, home: Name, away: Name, score: Score, status: Games.Status) {
        self.id = id
        self.home = home
        self.away = away
        self.score = score
        self.status = status
    }

    public init(_ game: Game, id: GameID) {
        self.init(
            id: id, home: game.home.name, away: game.away.name, score: game.score,
            status: game.status)
    }
}
