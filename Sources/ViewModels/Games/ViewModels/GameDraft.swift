import BusdGamesEvents
import BusdProtocol

/// The draft of two teams, and its problems.
public struct GameDraft: Equatable {
    var home = TeamDraft()
    var away = TeamDraft()
    var rules = GameRules.usual

    /// How many players each team has. Names of others are forgotten.
    var size: Int {
        get { home.players.count }
        set {
            for side in Side.allCases {
                let players = self[side].players
                let missing = max(0, newValue - players.count)
                self[side].players =
                    players.prefix(newValue) + Array(repeating: "", count: missing)
            }
        }
    }

    /// Whether teams of this size have the player.
    func has(_ index: PlayerIndex) -> Bool { index.value < size }

    subscript(side: Side) -> TeamDraft {
        get { side == .home ? home : away }
        set { if side == .home { home = newValue } else { away = newValue } }
    }

    /// The draft as a screen shows it; `nil` if the draft has other names. An empty draft takes the
    /// names of the screen, and as many players, unless their number was changed.
    func shown(home: TeamDraft?, away: TeamDraft?) -> GameDraft? {
        let isEmpty = hasNoNames
        var shown = self
        if isEmpty, size == Team.usualSize, let team = home ?? away {
            shown.size = team.players.count
        }
        for (side, team) in [(Side.home, home), (.away, away)] {
            guard let team else { continue }
            guard team.players.count == shown.size, isEmpty || team == self[side] else {
                return nil
            }
            shown[side] = team
        }
        return shown
    }

    private var hasNoNames: Bool {
        Side.allCases.allSatisfy { names($0).allSatisfy(\.name.isEmpty) }
    }

    /// Bytes of all names.
    var bytes: Int { home.bytes + away.bytes }

    /// Both teams; `nil` if there are problems.
    var teams: Teams? {
        guard let home = home.team, let away = away.team else { return nil }
        return Teams(home: home, away: away)
    }

    /// One problem per invalid name: the home team, its players, then the away team.
    var problems: [Problem] {
        Side.allCases.flatMap { side in
            names(side).compactMap { owner, path, name in
                NameProblem(of: name).map {
                    Problem(text: "The name of \(owner) \($0.text).", path: path)
                }
            }
        }
    }

    struct Problem {
        /// A sentence.
        let text: String
        /// The place of the name in `createTapped`.
        let path: String
    }

    private func names(_ side: Side) -> [(owner: String, path: String, name: String)] {
        let players = self[side].players.enumerated().map { index, name in
            (
                owner: "\(side.rawValue) player \(index + 1)",
                path: "\(side.rawValue).players.\(index)", name: name
            )
        }
        return [("the \(side.rawValue) team", "\(side.rawValue).name", self[side].name)] + players
    }
}

extension TeamDraft {
    fileprivate var bytes: Int { players.reduce(name.utf8.count) { $0 + $1.utf8.count } }

    fileprivate var team: Team? {
        guard let name = try? Name(name) else { return nil }
        let names = players.compactMap { try? Name($0) }
        return names.count == players.count ? Team(name: name, players: names) : nil
    }
}

/// The usual rules are left out.
extension GameDraft: Codable {
    private struct Stored: Codable {
        var home: TeamDraft
        var away: TeamDraft
        var rules: GameRules?
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        guard stored.home.players.count == stored.away.players.count else {
            throw decoder.corrupted("both teams need the same number of players")
        }
        (home, away, rules) = (stored.home, stored.away, stored.rules ?? .usual)
    }

    public func encode(to encoder: any Encoder) throws {
        try Stored(home: home, away: away, rules: rules == .usual ? nil : rules)
            .encode(to: encoder)
    }
}
