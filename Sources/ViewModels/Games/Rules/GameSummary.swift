import BusdGamesEvents
import BusdProtocol

/// The values of a game that a list shows.
public struct GameSummary: Hashable, Sendable {
    let home: Name
    let away: Name
    let score: Score
    let status: Games.Status
    let moves: Int
    /// Bytes of the names of both teams and all players.
    let nameBytes: Int
    let created: UTCTime
    /// When the game was marked as deleted.
    let deleted: Instant?
    /// How many players each team has.
    let teamSize: Int

    init(_ game: Game) {
        (home, away) = (game.teams.home.name, game.teams.away.name)
        (score, status) = (game.score, game.status)
        moves = game.list.plays.count + game.list.undone.count  // fits: counts of two arrays
        nameBytes = game.teams.nameBytes
        (created, deleted, teamSize) = (game.created, game.deleted, game.teams.size)
    }
}

/// Coded as a list, in the order of the properties. What is `nil` is left out at the end.
extension GameSummary: Codable {
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        home = try list.decode(Name.self)
        away = try list.decode(Name.self)
        score = Score(home: try list.decodeCount(), away: try list.decodeCount())
        status = try list.decode(Games.Status.self)
        moves = try list.decodeCount()
        nameBytes = try list.decodeCount()
        created = try list.decode(UTCTime.self)
        deleted = try list.decodeOptional(Int64.self).map {
            Instant(microseconds: try decoder.checked(microseconds: $0))
        }
        teamSize = try list.decodeOptional(Int.self) ?? Team.usualSize
        guard Team.sizes.contains(teamSize) else { throw decoder.corrupted("no team is so large") }
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(home)
        try list.encode(away)
        try list.encode(score.home)
        try list.encode(score.away)
        try list.encode(status)
        try list.encode(moves)
        try list.encode(nameBytes)
        let size = teamSize == Team.usualSize ? nil : teamSize
        try list.encode(created)
        guard deleted != nil || size != nil else { return }
        try list.encode(deleted?.microseconds)
        if let size { try list.encode(size) }
    }
}

extension UnkeyedDecodingContainer {
    /// `nil` also behind the end of the list.
    fileprivate mutating func decodeOptional<Value: Decodable>(_ type: Value.Type) throws -> Value?
    {
        isAtEnd ? nil : try decodeIfPresent(type)
    }
}
