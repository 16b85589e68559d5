package import BusdProtocol

/// From what a game is created.
public struct GameSeed: Hashable, Sendable {
    package let teams: Teams
    package let rules: GameRules
    /// When; `nil` in games of versions that kept no dates.
    package let created: UTCTime?

    package init(_ teams: Teams, rules: GameRules = .usual, created: UTCTime? = nil) {
        (self.teams, self.rules, self.created) = (teams, rules, created)
    }

    /// The older form has the names alone, of teams of three.
    var hasOlderForm: Bool { rules == .usual && created == nil && teams.size == 3 }
}

extension GameSeed: Codable {
    private struct Stored: Codable {
        var names: Teams
        var rules: GameRules?
        var created: UTCTime?
    }

    public init(from decoder: any Decoder) throws {
        if let teams = try? Teams(from: decoder) {
            self.init(teams)
            guard hasOlderForm else { throw decoder.corrupted("a team of an old game has three") }
        } else {
            let stored = try Stored(from: decoder)
            self.init(stored.names, rules: stored.rules ?? .usual, created: stored.created)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if hasOlderForm { return try teams.encode(to: encoder) }
        try Stored(names: teams, rules: rules == .usual ? nil : rules, created: created)
            .encode(to: encoder)
    }
}
