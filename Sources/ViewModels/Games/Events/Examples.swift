import BusdProtocol

// Parts of the examples in `describe`. A wrong example is a bug in the source. It traps in the
// first test that uses it.

extension Team {
    static func example(_ name: Name, _ players: Name...) -> Team {
        guard let team = Team(name: name, players: players) else {
            preconditionFailure("an example has a team of \(players.count)")  // holds: a test
        }
        return team
    }
}

extension PlayerIndex {
    static let first = PlayerIndex(value: 0)

    private init(value: Int) { self.value = value }
}
