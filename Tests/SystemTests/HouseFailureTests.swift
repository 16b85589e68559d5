import Glibc
import TestSupport
import Testing

/// What a daemon of a house does while Redis refuses, and when Redis has lost a part of the house.
struct HouseFailureTests {
    private let house: HouseFixture
    private let page: FailurePage

    init() throws {
        house = try HouseFixture()
        page = try FailurePage()
    }

    /// A daemon with a game at 2 - 0.
    private func play() throws -> BusFixture {
        let bus = try house.serve(0, reports: true)
        try house.send(house.createGame, bus)
        try house.send(house.move, bus)
        try house.expectState("following", bus)
        return bus
    }

    /// Waits for the state that the page quotes, also in the log of the daemon.
    private func expectFailure(_ name: String, _ bus: BusFixture) throws {
        let state = try page.state(name)
        try house.expectState(state, bus)
        let end = ". This daemon still serves its state, but refuses durable sends"
        var line = try bus.daemon.errors.line()
        while let known = line, !(known.contains(state) && known.hasSuffix(end)) {
            line = try bus.daemon.errors.line()
        }
        #expect(line != nil)
    }

    struct Refusal: CustomTestStringConvertible {
        /// As on the page.
        let name: String
        let begin: [[String]]
        let end: [[String]]
        var testDescription: String { name }
    }

    /// Failures on the page that have tests of their own.
    private static let others = [
        "lost link", "older file", "trimmed log", "removed house", "damaged head", "unwritten file",
    ]

    @Test func `Each failure on the page has a test`() {
        let tested = Self.refusals.map(\.name) + Self.others
        #expect(page.states.keys.sorted() == tested.sorted())
    }

