import Testing

/// What one client does in a scenario, step by step, each with a key of its own.
struct Script {
    enum Step {
        case create(String)
        case delete(String)
        case play(String, ReferenceGame.Step)
    }

    static let steps: [Step] = [
        .create("Hawks"), .play("Hawks", .togglePause),
        .play("Hawks", .move(player: 0, .twoPoints)), .play("Hawks", .move(player: 4, .foul)),
        .create("Jets"), .play("Jets", .move(player: 3, .onePoint)), .play("Hawks", .undo),
        .delete("Jets"), .play("Hawks", .move(player: 5, .onePoint)), .create("Owls"),
        .play("Owls", .move(player: 1, .assist)), .play("Hawks", .undo),
    ]
}

/// What a library must be after some of the steps.
struct ReferenceLibrary {
    private var games: [(name: String, game: ReferenceGame)] = []
    private(set) var stepsDone = 0

    mutating func take(_ step: Script.Step) {
        stepsDone += 1
        switch step {
        case .create(let name): games.append((name, ReferenceGame()))
        case .delete(let name): games.removeAll { $0.name == name }
        case .play(let name, let step):
            for index in games.indices where games[index].name == name {
                games[index].game.take(step)
            }
        }
    }

    mutating func daemonRestarted() {
        for index in games.indices { games[index].game.daemonRestarted() }
    }

    /// Times aside.
    func isTold(by library: Library) -> Bool {
        guard library.rows.map(\.home) == games.reversed().map(\.name) else { return false }
        return zip(library.rows, games.reversed()).allSatisfy { row, known in
            var told = library.games[row.id]
            told?.tenths = 0
            return told == known.game.told
        }
    }

    /// The steps are told as requests; a game is found by its name.
    static func request(_ number: Int, _ client: Client) throws -> String {
        let key = "step \(number)"
        switch Script.steps[number] {
        case .create(let name): return Line.createGame(name, key: key)
        case .delete(let name):
            let id = try Library.id(of: name, client) ?? "0"
            return Line.send(#"{"deleteGame":{"game":"\#(id)"}}"#, to: "games", key: key)
        case .play(let name, let step):
            let id = try #require(try Library.id(of: name, client), "there is no game \(name)")
            let (below, event) = step.event
            return Line.send("\"\(event)\"", to: "scoreboard/\(id)\(below)", key: key)
        }
    }
}
