import BusdProtocol

/// The draft of two teams, and its problems.
public struct GameDraft: Codable, Equatable {
    var home = TeamDraft()
    var away = TeamDraft()

    subscript(side: Side) -> TeamDraft {
        get { side == .home ? home : away }
        set {
            switch side {
            case .home: home = newValue
            case .away: away = newValue
            }
        }
    }

    /// The draft as a screen shows it; `nil` if the draft has other names. An empty draft takes the
    /// names of the screen.
    func shown(home: TeamDraft?, away: TeamDraft?) -> GameDraft? {
        let isEmpty = self == GameDraft()
        var shown = self
        for (side, team) in [(Side.home, home), (.away, away)] {
            guard let team else { continue }
            guard isEmpty || team == self[side] else { return nil }
            shown[side] = team
        }
        return shown
    }

    /// Bytes of all names.
    var bytes: Int { home.bytes + away.bytes }

    /// Both teams; `nil` if there are problems.
    var teams: Teams? {
        guard let home = home.team, let away = away.team else { return nil }
        return Teams(home: home, away: away)
    }

    /// One sentence per invalid name: the home team, its players, then the away team.
    var problems: [String] {
        Side.allCases.flatMap { side in
            names(side).compactMap { owner, name in
                NameProblem(of: name).map { "The name of \(owner) \($0.text)." }
            }
        }
    }

    private func names(_ side: Side) -> [(owner: String, name: String)] {
        let players = self[side].players.enumerated().map { index, name in
            (owner: "\(side.rawValue) player \(index + 1)", name: name)
        }
        return [(owner: "the \(side.rawValue) team", name: self[side].name)] + players
    }
}

extension TeamDraft {
    fileprivate var bytes: Int { players.reduce(name.utf8.count) { $0 + $1.utf8.count } }

    fileprivate var team: Team? {
        guard let name = try? Name(name) else { return nil }
        return Team(name: name, players: players.compactMap { try? Name($0) })
    }
}
