package import BusdProtocol

/// The values of a game that a list shows.
public struct GameSummary: Hashable, Sendable {
    package let home: Name
    package let away: Name
    package let score: Score
    package let status: Games.Status
    package let moves: Int
    /// Bytes of the names of both teams and all players.
    package let nameBytes: Int

    init(_ game: Game) {
        (home, away) = (game.home.name, game.away.name)
        (score, status, moves) = (game.score, game.status, game.moves.count)
        nameBytes = game.home.nameBytes + game.away.nameBytes
    }
}

/// Coded as a list, in the order of the properties.
extension GameSummary: Codable {
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        home = try list.decode(StoredName.self).name
        away = try list.decode(StoredName.self).name
        score = Score(home: try list.decodeCount(), away: try list.decodeCount())
        status = try list.decode(Games.Status.self)
        moves = try list.decodeCount()
        nameBytes = try list.decodeCount()
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(StoredName(home))
        try list.encode(StoredName(away))
        try list.encode(score.home)
        try list.encode(score.away)
        try list.encode(status)
        try list.encode(moves)
        try list.encode(nameBytes)
    }
}
