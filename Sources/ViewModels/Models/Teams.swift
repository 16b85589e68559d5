package import BusdProtocol

/// The two teams from which a game is created.
public struct Teams: Hashable, Sendable {
    package let home: Team
    package let away: Team

    package init(home: Team, away: Team) {
        self.home = home
        self.away = away
    }

    /// Bytes of the names of all teams and players.
    package var nameBytes: Int { home.nameBytes + away.nameBytes }
}

/// Coded as a list of eight names: the home team, its players, the away team, its players.
extension Teams: Codable {
    public init(from decoder: any Decoder) throws {
        let names = try [StoredName](from: decoder).map(\.name)
        guard names.count == 2 * (1 + Team.size),
            let home = Team(name: names[0], players: Array(names[1...Team.size])),
            let away = Team(
                name: names[1 + Team.size], players: Array(names[(2 + Team.size)...]))
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "these are not the names of two teams"))
        }
        self.init(home: home, away: away)
    }

    public func encode(to encoder: any Encoder) throws {
        let names = [home.name] + home.players + [away.name] + away.players
        try names.map { StoredName($0) }.encode(to: encoder)
    }
}
