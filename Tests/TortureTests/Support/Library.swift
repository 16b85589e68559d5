import BusdGamesEvents
import BusdProtocol
import Testing

/// All games and books as the bus shows them. Nothing may change while they are read.
struct Library {
    struct Row: Equatable {
        var id: String
        var home: String
        var score: String
        var status: String
    }

    struct Game: Equatable {
        /// For each of the six players, home team first: the count of each `MoveKind`, in its
        /// order.
        var counts = [[Int]](repeating: [0, 0, 0, 0, 0], count: 6)
        var score = ""
        var isPaused = true
        var isFinished = false
        var canUndo = false
        var tenths = 0
    }

    private(set) var rows: [Row] = []
    private(set) var games: [String: Game] = [:]
    private(set) var shelf = Shelf()

    /// Also checks that players, scoreboard and list agree.
    init(_ client: Client) throws {
        let list = try client.value(#"{"op":"get","to":"games"}"#)
        try Self.forEachEvent(in: list) { _, payload in
            rows = (payload["games"]?.elements).map { $0.compactMap(Row.init) } ?? []
        }
        for row in rows {
            let game = try Self.game(row.id, client)
            games[row.id] = game
            expectAgreement(row, game)
        }
        shelf = try Shelf(client)
    }

    func row(named home: String) -> [Row] { rows.filter { $0.home == home } }

    /// `nil` if there is no game of this home team.
    static func id(of home: String, _ client: Client) throws -> String? {
        let list = try client.value(#"{"op":"get","to":"games"}"#)
        var id: String?
        try forEachEvent(in: list) { _, payload in
            id = payload["games"]?.elements.first { $0["home"]?.text == home }?["id"]?.text
        }
        return id
    }

    private static func game(_ id: String, _ client: Client) throws -> Game {
        var game = Game()
        let scoreboard = try client.value(#"{"op":"get","to":"scoreboard/\#(id)"}"#)
        try forEachEvent(in: scoreboard) { name, payload in game.take(name, payload) }
        for (index, player) in Player.all.enumerated() {
            let counts = try client.value(
                #"{"op":"get","to":"scoreboard/\#(id)/\#(player)"}"#)
            try forEachEvent(in: counts) { name, payload in
                guard let kind = MoveKind(countedBy: name) else { return }
                game.counts[index][kind.rawValue] = payload["count"]?.integer ?? -1
            }
        }
        return game
    }

    static func forEachEvent(
        in value: JSONValue, _ body: (String, JSONValue) -> Void
    ) throws {
        for event in try #require(value["events"]).elements {
            for (name, payload) in IteratorSequence(event.members) {
                body(try #require(name.text), payload)
            }
        }
    }

    private func expectAgreement(_ row: Row, _ game: Game) {
        #expect(game.score == game.scoreOfPlayers, "game \(row.id): scoreboard and players")
        #expect(row.score == game.score, "game \(row.id): list and scoreboard")
        let status = game.isFinished ? "finished" : game.isPaused ? "paused" : "running"
        #expect(row.status == status, "game \(row.id)")
        #expect(game.canUndo == (game.counts.joined().reduce(0, +) > 0), "game \(row.id)")
    }
}

extension Library.Row {
    /// `nil` for a deleted game, which the list keeps for ten minutes.
    fileprivate init?(_ value: JSONValue) {
        if value["isDeleted"]?.boolean == true { return nil }
        guard let id = value["id"]?.text, let home = value["home"]?.text,
            let score = value["score"]?.text, let status = value["status"]?.text
        else { return nil }
        self.init(id: id, home: home, score: score, status: status)
    }
}

extension Library.Game {
    var scoreOfPlayers: String {
        let points = counts.map { $0[0] + 2 * $0[1] }
        return "\(points[..<3].reduce(0, +)) - \(points[3...].reduce(0, +))"
    }

    fileprivate mutating func take(_ event: String, _ payload: JSONValue) {
        switch event {
        case "score": score = payload["text"]?.text ?? ""
        case "paused": isPaused = payload["isPaused"]?.boolean ?? false
        case "finished": isFinished = payload["isFinished"]?.boolean ?? false
        case "undoable": canUndo = payload["canUndo"]?.boolean ?? false
        case "time": tenths = payload["text"]?.text.flatMap(GameTime.tenths) ?? -1
        default: break
        }
    }
}

enum GameTime {
    /// `01:10.3` is 703.
    static func tenths(_ text: String) -> Int? {
        let parts = text.split { $0 == ":" || $0 == "." }.compactMap { Int($0) }
        return parts.count == 3 ? (parts[0] * 60 + parts[1]) * 10 + parts[2] : nil
    }
}

enum Player {
    static let all = ["home/1", "home/2", "home/3", "away/1", "away/2", "away/3"]
}

enum MoveKind: Int, CaseIterable {
    case onePoint, twoPoint, assist, rebound, foul

    var event: String { "\(self)Move" }

    init?(countedBy event: String) {
        guard let kind = Self.allCases.first(where: { "\($0)MoveCount" == event }) else {
            return nil
        }
        self = kind
    }
}

/// Requests as lines of JSON.
enum Line {
    /// - Parameter event: JSON.
    static func send(_ event: String, to address: String, key: String) -> String {
        #"{"op":"send","to":"\#(address)","event":\#(event),"key":"\#(key)","id":"\#(key)"}"#
    }

    static func createGame(_ home: String, key: String) -> String {
        let team = #""players":["a","b","c"]"#
        let teams = #""home":{"name":"\#(home)",\#(team)},"away":{"name":"Away",\#(team)}"#
        return send(#"{"createGame":{\#(teams)}}"#, to: "games", key: key)
    }
}
