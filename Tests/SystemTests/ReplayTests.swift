import BusdProtocol
import Glibc
import TestSupport
import Testing

/// `busd --replay`, with real daemons.
struct ReplayTests {
    private let busd: String
    private let viewctl: String
    private let folder: Folder
    private var backup: String { folder("backup") }

    init() throws {
        busd = try Products.path("busd")
        viewctl = try Products.path("viewctl")
        folder = try Folder()
    }

    // MARK: Live

    /// A daemon with a store. Its time moves only when a test advances it.
    private func live() throws -> (bus: BusFixture, client: Conversation) {
        let bus = try BusFixture(
            in: folder, options: ["--state", folder("state"), "--clock", "manual"])
        return (bus, try bus.connect())
    }

    private func backUp() throws {
        let outcome = try Child.run(busd, "backup", backup, "--state", folder("state"))
        outcome.expect(output: "\(backup): the copy is complete\n")
        #expect(chmod(backup, 0o400) == 0)
    }

    private func replay(_ options: String...) throws -> BusFixture {
        // The sandbox of the units shows this folder only.
        try BusFixture(in: folder, options: ["--replay", backup] + options, reports: true)
    }

    /// - Parameter event: its name, and its payload if it has one.
    /// - Returns: the answer.
    private func ask(
        _ address: String, _ event: String, _ client: Conversation
    ) throws -> String {
        let words = event.split(separator: " ", maxSplits: 1)
        let payload = words.count > 1 ? words[1] : "{}"
        return try client.ask(
            #"{"op":"send","to":"\#(address)","event":{"\#(words[0])":\#(payload)},"id":1}"#) ?? ""
    }

    /// Returns whether it has changed anything.
    private func send(_ address: String, _ event: String, _ client: Conversation) throws -> Bool {
        try ask(address, event, client).contains(#""changed":true"#)
    }

    private func advance(by seconds: Double, _ client: Conversation) throws {
        let answer = try ask("bus/clock", #"advance {"by":\#(seconds)}"#, client)
        #expect(answer.hasPrefix(#"{"ok":"#))
    }

    /// The values of a view model, without the marks of this daemon.
    private func values(_ address: String, _ client: Conversation) throws -> String {
        let answer = try client.ask("get \(address)") ?? ""
        return answer.replacing(/"(cursor|done)":"[^"]*"/, with: "")
    }

    private func score(_ client: Conversation) throws -> String {
        let text = try values("scoreboard/1", client).firstMatch(of: /"text":"(\d+ - \d+)"/)?.1
        return text.map { String($0) } ?? "?"
    }

    private static let game = """
        createGame {"home":{"name":"Owls","players":["Ann","Bo"]},\
        "away":{"name":"Jets","players":["Cy","Di"]}}
        """

    /// Entries 1 to 6: the game begins at 10 s; then home has two points at 11, 12 and 13 s; and
    /// the clock stops at 14 s.
    private func playGame() throws {
        let (bus, client) = try live()
        try advance(by: 10, client)
        #expect(try send("games", Self.game, client))
        #expect(try send("scoreboard/1", "resume", client))
        for _ in 1...3 {
            try advance(by: 1, client)
            #expect(try send("scoreboard/1/home/1", "twoPointMove", client))
        }
        try advance(by: 1, client)
        #expect(try send("scoreboard/1", "pause", client))
        try backUp()
        bus.stopped()
    }

    // MARK: Random games

    private struct Recorded {
        /// The game of each entry, from 1, and the values of it and of all games after the entry.
        var games: [Int] = []
        var values: [[String]] = []
    }

    private static let moves = ["onePointMove", "twoPointMove", "assistMove", "foulMove"]

    private func randomEvent(
        of game: Int, _ random: inout SeededGenerator
    ) -> (address: String, event: String) {
        let (side, number) = (random.once(in: 2) ? "home" : "away", random.number(1...2))
        let board = "scoreboard/\(game)"
        switch random.number(0..<20) {
        case 0: return (board, "pause")
        case 1, 2: return (board, "resume")
        case 3, 4: return (board, "undo")
        case 5: return (board, "redo")
        case 6:
            return (
                board,
                """
                renameTeam {"side":"\(side)","name":"T\(random.number(0..<9))",\
                "was":"T\(random.number(0..<9))"}
                """
            )
        case 7: return (board, #"setClock {"time":"0\#(random.number(0..<9)):00.0"}"#)
        case 8: return ("games", #"deleteGame {"game":"\#(game)"}"#)
        default:
            return ("\(board)/\(side)/\(number)", Self.moves[random.number(0..<4)])
        }
    }

    /// Plays random games on a live daemon, and records the values after each entry.
    private func record(games: Int, seed: UInt64) throws -> Recorded {
        var (random, recorded) = (SeededGenerator(seed: seed), Recorded())
        let (bus, client) = try live()
        func note(_ game: Int) throws {
            recorded.games.append(game)
            recorded.values.append([
                try values("scoreboard/\(game)", client),
                try values("scoreboard/\(game)/home/1", client), try values("games", client),
            ])
        }
        for game in 1...games {
            let team = #"{"name":"T\#(random.number(0..<9))","players":["A","B"]}"#
            let creation = #"createGame {"home":\#(team),"away":\#(team)}"#
            #expect(try send("games", creation, client))
            try note(game)
            for _ in 0..<random.number(5...25) {
                let span = Double(random.number(0...40_000)) / 1_000
                try advance(by: span, client)
                let other = random.once(in: 4) ? random.number(1...game) : game
                let (address, event) = randomEvent(of: other, &random)
                guard try send(address, event, client) else { continue }
                try note(other)
                // A game that is deleted for good is not replayed.
                guard event.hasPrefix("deleteGame") else { continue }
                #expect(try send("games", #"restoreGame {"game":"\#(other)"}"#, client))
                try note(other)
            }
        }
        try backUp()
        bus.stopped()
        return recorded
    }

    @Test func `Random games have the values of then after each entry`() throws {
        let count = testSetting("BUSD_REPLAYED_GAMES") ?? 8
        let seed = testSetting("BUSD_REPLAY_SEED") ?? 1
        let recorded = try record(games: count, seed: UInt64(clamping: seed))
        let bus = try replay("--at", "0", "--clock", "manual")
        let client = try bus.connect()
        #expect(try values("games", client).contains(#""games":[]"#))
        var wrong: [Int] = []
        for (index, game) in recorded.games.enumerated() {
            #expect(try send("bus/clock", #"goTo {"at":"\#(index + 1)"}"#, client))
            let now = [
                try values("scoreboard/\(game)", client),
                try values("scoreboard/\(game)/home/1", client), try values("games", client),
            ]
            if now != recorded.values[index] { wrong.append(index + 1) }
        }
        #expect(wrong == [])
        #expect(try values("bus/clock", client).contains(#""last":\#(recorded.games.count)"#))
        bus.stopped()
        // Each history, twice; and the start at an entry.
        let last = recorded.games.last ?? 1
        let histories = try (1...2).map { _ in
            try Child.run(busd, "--replay", backup, "--history", "scoreboard/\(last)")
        }
        #expect(histories[0] == histories[1] && histories[0].status == 0)
        let middle = recorded.games.count / 2
        let other = try replay("--at", "\(middle + 1)", "--clock", "manual")
        #expect(
            try values("scoreboard/\(recorded.games[middle])", try other.connect())
                == recorded.values[middle][0])
        other.stopped()
    }

    // MARK: A replay

    @Test func `A replay plays by itself, at its speed, and stands at the end`() throws {
        try playGame()
        let bus = try replay("--speed", "50")
        let client = try bus.connect()
        try client.send("subscribe bus/clock")
        var last: String?
        while let line = try client.line() {
            last = line
            if line.contains(#""isPaused":true"#) { break }
        }
        let end = #"{"replay":{"entry":6,"last":6,"time":14,"speed":50.0,"isPaused":true}}"#
        #expect(last?.contains(end) == true)
        #expect(try score(try bus.connect()) == "6 - 0")
        bus.stopped()
    }

    @Test func `A replay is moved by hand, and a way back ends with bye`() throws {
        try playGame()
        let bus = try replay("--at", "2", "--clock", "manual")
        let client = try bus.connect()
        #expect(try score(client) == "0 - 0")
        func clock(_ event: String) throws -> String { try ask("bus/clock", event, client) }
        let changed = #""changed":true"#
        #expect(try clock(#"advance {"by":1}"#).contains(changed))
        #expect(try score(client) == "2 - 0")
        #expect(try clock(#"goTo {"at":"1970-01-01 00:00:12Z"}"#).contains(changed))
        #expect(try score(client) == "4 - 0")
        #expect(try values("scoreboard/1", client).contains(#""text":"00:02.0""#))
        #expect(try !clock("pause").contains(changed))
        for wrong in ["goTo {}", #"goTo {"at":"soon"}"#, #"goTo {"at":"7"}"#] {
            #expect(try clock(wrong).contains(#""code":"badEvent""#))
        }
        #expect(
            try clock(#"goTo {"at":"1970-01-01 00:00:15Z"}"#).contains(
                "the backup has 1970-01-01T00:00:10.000Z to 1970-01-01T00:00:14.000Z, not"))

        let watcher = try Child(
            [viewctl, "watch", "scoreboard/1", "--only", "score"],
            environment: ["BUSD_SOCKET": bus.socket])
        try watcher.output.line(with: "4 - 0")
        // The file stays open.
        #expect(unlink(backup) == 0)
        #expect(try clock(#"goTo {"at":"3"}"#).contains(changed))
        #expect(
            try client.line()
                == #"{"bye":{"code":"closing","message":"the replay goes back"}}"#)
        try watcher.output.line(with: "2 - 0")
        #expect(try score(try bus.connect()) == "2 - 0")
        watcher.signal(SIGKILL)
        bus.stopped()
    }

    @Test func `A way back gives back all descriptors, and a signal ends it`() throws {
        try playGame()
        let bus = try replay("--at", "2", "--clock", "manual")
        func goBack() throws {
            let client = try bus.connect()
            #expect(try ask("bus/clock", #"goTo {"at":"1"}"#, client).hasPrefix(#"{"ok":"#))
            while (try? client.line()) != nil {}
            // Until the daemon serves again, nobody answers.
            try eventually("an answer") {
                try? ask("bus/clock", #"goTo {"at":"2"}"#, try bus.connect())
            } is: {
                $0?.hasPrefix(#"{"ok":"#) == true
            }
        }
        try goBack()
        let before = try descriptors(of: bus.daemon.pid)
        try goBack()
        #expect(try descriptors(of: bus.daemon.pid) == before)

        let stalled = try bus.connect()
        _ = try ask("bus/clock", #"goTo {"at":"1"}"#, try bus.connect())
        bus.daemon.signal(SIGTERM)
        #expect(try bus.daemon.outcome().status == 0)
        withExtendedLifetime(stalled) {}
    }

    /// Those of the backup and of the loop: connections come and go.
    private func descriptors(of process: pid_t) throws -> Int {
        let links = try Child.run("ls", "-l", "/proc/\(process)/fd").output.split(separator: "\n")
        return links.count { $0.contains("/backup") || $0.contains("anon_inode:") }
    }

    @Test func `A replay that moves on by hand goes on from there by itself`() throws {
        try playGame()
        // The entry at 11 s would come after 100 seconds.
        let bus = try replay("--at", "2", "--speed", "0.01")
        let client = try bus.connect()
        try client.send("subscribe scoreboard/1/home/1")
        try client.line(with: #"{"live":"#)
        let answer = try ask(
            "bus/clock", #"advance {"by":0.99}"#, try bus.connect())
        #expect(answer.contains(#""changed":true"#))
        #expect(try client.line()?.contains(#""twoPointMoveCount""#) == true)
        bus.stopped()
    }

    @Test func `A replay takes no send, has no users, and leaves the file as it is`() throws {
        let added = try BusFixture(in: folder, options: ["--state", folder("state")])
        try Child.run(
            busd, "user", "add", "ann", "--state", folder("state"), input: "correct horse\n"
        ).expect(
            output: "ann can sign in\nchanged the store in \(folder("state"))\n")
        added.stopped()
        try playGame()
        let before = try Child.run("sha256sum", backup)
        let bus = try replay("--at", "6", "--clock", "manual")
        let client = try bus.connect()
        let refused = """
            {"error":{"code":"notAllowed","message":"the daemon replays a backup, which does not \
            change: only bus/clock takes a `send`"},"id":1}
            """
        for (address, event) in [
            ("scoreboard/1", "resume"), ("games", Self.game), ("echo/x", #"say {"text":"x"}"#),
            ("login/a", "submit"), ("scoreboard/1", "undo"), ("bus/views", "x"),
        ] {
            #expect(try ask(address, event, client) == refused, "\(address)")
        }
        #expect(try client.ask("get bus/users")?.contains("unknownViewModel") == true)
        #expect(try client.ask("get bus/store")?.contains("unknownViewModel") == true)
        #expect(
            try client.ask(#"{"op":"hello","protocol":1}"#)?.contains(#""durability":"none""#)
                == true)
        #expect(try score(client) == "6 - 0")
        bus.stopped()
        #expect(try Child.run("sha256sum", backup) == before)
        #expect(folder.names.filter { $0.hasPrefix("backup") } == ["backup"])
    }

    @Test func `A history has who did what, and when`() throws {
        try playGame()
        let uid = getuid()
        let history = try Child.run(
            busd, "--replay", backup, "--history", "scoreboard/1/home/1")
        func line(_ entry: Int, _ seconds: Int, _ count: Int) -> String {
            """
            {"entry":\(entry),"time":"1970-01-01T00:00:\(seconds).000Z","uid":\(uid),"events":\
            [{"twoPointMoveCount":{"text":"\(count)","count":\(count)}}]}

            """
        }
        let lines = history.output.split(separator: "\n", omittingEmptySubsequences: false)
        let creation = #"{"entry":1,"time":"1970-01-01T00:00:10.000Z","uid":\#(uid),"events":["#
        #expect(lines.first?.hasPrefix(creation) == true)
        #expect(
            lines.dropFirst().joined(separator: "\n")
                == line(3, 11, 1) + line(4, 12, 2) + line(5, 13, 3))
        #expect(history.status == 0 && history.errors == "busd: reading \(backup)\n")
        // It needs no socket.
        try Child(
            [busd, "--replay", backup, "--history", "scoreboard/1/away/2"],
            environment: ["XDG_RUNTIME_DIR": "/nowhere"]
        ).outcome().expect(
            output: (lines.first ?? "").replacing("Ann", with: "Di") + "\n", errors: history.errors)
        try Child.run(busd, "--replay", backup, "--history", "scoreboard/9").expect(
            status: 64,
            errors: "busd: reading \(backup)\nbusd: there is no view model scoreboard/9\n")
    }

    @Test func `A wrong file, position or option is refused with its place`() throws {
        try playGame()
        func refusal(_ options: String...) throws -> (Int32, String) {
            let words = [busd, "--socket", folder("other.sock"), "--replay"] + options
            let outcome = try Child(words).outcome()
            return (outcome.status, outcome.errors)
        }
        let reading = "busd: reading \(backup)\n"
        #expect(
            try refusal(backup, "--at", "7")
                == (64, reading + "busd: \(backup): there is no entry 7: the last is 6\n"))
        #expect(
            try refusal(backup, "--at", "2026-01-01Z")
                == (
                    64,
                    reading + "busd: \(backup): the backup has 1970-01-01T00:00:10.000Z to "
                        + "1970-01-01T00:00:14.000Z, not 2026-01-01T00:00:00.000Z\n"
                ))
        let none = folder("none")
        #expect(
            try refusal(none) == (65, "busd: reading \(none)\nbusd: \(none) is not there\n"))
        try folder.write("not a backup\n", to: "text")
        let text = folder("text")
        let outcome = try refusal(text)
        #expect(outcome.0 == 65 && outcome.1.contains("\(text) is no backup of a daemon"))
        for (option, value) in [
            ("--state", "x"), ("--durability", "full"), ("--house", "h"), ("--history-size", "1G"),
        ] {
            #expect(
                try refusal(backup, option, value).1.hasPrefix(
                    "busd: \(option) cannot be combined with --replay"))
        }
        #expect(try Child.run(busd, "--at", "3").errors.hasPrefix("busd: --at needs --replay"))
        #expect(
            try refusal(backup, "--speed", "0").1.hasPrefix(
                "busd: --speed needs a number from 0.01 to 1000"))
        #expect(
            try refusal(backup, "--history", "games", "--at", "3").1.hasPrefix(
                "busd: --at cannot be combined with --history"))
    }
}

extension BusFixture {
    /// Ends the daemon, which reports nothing but its end.
    fileprivate func stopped() {
        daemon.signal(SIGKILL)
        _ = try? daemon.outcome()
    }
}
