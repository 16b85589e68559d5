import Testing

/// The steps of one client. Each step is sent with its own key.
struct Script {
    enum Step {
        case create(String)
        case delete(String)
        case play(String, ReferenceGame.Step)
        case shelf(ReferenceShelf.Step)
    }

    static let steps: [Step] = [
        .create("Hawks"), .play("Hawks", .togglePause),
        .play("Hawks", .move(player: 0, .twoPoint)), .play("Hawks", .move(player: 4, .foul)),
        .shelf(.create("Kanji", cards: 3)), .shelf(.answer("Kanji", isKnown: true)),
        .create("Jets"), .play("Jets", .move(player: 3, .onePoint)), .play("Hawks", .undo),
        .delete("Jets"), .shelf(.create("Kana", cards: 2)), .shelf(.move("Kana", to: 0)),
        .shelf(.add("Kanji", cards: 40)), .play("Hawks", .move(player: 5, .onePoint)),
        .create("Owls"),
        .play("Owls", .move(player: 1, .assist)), .shelf(.answer("Kanji", isKnown: false)),
        .shelf(.delete("Kana")), .shelf(.answer("Kanji", isKnown: true)), .play("Hawks", .undo),
    ]
}

/// The expected library after some of the steps.
struct ReferenceLibrary {
    private var games: [(name: String, game: ReferenceGame)] = []
    private var shelf = ReferenceShelf()
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
        case .shelf(let step): shelf.take(step)
        }
    }

    mutating func daemonRestarted() {
        for index in games.indices { games[index].game.daemonRestarted() }
    }

    /// Whether the library is as expected, without the times.
    func isShown(by library: Library) -> Bool {
        guard library.rows.map(\.home) == games.reversed().map(\.name),
            library.shelf.books == shelf.shown
        else { return false }
        return zip(library.rows, games.reversed()).allSatisfy { row, known in
            var shown = library.games[row.id]
            shown?.tenths = 0
            return shown == known.game.shown
        }
    }

    /// The request for the next step. Games and books are found by their names.
    func request(_ client: Client) throws -> String {
        let key = "step \(stepsDone)"
        switch Script.steps[stepsDone] {
        case .create(let name): return Line.createGame(name, key: key)
        case .delete(let name):
            let id = try Library.id(of: name, client) ?? "0"
            return Line.send(#"{"deleteGame":{"game":"\#(id)"}}"#, to: "games", key: key)
        case .play(let name, let step):
            let id = try #require(try Library.id(of: name, client), "there is no game \(name)")
            let (below, event) = step.event
            return Line.send("\"\(event)\"", to: "scoreboard/\(id)\(below)", key: key)
        case .shelf(let step):
            return try shelf.request(step, key: key) { try Shelf.id(of: $0, client) }
        }
    }
}