    static let refusals = [
        Refusal(
            name: "replica", begin: [["REPLICAOF", "127.0.0.1", "1"]],
            end: [["REPLICAOF", "NO", "ONE"]]),
        Refusal(
            name: "full memory", begin: [["CONFIG", "SET", "maxmemory", "1"]],
            end: [["CONFIG", "SET", "maxmemory", "0"]]),
        Refusal(
            name: "no file", begin: [["CONFIG", "SET", "appendonly", "no"]],
            end: [["CONFIG", "SET", "appendonly", "yes"]]),
        Refusal(
            name: "permission", begin: [["ACL", "SETUSER", "default", "-fcall"]],
            end: [["ACL", "SETUSER", "default", "+@all"]]),
        Refusal(
            name: "few replicas", begin: [["CONFIG", "SET", "min-replicas-to-write", "1"]],
            end: [["CONFIG", "SET", "min-replicas-to-write", "0"]]),
        Refusal(
            name: "eviction", begin: [["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]],
            end: [["CONFIG", "SET", "maxmemory-policy", "noeviction"]]),
    ]

    @Test(arguments: refusals)
    func `A daemon says what Redis refuses, and follows again when Redis is well`(
        refusal: Refusal
    ) throws {
        let bus = try play()
        for command in refusal.begin { try house.run(command) }
        try expectFailure(refusal.name, bus)
        try house.expectScore("2 - 0", bus)
        let answer = try bus.connect().ask(house.move)
        let silent = #""message":"the log of the house does not answer: nothing has changed""#
        #expect(answer?.contains(silent) == true, "\(answer ?? "")")
        // A daemon that starts meanwhile serves its store.
        #expect(try bus.stop().status == 0)
        let again = try house.serve(0, reports: true)
        try house.expectState(page.state(refusal.name), again)
        try house.expectScore("2 - 0", again)
        for command in refusal.end { try house.run(command) }
        try house.expectState("following", again)
        try house.send(house.move, again)
        try house.expectScore("4 - 0", again)
    }

    @Test func `A file that Redis has not written is no file, but a later rewrite is none`() throws
    {
        let bus = try play()
        // So Redis never ends to write its file.
        try house.run(["CONFIG", "SET", "rdb-key-save-delay", "100000000"])
        try house.run(["BGREWRITEAOF"])
        try house.expectHeartbeats(2)
        try house.expectState("following", bus)
        try house.send(house.move, bus)
        try house.run(["CONFIG", "SET", "appendonly", "no"])
        try expectFailure("no file", bus)
        try house.run(["CONFIG", "SET", "appendonly", "yes"])
        try expectFailure("unwritten file", bus)
        #expect(try bus.connect().ask(house.move)?.contains("unavailable") == true)
        // This ends what Redis writes.
        try house.run(["CONFIG", "SET", "appendonly", "no"])
        try house.run(["CONFIG", "SET", "rdb-key-save-delay", "0"])
        try house.run(["CONFIG", "SET", "appendonly", "yes"])
        try house.expectState("following", bus)
        try house.send(house.move, bus)
        try house.expectScore("6 - 0", bus)
    }

    @Test
    func `A send to a game that is not known here is unavailable until the house is followed`()
        throws
    {
        let early = try house.serve(0)
        try house.expectState("following", early)
        #expect(try early.stop().status == 0)
        let other = try house.serve(1)
        try house.send(house.createGame, other)
        house.redis.kill()
        let bus = try house.serve(0, reports: true)
        try house.expectState("the link to Redis is lost", bus)
        let answer = try #require(try bus.connect().ask(house.move))
        let reason =
            "scoreboard/1/home/1 is not known here, and the house is not followed: the link to Redis "
            + "is lost: "
        #expect(answer.contains("unavailable") && answer.contains(reason), "\(answer)")
        for (request, answer) in [
            ("get scoreboard/1/home/1", "unknownViewModel"),
            ("subscribe scoreboard/1", "unknownViewModel"),
            ("send nothing/1 togglePause", "unknownViewModel"),
            (
                #"{"op":"send","to":"echo/me","event":{"say":{"text":"hello"}},"id":1}"#,
                #"{"ok":{"#
            ),
        ] {
            #expect(try bus.connect().ask(request)?.contains(answer) == true, "\(request)")
        }
        try house.redis.start()
        try house.send(house.move, bus)
        try house.expectScore("2 - 0", other)
        let unknown = house.move.replacing("scoreboard/1", with: "scoreboard/2")
        #expect(try bus.connect().ask(unknown)?.contains("unknownViewModel") == true)
    }

    @Test func `A daemon without content ends if Redis cannot hold a house`() throws {
        try house.run(["CONFIG", "SET", "appendonly", "no"])
        let folder = house.folders[0]
        let outcome = try Child.run(
            Products.path("busd"), "--socket", folder("busd.sock"), "--state", folder("state"),
            "--house", "league", "--log", "unix:\(house.redis.socket)")
        outcome.expect(
            status: 1,
            errors: "busd: Redis keeps no append-only file: set appendonly yes\n")
    }

    @Test func `The answer to hello has the durability that Redis has now`() throws {
        let bus = try play()
        let hello = #"{"op":"hello","protocol":1,"id":1}"#
        for (setting, durability) in [("everysec", "normal"), ("always", "full")] {
            try house.run(["CONFIG", "SET", "appendfsync", setting])
            try house.expect(#""durability":"\#(durability)""#, inAnswerTo: hello, bus)
        }
    }

    @Test func `A daemon loads its functions again`() throws {
        let bus = try play()
        try house.run(["FUNCTION", "FLUSH"])
        try house.send(house.move, bus)
        try house.expectScore("4 - 0", bus)
    }

    @Test func `A daemon says that Redis is away, and follows again when it is back`() throws {
        let bus = try play()
        house.redis.kill()
        try expectFailure("lost link", bus)
        try house.expectScore("2 - 0", bus)
        try house.redis.start()
        try house.send(house.move, bus)
        try house.expectScore("4 - 0", bus)
    }

    // MARK: Content that is not in Redis any more

    @Test(arguments: ["DEL", "XTRIM"])
    func `A daemon that has all goes on without the entries in Redis`(command: String) throws {
        let bus = try play()
        let log = "busd:league:log"
        try house.run(command == "DEL" ? ["DEL", log] : ["XTRIM", log, "MAXLEN", "0"])
        try house.run(["CLIENT", "KILL", "TYPE", "normal"])
        try house.send(house.move, bus)
        try house.expectScore("4 - 0", bus)
        // It leaves its states for others, which may find them incomplete before.
        let other = try house.serve(1, reports: true)
        try house.expectScore("4 - 0", other)
    }

    @Test func `A daemon that was away keeps its content until there are states`() throws {
        let away = try play()
        let other = try house.serve(1)
        try house.expectScore("2 - 0", other)
        #expect(try away.stop().status == 0)
        try house.send(house.move, other)
        #expect(try other.stop().status == 0)
        try house.run(["XTRIM", "busd:league:log", "MAXLEN", "0"])

        let again = try house.serve(0, reports: true)
        try house.expectState(page.state("trimmed log"), again)
        try house.expectScore("2 - 0", again)
        #expect(try again.connect().ask(house.move)?.contains("unavailable") == true)
        // Without an entry that shows whether it is the same log, it goes on as well.
        let newest = try house.serve(1, reports: true)
        try house.expectState("Redis has lost entries behind 3", newest)
        try house.expectScore("4 - 0", newest)
        #expect(try newest.stop().status == 0)
        try house.restore(1)
        try house.expectScore("4 - 0", again)
        try house.send(house.move, again)
        try house.expectScore("6 - 0", again)
    }

    @Test func `A house that is not in Redis any more is served, and followed when it is back`()
        throws
    {
        let bus = try play()
        try house.run(["RENAME", "busd:league:head", "hidden"])
        try house.run(["CLIENT", "KILL", "TYPE", "normal"])
        try expectFailure("removed house", bus)
        try house.expectScore("2 - 0", bus)
        try house.run(["HSET", "busd:league:head", "id", "1", "n", "x"])
        try expectFailure("damaged head", bus)
        try house.run(["RENAME", "hidden", "busd:league:head"])
        try house.send(house.move, bus)
        try house.expectScore("4 - 0", bus)
    }

    @Test func `An older file of Redis is not followed`() throws {
        let bus = try play()
        try house.run(["HSET", "busd:league:head", "n", "1"])
        try house.run(["CLIENT", "KILL", "TYPE", "normal"])
        try expectFailure("older file", bus)
        try house.expectScore("2 - 0", bus)
        try house.run(["HSET", "busd:league:head", "n", "2"])
        try house.send(house.move, bus)
    }

    // MARK: A damaged store

    @Test(arguments: [true, false])
    func `A damaged store is loaded from the house, also later`(isRedisAway: Bool) throws {
        let bus = try play()
        let other = try house.serve(1)
        try house.expectScore("2 - 0", other)
        #expect(try bus.stop().status == 0)
        let path = house.folders[0]("state/log.sqlite")
        let file = try #require(fopen(path, "r+"))
        for _ in 0..<64 { fputs("damage", file) }
        fclose(file)
        if isRedisAway { house.redis.kill() }
        let again = try house.serve(0, reports: true)
        if isRedisAway { try house.redis.start() }
        try house.expectState("following", again)
        try house.expectScore("2 - 0", again)
        try house.send(house.move, again)
        try house.expectScore("4 - 0", other)
        #expect(try house.folders[0].text(of: "state/house").contains("load") == false)
    }
}
