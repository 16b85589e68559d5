import BusdBroker
import BusdGames
import BusdGamesEvents
import BusdHosting
import BusdProtocol
import BusdTestKit
import TestSupport
import Testing

/// Two scorers correct one game, each from what the own screen shows, which may be old.
@Suite struct `Two scorers` {
    /// A quarter of `BUSD_SCHEDULES` is their number.
    @Test func `All screens end alike after random schedules`() throws {
        for seed in 0..<(testSetting("BUSD_SCHEDULES") ?? 400 as UInt64) / 4 {
            let schedule = ScorerSchedule(seed: seed)
            try schedule.run(steps: 40)
            try schedule.check()
        }
    }
}

private final class ScorerSchedule {
    private struct Services: HasGames, HasClock, HasWallClock, HasDirectory {
        let games: Library<Game>
        let clock: any Clock
        let wallClock: any WallClock = FixedWallClock()
        let directory: any Directory
    }

    private let bus = TestBus { host in
        let services = Services(games: Library(host.libraries), clock: host.clock, directory: host)
        host.register(GamesViewModel.self, services: services)
        host.register(ScoreboardViewModel.self, services: services)
        host.register(PlayerViewModel.self, services: services)
        host.register(PlaysViewModel.self, services: services)
    }
    private let seed: UInt64
    private var random: SeededGenerator
    private let size: Int
    private let points: Int
    /// Two scorers, and a view that reads slowly.
    private let screens: [ScorerScreen]

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        size = Int.random(in: Team.sizes, using: &random)
        points = Int.random(in: 5...15, using: &random)
        let names = (1...size).map { #""p\#($0)""# }.joined(separator: ",")
        let team = #"{"name":"T","players":[\#(names)]}"#
        let rules = #"{"pointsToWin":\#(points),"margin":2}"#
        let maker = bus.connect()
        maker.send(#"send games createGame {"home":\#(team),"away":\#(team),"rules":\#(rules)}"#)
        let bus = bus
        screens = (0..<3).map { _ in ScorerScreen(bus.connect()) }
        for screen in screens { screen.connection.send("subscribe scoreboard/**") }
    }

    func run(steps: Int) throws {
        for _ in 0..<steps {
            let screen = screens[Int.random(in: 0..<2, using: &random)]
            switch Int.random(in: 0..<10, using: &random) {
            case 0: screens[2].connection.stall(after: Int.random(in: 0..<600, using: &random))
            case 1: screens[2].connection.readOn()
            case 2: bus.advance(by: .milliseconds(Int.random(in: 0..<3_000, using: &random)))
            case 3, 4, 5: try screen.read()
            default: act(on: screen)
            }
        }
    }

    /// Sends one event that the screen of a scorer suggests.
    private func act(on screen: ScorerScreen) {
        let (side, index) = (Side.allCases.randomElement(using: &random) ?? .home, player)
        let move = Plays.Move.allCases.randomElement(using: &random) ?? .foul
        let game = "scoreboard/1"
        switch Int.random(in: 0..<14, using: &random) {
        case 0...5:
            screen.send(#""\#(move.rawValue)Move""#, to: "\(game)/\(side.rawValue)/\(index + 1)")
        case 6, 7: screen.send(#"{"undo":{"moves":\#(screen.moves)}}"#, to: game)
        case 8: screen.send(#"{"redo":{"moves":\#(screen.moves)}}"#, to: game)
        case 9:
            guard let row = screen.plays.randomElement(using: &random) else { return }
            screen.send(#"{"takeOut":{"play":\#(row.json)}}"#, to: "\(game)/plays")
        case 10:
            guard let row = screen.plays.randomElement(using: &random) else { return }
            let new = #""side":"\#(side.rawValue)","index":\#(index),"move":"\#(move.rawValue)""#
            screen.send(#"{"change":{"play":\#(row.json),\#(new)}}"#, to: "\(game)/plays")
        case 11: screen.send(#""togglePause""#, to: game)
        case 12: screen.send(#"{"moveClock":{"seconds":-1}}"#, to: game)
        default:
            let was = screen.value("name", at: "\(game)/\(side.rawValue)/\(index + 1)", "text")?
                .text
            let place = #""side":"\#(side.rawValue)","index":\#(index)"#
            let names = #""name":"q\#(index)","was":"\#(was ?? "p1")""#
            screen.send(#"{"renamePlayer":{\#(place),\#(names)}}"#, to: game)
        }
    }

    private var player: Int { Int.random(in: 0..<size, using: &random) }

    /// All screens show what a new one is shown, and its parts agree.
    func check() throws {
        let new = ScorerScreen(bus.connect())
        new.connection.send("subscribe scoreboard/**")
        for screen in screens + [new] {
            screen.connection.readOn()
            try screen.read()
        }
        for screen in screens {
            #expect(screen.shown == new.shown, "seed \(seed)")
            #expect(screen.plays == new.plays, "seed \(seed)")
        }
        var score = [Side.home: 0, .away: 0]
        var counts: [String: Int] = [:]
        for (place, play) in new.plays.enumerated() {
            score[play.side, default: 0] +=
                play.move == .onePoint ? 1 : play.move == .twoPoint ? 2 : 0
            let counted = "\(play.side.rawValue)/\(play.index.value + 1) \(play.move.rawValue)"
            counts[counted, default: 0] += 1
            let (most, least) = (score.values.max() ?? 0, score.values.min() ?? 0)
            let isLast = place == new.plays.count - 1
            #expect(isLast || most < points || most - least < 2, "seed \(seed): move \(place + 1)")
        }
        for side in Side.allCases {
            let shown = new.value("score", at: "scoreboard/1", side == .home ? "home" : "away")
            #expect(shown?.integer == score[side], "seed \(seed)")
            for number in 1...size {
                for move in Plays.Move.allCases {
                    let address = "scoreboard/1/\(side.rawValue)/\(number)"
                    let shown = new.value("\(move.rawValue)MoveCount", at: address, "count")
                    let count = counts["\(side.rawValue)/\(number) \(move.rawValue)"] ?? 0
                    #expect(shown?.integer == count, "seed \(seed)")
                }
            }
        }
    }
}

/// What a client knows of a game.
private final class ScorerScreen {
    let connection: TestConnection
    /// The newest event, by the address and its name.
    private var values: [String: JSONValue] = [:]
    private(set) var plays: [Plays.Row] = []

    init(_ connection: TestConnection) { self.connection = connection }

    var shown: [String: String] {
        values.mapValues { String(decoding: $0.json, as: UTF8.self) }
    }

    /// How many moves the screen shows.
    var moves: Int { value("undoable", at: "scoreboard/1", "moves")?.integer ?? 0 }

    func value(_ name: String, at address: String, _ field: String) -> JSONValue? {
        values["\(address) \(name)"]?[field]
    }

    func send(_ event: String, to address: String) {
        connection.send(#"{"op":"send","to":"\#(address)","event":\#(event),"id":1}"#)
    }

    func read() throws {
        for line in connection.takeLines() {
            let document = JSONDocument()
            try document.read(Array(line.utf8), limits: Limits())
            let root = try #require(document.root)
            if let code = root["error"]?["code"]?.text {
                // A correction may have seen an old list, or an earlier move would win.
                #expect(["stale", "badEvent"].contains(code), "\(line)")
            }
            guard let address = root["from"]?.text, let event = root["event"] else { continue }
            try take(event, of: address)
        }
    }

    private func apply(_ edits: [Edit<Plays.Row>]) -> Bool { plays.apply(edits) }

    private func take(_ event: JSONValue, of address: String) throws {
        guard address.hasSuffix("/plays") else {
            for (name, value) in event.members where name.text != "corrected" {
                values["\(address) \(name.text ?? "")"] = value
            }
            return
        }
        switch try event.decode(Plays.ViewModelEvent.self, at: "event") {
        case .plays(let rows): plays = rows
        case .playsEdited(let edits): #expect(apply(edits))
        }
    }
}

extension Plays.Row {
    fileprivate var json: String {
        var out = JSONWriter()
        write(to: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }
}
