import Glibc
import TestSupport
import Testing

/// Several daemons that share one log in Redis.
struct HouseTests {
    private let house: HouseFixture
    private var redis: RedisFixture { house.redis }
    private var folders: [Folder] { house.folders }
    private var createGame: String { house.createGame }
    private var move: String { house.move }

    init() throws { house = try HouseFixture() }

    private func serve(_ place: Int, reports: Bool = false) throws -> BusFixture {
        try house.serve(place, reports: reports)
    }

    private func send(_ line: String, _ bus: BusFixture) throws { try house.send(line, bus) }

    private func expectScore(_ score: String, _ bus: BusFixture) throws {
        try house.expectScore(score, bus)
    }

    @Test func `Daemons of a house show the same, and go on after one is killed`() throws {
        let buses = try (0..<3).map { try serve($0) }
        try send(createGame, buses[0])
        try expectScore("0 - 0", buses[1])
        try send(move, buses[1])
        for bus in buses { try expectScore("2 - 0", bus) }
        let hello = try buses[2].connect().ask(#"{"op":"hello","protocol":1,"id":1}"#)
        #expect(hello?.contains(#""durability":"full","house":"league""#) == true)
        let table = try #require(try buses[2].connect().ask("get bus/house"))
        for name in ["m0", "m1", "m2", "league", "following"] { #expect(table.contains(name)) }

        let viewctl = try buses[2].run(try Products.path("viewctl"), "--plain", "house")
        #expect(viewctl.status == 0 && viewctl.errors.isEmpty, "\(viewctl)")
        let lines = viewctl.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 5)
        #expect(lines[0] == "league: following")
        #expect(lines[1] == "  DAEMON  VERSION  POSITION  SEEN")
        #expect(lines.filter { $0.hasPrefix("* m2") && $0.hasSuffix("now") }.count == 1)

        buses[0].daemon.signal(SIGKILL)
        _ = try buses[0].daemon.outcome()
        try send(move, buses[2])
        try expectScore("4 - 0", buses[1])
        let again = try serve(0)
        try expectScore("4 - 0", again)
        try send(move, again)
        for bus in [buses[1], buses[2]] { try expectScore("6 - 0", bus) }
    }

    @Test func `Without Redis, a daemon in a house refuses sends and shows its state`() throws {
        let bus = try serve(0)
        try send(createGame, bus)
        try send(move, bus)
        try house.expectState("following", bus)
        redis.kill()
        let connection = try bus.connect()
        let answer = try #require(try connection.ask(move))
        #expect(answer.contains("unavailable") || answer.contains("uncertain"), "\(answer)")
        try house.expectState("the link to Redis is lost: ", bus)
        try expectScore("2 - 0", bus)
        try redis.start()
        try house.expectState("following", bus)
        try send(#"{"op":"send","to":"scoreboard/1","event":"undo","id":1}"#, bus)
        let line = try #require(try connection.ask("get scoreboard/1"))
        #expect(line.contains(#""text":"0 - 0""#) || line.contains(#""text":"2 - 0""#))
    }

    // This test starts daemons as its own user, which does not own the store of the unit's user.
    @Test(.enabled(if: getenv("BUSD_LAUNCHER") == nil, "systemd starts the daemons"))
    func `A house begins with a joining store, and a leaving store keeps all`() throws {
        let state = ["--state", folders[0]("state")]
        let alone = try BusFixture(in: folders[0], options: state)
        _ = try alone.connect().ask(createGame)
        _ = try alone.connect().ask(move)
        #expect(try alone.stop().status == 0)
        let busd = try Products.path("busd")
        let socket = ["--socket", folders[0]("busd.sock")]
        let refused = try Child.run(
            busd, state[0], state[1], socket[0], socket[1], "--house", "league", "--log",
            "unix:\(redis.socket)")
        #expect(refused.status == 1 && refused.errors.contains("busd house join league"))

        let joined = try Child.run(
            busd, "house", "join", "league", state[0], state[1], "--log", "unix:\(redis.socket)")
        #expect(joined.status == 0 && joined.errors.isEmpty, "\(joined)")
        #expect(try Child([busd] + state + socket).outcome().errors.contains("busd house leave"))
        let buses = try [serve(0), serve(1)]
        try expectScore("2 - 0", buses[1])
        try send(createGame, buses[1])
        try send(move, buses[1])
        try expectScore("4 - 0", buses[0])
        for bus in buses { #expect(try bus.stop().status == 0) }

        let left = try Child.run(busd, "house", "leave", state[0], state[1])
        #expect(left.status == 0 && left.errors.isEmpty, "\(left)")
        let again = try BusFixture(in: folders[0], options: state)
        try expectScore("4 - 0", again)
        #expect(try again.connect().ask(createGame)?.contains(#""duplicate":true"#) == true)
    }

    /// Makes a store with a game, and runs `busd house join` for it.
    private func joinWithGame(_ place: Int) throws -> Child.Outcome {
        let state = ["--state", folders[place]("state")]
        let alone = try BusFixture(in: folders[place], options: state)
        _ = try alone.connect().ask(createGame)
        _ = try alone.connect().ask(move)
        #expect(try alone.stop().status == 0)
        return try Child(
            [try Products.path("busd"), "house", "join", "league"] + state
                + ["--log", "unix:\(redis.socket)"]
        ).outcome()
    }

    @Test(.enabled(if: getenv("BUSD_LAUNCHER") == nil, "systemd starts the daemons"))
    func `A store joins a house that an empty daemon has begun, and the daemon loads it`() throws {
        let empty = try serve(1)
        try house.expectState("following", empty)
        let joined = try joinWithGame(0)
        try #require(joined.status == 0 && joined.errors.isEmpty, "\(joined)")
        // The daemon starts again by itself.
        try empty.daemon.errors.line(with: "busd: serving ")
        try expectScore("2 - 0", empty)
        let bus = try serve(0)
        try send(move, bus)
        for bus in [bus, empty] { try expectScore("4 - 0", bus) }
    }

    @Test(.enabled(if: getenv("BUSD_LAUNCHER") == nil, "systemd starts the daemons"))
    func `A store with content cannot join a house with content`() throws {
        let bus = try serve(1)
        try send(createGame, bus)
        try joinWithGame(0).expect(
            status: 1,
            errors: "busd: the house league has content already: choose another name, or start "
                + "the daemon with an empty store to load that content\n")
        try expectScore("0 - 0", bus)
    }

    @Test func `All daemons load a house that was restored from one store`() throws {
        let first = try serve(0)
        try send(createGame, first)
        try send(move, first)
        #expect(try first.stop().status == 0)
        redis.kill()
        redis.forget()
        try redis.start()
        let refusing = try serve(0, reports: true)
        let answer = try #require(try refusing.connect().ask(move))
        #expect(answer.contains("unavailable"))
        try expectScore("2 - 0", refusing)
        _ = try refusing.stop()
        let busd = try Products.path("busd")
        let restored = try Child.run(
            busd, "house", "restore", "--state", folders[0]("state"), "--log",
            "unix:\(redis.socket)")
        #expect(restored.status == 0, "\(restored)")
        let buses = try [serve(0), serve(1)]
        try send(move, buses[1])
        for bus in buses { try expectScore("4 - 0", bus) }
    }

    @Test func `A store marked for loading is replaced by the state of the house`() throws {
        let other = try serve(1)
        let bus = try serve(0)
        try send(createGame, bus)
        #expect(try bus.stop().status == 0)
        let house = try folders[0].text(of: "state/house")
        try folders[0].write(house + "load\n", to: "state/house")
        let loaded = try serve(0)
        try expectScore("0 - 0", loaded)
        #expect(try folders[0].text(of: "state/house") == house)
        let names = names(in: folders[0]("state"))
        #expect(names.contains { $0.hasPrefix("log.sqlite.replaced") }, "\(names)")
        withExtendedLifetime(other) {}
    }

    @Test(arguments: [
        (["--house", "league"], "--house needs --log"),
        (["--log", "unix:/tmp/x"], "--log, --log-credentials and --member need --house"),
        (["--house", "a b", "--log", "unix:/tmp/x"], "a name has 1 to 32 letters"),
        (["--house", "league", "--log", "redis"], "unix:/PATH or tcp:HOST:PORT"),
        (["house", "join"], "missing NAME"), (["house", "flee"], "ACTION must be join"),
        (["house", "join", "league"], "add --log"),
    ])
    func `A wrong house option is refused with the reason`(words: [String], text: String) throws {
        let outcome = try Child(
            [try Products.path("busd"), "--state", folders[0]("state")] + words
        ).outcome()
        #expect(outcome.status == 64 && outcome.errors.contains(text), "\(outcome)")
    }
}
