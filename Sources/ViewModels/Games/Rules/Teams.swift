import BusdGamesEvents
import BusdProtocol

/// The names of the two teams of a game.
///
/// It refers to an immutable object: each move copies a game, and compares its names.
public struct Teams: Hashable, Sendable {
    private struct Content: Hashable {
        let home: Team
        let away: Team
    }

    private final class Holder: Sendable {
        let content: Content

        init(_ content: Content) { self.content = content }
    }

    private let holder: Holder

    /// Both teams have the same number of players.
    init(home: Team, away: Team) { holder = Holder(Content(home: home, away: away)) }

    var home: Team { holder.content.home }
    var away: Team { holder.content.away }

    public static func == (one: Self, other: Self) -> Bool {
        one.holder === other.holder || one.holder.content == other.holder.content
    }

    public func hash(into hasher: inout Hasher) { holder.content.hash(into: &hasher) }

    /// How many players each team has.
    var size: Int { home.players.count }

    /// Bytes of the names of all teams and players.
    var nameBytes: Int { home.nameBytes + away.nameBytes }

    subscript(side: Side) -> Team { side == .home ? home : away }

    subscript(player: PlayerID) -> Name? {
        let players = self[player.side].players
        return players.indices.contains(player.index.value) ? players[player.index.value] : nil
    }

    mutating func rename(_ renaming: Renaming) {
        let side = renaming.side
        var (name, players) = (self[side].name, self[side].players)
        switch renaming.owner {
        case .team: name = renaming.name
        case .player(let player):
            guard players.indices.contains(player.index.value) else { return }
            players[player.index.value] = renaming.name
        }
        guard let team = Team(name: name, players: players) else { return }
        self = side == .home ? Teams(home: team, away: away) : Teams(home: home, away: team)
    }
}

/// A new name of a team or of a player.
public struct Renaming: Hashable, Sendable {
    enum Owner: Hashable, Sendable {
        case team(Side)
        case player(PlayerID)
    }

    let owner: Owner
    /// The name that the scorer saw.
    let was: Name
    let name: Name

    init(_ owner: Owner, was: Name, name: Name) {
        (self.owner, self.was, self.name) = (owner, was, name)
    }

    var side: Side {
        switch owner {
        case .team(let side): side
        case .player(let player): player.side
        }
    }

    /// The present name of the owner.
    func current(in teams: Teams) -> Name? {
        switch owner {
        case .team(let side): teams[side].name
        case .player(let player): teams[player]
        }
    }
}

/// Coded as a list of names: the home team, its players, the away team, its players.
extension Teams: Codable {
    public init(from decoder: any Decoder) throws {
        let names = try [Name](from: decoder)
        let half = names.count / 2
        guard half > 0, names.count == 2 * half,
            let home = Team(name: names[0], players: Array(names[1..<half])),
            let away = Team(name: names[half], players: Array(names[(half + 1)...]))
        else { throw decoder.corrupted("these are not the names of two teams") }
        self.init(home: home, away: away)
    }

    public func encode(to encoder: any Encoder) throws {
        try ([home.name] + home.players + [away.name] + away.players).encode(to: encoder)
    }
}
