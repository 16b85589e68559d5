import BusdGamesEvents
import BusdProtocol

/// From what a game is created.
public struct GameSeed: Hashable, Sendable {
    let teams: Teams
    let rules: GameRules
    let created: UTCTime

    init(_ teams: Teams, rules: GameRules = .usual, created: UTCTime) {
        (self.teams, self.rules, self.created) = (teams, rules, created)
    }
}

extension GameSeed: Codable {
    private struct Stored: Codable {
        var names: Teams
        var rules: GameRules?
        var created: UTCTime
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        self.init(stored.names, rules: stored.rules ?? .usual, created: stored.created)
    }

    public func encode(to encoder: any Encoder) throws {
        try Stored(names: teams, rules: rules == .usual ? nil : rules, created: created)
            .encode(to: encoder)
    }
}
