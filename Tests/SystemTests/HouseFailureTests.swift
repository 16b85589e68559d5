import Glibc
import TestSupport
import Testing

/// What a daemon of a house does while Redis refuses, and when Redis has lost a part of the house.
struct HouseFailureTests {
    private let house: TestHouse

    init() throws { house = try TestHouse() }

    /// A daemon with a game at 2 - 0.
    private func play() throws -> ServedBus {
        let bus = try house.serve(0, reports: true)
        try house.send(house.createGame, bus)
        try house.send(house.move, bus)
        try house.expectState("following", bus)
        return bus
    }

    struct Refusal: CustomTestStringConvertible {
        let name: String
        let begin: [[String]]
        let state: String
        let end: [[String]]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Refusal(
            name: "a replica", begin: [["REPLICAOF", "127.0.0.1", "1"]],
            state: "Redis is a replica: name its primary", end: [["REPLICAOF", "NO", "ONE"]]),
        Refusal(
            name: "full memory", begin: [["CONFIG", "SET", "maxmemory", "1"]],
            state: "Redis refuses: OOM", end: [["CONFIG", "SET", "maxmemory", "0"]]),
        Refusal(
            name: "no file", begin: [["CONFIG", "SET", "appendonly", "no"]],
            state: "Redis keeps no append-only file: set appendonly yes",
            end: [["CONFIG", "SET", "appendonly", "yes"]]),
        Refusal(
            name: "a missing permission",
            begin: [["ACL", "SETUSER", "default", "-fcall"]], state: "Redis refuses: NOPERM",
            end: [["ACL", "SETUSER", "default", "+@all"]]),
        Refusal(
            name: "too few replicas", begin: [["CONFIG", "SET", "min-replicas-to-write", "1"]],
            state: "Redis refuses: NOREPLICAS",
            end: [["CONFIG", "SET", "min-replicas-to-write", "0"]]),
        Refusal(
            name: "another policy",
            begin: [["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]],
            state: "Redis may remove keys when its memory is full",
            end: [["CONFIG", "SET", "maxmemory-policy", "noeviction"]]),
        Refusal(
            name: "replaced functions", begin: [["FUNCTION", "FLUSH"]], state: "following",
            end: []),
    ])
    func `a daemon says what Redis refuses, and follows again when Redis is well`(
        refusal: Refusal
    ) throws {
        let bus = try play()
        for command in refusal.begin { try house.run(command) }
        try house.expectState(refusal.state, bus)
        try house.expectScore("2 - 0", bus)
        if refusal.state != "following" {
            let answer = try bus.connect().ask(house.move)
            let silent = #""message":"the log of the house does not answer: nothing has changed""#
            #expect(answer?.contains(silent) == true, "\(answer ?? "")")
        }
        // A daemon that starts meanwhile serves its store.
        #expect(try bus.stop().status == 0)
        let again = try house.serve(0, reports: true)
        try house.expectState(refusal.state, again)
        try house.expectScore("2 - 0", again)
        for command in refusal.end { try house.run(command) }
        try house.expectState("following", again)
        try house.send(house.move, again)
        try house.expectScore("4 - 0", again)
    }

    @Test func `a daemon without content ends if Redis cannot hold a house`() throws {
        try house.run(["CONFIG", "SET", "appendonly", "no"])
        let folder = house.folders[0]
        let outcome = try Child.run(
            Products.path("busd"), "--socket", folder("busd.sock"), "--state", folder("state"),
            "--house", "league", "--log", "unix:\(house.redis.socket)")
        outcome.expect(
            status: 1,
            errors: "busd: Redis keeps no append-only file: set appendonly yes\n")
    }

    // MARK: Content that is not in Redis any more

    @Test(arguments: ["DEL", "XTRIM"])
    func `a daemon that has all goes on without the entries in Redis`(command: String) throws {
        let bus = try play()
        let log = "busd:league:log"
        try house.run(command == "DEL" ? ["DEL", log] : ["XTRIM", log, "MAXLEN", "0"])
        try house.run(["CLIENT", "KILL", "TYPE", "normal"])
        try house.send(house.move, bus)
        try house.expectScore("4 - 0", bus)
        // It leaves its states for others.
        let other = try house.serve(1)
        try house.expectScore("4 - 0", other)
    }

    @Test func `a daemon that was away keeps its content until there are states`() throws {
        let away = try play()
        let other = try house.serve(1)
        try house.expectScore("2 - 0", other)
        #expect(try away.stop().status == 0)
        try house.send(house.move, other)
        #expect(try other.stop().status == 0)
        try house.run(["XTRIM", "busd:league:log", "MAXLEN", "0"])

        let again = try house.serve(0, reports: true)
        try house.expectState(
            "Redis has lost entries behind 2, and no states that replace them", again)
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

    @Test func `a house that is not in Redis any more is served, and followed when it is back`()
        throws
    {
        let bus = try play()
        try house.run(["RENAME", "busd:league:head", "hidden"])
        try house.run(["CLIENT", "KILL", "TYPE", "normal"])
        try house.expectState("the house league is not in Redis any more", bus)
        try house.expectScore("2 - 0", bus)
        try house.run(["HSET", "busd:league:head", "id", "1", "n", "x"])
        try house.expectState("the house league in Redis is damaged", bus)
        try house.run(["RENAME", "hidden", "busd:league:head"])
        try house.send(house.move, bus)
        try house.expectScore("4 - 0", bus)
    }

    @Test func `an older file of Redis is not followed`() throws {
        let bus = try play()
        try house.run(["HSET", "busd:league:head", "n", "1"])
        try house.run(["CLIENT", "KILL", "TYPE", "normal"])
        try house.expectState("the log in Redis ends at entry 1, and this daemon has 2", bus)
        try house.expectScore("2 - 0", bus)
        try house.run(["HSET", "busd:league:head", "n", "2"])
        try house.send(house.move, bus)
    }

    // MARK: A damaged store

    @Test(arguments: [true, false])
    func `a damaged store is loaded from the house, also later`(isRedisAway: Bool) throws {
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
