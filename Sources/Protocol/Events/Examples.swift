// Parts of the examples in `describe`. A wrong example is a bug in the source. It traps in the
// first test that uses it.

func exampleTeam(_ name: String, _ players: String...) -> Team {
    let names = players.map(exampleName)
    guard let team = Team(name: exampleName(name), players: names) else {
        preconditionFailure("an example has a team of \(players.count)")  // holds: as below
    }
    return team
}

func exampleName(_ text: String) -> Name {
    do {
        return try Name(text)
    } catch {
        preconditionFailure("the example \(text) \(error.text)")  // holds: a test touches it
    }
}

extension PlayerIndex {
    static let first = PlayerIndex(value: 0)

    private init(value: Int) { self.value = value }
}
