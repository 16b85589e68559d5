import Glibc
import TestSupport
import Testing

/// `busd house list`, `remove`, `status` and `restore`, and `busd user` in a house.
@Suite(.needs("redis-server", "redis-cli"), .showsScreens)
struct HouseCommandTests {
    private let house: HouseFixture
    private let busd: String

    init() throws {
        house = try HouseFixture()
        busd = try Products.path("busd")
    }

    private var log: String { "unix:\(house.redis.socket)" }
    private func state(_ place: Int) -> String { house.folders[place]("state") }

    /// Runs `busd house`.
    private func command(_ words: String...) throws -> Child.Outcome {
        try Child([busd, "house"] + words).outcome()
    }

    /// Makes a house with a game, at entry 2 and 2 - 0, and stops its daemon.
    private func playAndStop() throws {
        let bus = try house.serve(0)
        try house.send(house.createGame, bus)
        try house.send(house.move, bus)
        try bus.stop().expect(errors: "busd: done\n")
    }

    /// Repeats a command until no daemon of the house counts as alive.
    private func commandWhenStopped(_ words: String...) throws -> Child.Outcome {
        try eventually("a house that no daemon uses") {
            try Child([busd, "house"] + words).outcome()
        } is: {
            !$0.errors.contains("is in use by")
        }
    }

    // MARK: Listing

    @Test func `A Redis without houses has an empty list`() throws {
        try house.run(["SET", "busd:league:headed", "x"])
        try command("list", "--log", log).expect(
            errors: "busd: there are no houses in \(log)\n")
    }

    @Test func `Houses are listed with what they have, and other keys are left out`() throws {
        for key in ["busd:a:b:head", "busd::head", "busd:a b:head", "busd:\u{1b}[2J:head"] {
            try house.run(["HSET", key, "id", "1", "n", "1", "t", "1", "c", "x"])
        }
        try house.run(["HSET", "busd:broken:head", "id", "1", "n", "x"])
        let alone = try BusFixture(
            in: house.folders[1], options: ["--state", state(1)])
        _ = try alone.connect().ask(house.createGame)
        try alone.stop().expect(errors: "busd: done\n")
        #expect(try command("join", "cup", "--state", state(1), "--log", log).status == 0)
        let bus = try house.serve(0)
        try house.send(house.createGame, bus)
        let outcome = try command("list", "--log", log)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n").map { line in
            line.split(separator: " ").map(String.init)
        }
        try #require(lines.count == 4, "\(outcome.output)")
        #expect(lines[0] == ["HOUSE", "POSITION", "THINGS", "AS-OF", "SIZE", "ALIVE", "SEEN"])
        #expect(lines[1][..<4] == ["broken", "damaged", "-", "-"])
        #expect(lines[2][..<4] == ["cup", "1", "1", "1"] && lines[2][5...] == ["0", "never"])
        #expect(lines[3][..<4] == ["league", "1", "-", "-"] && lines[3][5...] == ["1", "now"])
    }

    // MARK: Removing

    @Test func `A house is removed with all its keys, if no daemon uses it`() throws {
        try command("remove", "league", "--log", log, "--yes").expect(
            status: 1, errors: "busd: there is no house league in \(log)\n")
        let bus = try house.serve(0)
        try house.send(house.createGame, bus)
        try house.run(["RPUSH", "busd:league:states:1:x", "x"])
        try house.run(["SET", "busd:league2:x", "x"])
        try command("remove", "league", "--log", log, "--yes").expect(
            status: 1,
            errors: "busd: the house league is in use by m0: stop these daemons first\n")
        try bus.stop().expect(errors: "busd: done\n")
        try commandWhenStopped("remove", "league", "--log", log).expect(
            status: 64,
            errors: "busd: Remove the house league with 1 entries? Nothing has changed: without a "
                + "terminal, add --yes\n")
        try command("remove", "league", "--log", log, "--yes").expect(
            output: "the house league was removed; each daemon's store keeps its content, and can "
                + "leave the house\n")
        let keys = try Child(["redis-cli", "-s", house.redis.socket, "KEYS", "*"]).outcome()
        #expect(keys.output == "busd:league2:x\n")
    }

    @Test(.needs("tmux")) func `On a terminal, the removal of a house is a question`() throws {
        try playAndStop()
        _ = try commandWhenStopped("remove", "league", "--log", log)
        let tmux = try Tmux()
        for (name, answer, end) in [("no", "n", "1"), ("yes", "y", "0")] {
            try tmux.open(name, "\(busd) house remove league --log \(log)")
            try tmux.awaitText(
                #/Remove the house league with 2 entries\? \[y\/N\]/#, "the question", in: name)
            try tmux.press(answer, "Enter", in: name)
            try tmux.awaitText(#/ended with \d/#, "the end", in: name)
            #expect(try tmux.screen(name).contains("ended with \(end)"))
        }
        try command("list", "--log", log).expect(
            errors: "busd: there are no houses in \(log)\n")
    }

    // MARK: The status

    private func expectStatus(
        _ place: Int, _ status: Int32, _ lines: String..., withLog: Bool = true
    ) throws {
        let outcome = try Child(
            [busd, "house", "status", "--state", state(place)] + (withLog ? ["--log", log] : [])
        ).outcome()
        #expect(outcome.status == status, "\(outcome)")
        #expect(
            outcome.errors
                == (status == 0 ? "" : "busd: \(state(place)): the house league is not followed\n"))
        for line in lines { #expect(outcome.output.contains(line + "\n"), "\(outcome.output)") }
    }

    @Test func `The status beside a daemon is what the daemon has checked`() throws {
        let bus = try house.serve(0)
        try house.send(house.createGame, bus)
        // The next heartbeat has the entry.
        try house.expect(#""position":1,"behind":0"#, inAnswerTo: "get bus/house", bus)
        try expectStatus(
            0, 0, "house   league", "store   \(state(0)): served by m0: entry 1",
            "Redis   \(log): entry 1", "member  m0: entry 1, now", "state   following",
            "next    nothing to do")
        try expectStatus(
            0, 0, "Redis   not looked at: add --log to see its position", withLog: false)
        house.redis.kill()
        try house.expectState("the link to Redis is lost", bus)
        try expectStatus(
            0, 1, "Redis   cannot be asked: \(log): Connection refused",
            "next    end this; a daemon then follows by itself")
    }

    @Test func `The status of a stopped daemon is what a look at Redis shows`() throws {
        try playAndStop()
        let before = try contents(of: state(0))
        try expectStatus(
            0, 0, "store   \(state(0)): no daemon, entry 2", "Redis   \(log): entry 2",
            "state   a daemon can follow: the store has all entries",
            "next    start busd --house league --log \(log)")
        let other = try house.serve(1)
        try house.expectScore("2 - 0", other)
        try house.send(house.move, other)
        try expectStatus(0, 0, "state   a daemon can follow: it reads 1 entries")
        try house.run(["CONFIG", "SET", "maxmemory", "1"])
        try expectStatus(0, 1, "next    end this; a daemon then follows by itself")
        try house.run(["CONFIG", "SET", "maxmemory", "0"])
        try house.run(["XDEL", "busd:league:log", "3-0"])
        try expectStatus(0, 1, "state   the log in Redis does not end with the entry that it must")
        try house.run(["RENAME", "busd:league:head", "hidden"])
        try expectStatus(
            0, 1, "Redis   \(log): does not have this house",
            "state   the house league is not in Redis",
            "next    use the verb house restore on the daemon with the newest position")
        house.redis.kill()
        try expectStatus(
            0, 1, "Redis   \(log): cannot be asked", "member  none",
            "state   \(log): Connection refused")
        #expect(try contents(of: state(0)) == before)
    }

    @Test func `A status without a store, a house or an address says so`() throws {
        try command("status", "--state", state(0), "--log", log).expect(
            status: 1,
            errors: "busd: \(state(0)): there is no store: name its folder with --state\n")
        try command("leave", "--state", state(0)).expect(
            status: 1,
            errors: "busd: \(state(0)): there is no store: name its folder with --state\n")
        try playAndStop()
        try command("status", "--state", state(0)).expect(
            status: 1,
            errors: "busd: \(state(0)): no daemon serves this store: add --log to look at Redis\n")
        #expect(try command("leave", "--state", state(0)).status == 0)
        try command("status", "--state", state(0), "--log", log).expect(
            status: 1, errors: "busd: \(state(0)): this store belongs to no house\n")
    }

    /// The checksums of the log and of the states.
    private func contents(of folder: String) throws -> String {
        let sums = try Child.run("sha256sum", "\(folder)/log.sqlite", "\(folder)/state.sqlite")
        try #require(sums.status == 0)
        return sums.output
    }

    // MARK: Without a daemon

    @Test func `The users of a house are changed only through its daemon`() throws {
        try playAndStop()
        let before = try contents(of: state(0))
        let refusal =
            "busd: \(state(0)): this store belongs to the house league, and no daemon serves it: "
            + "start the daemon, then run this command again\n"
        for words in [["add", "ann"], ["remove", "ann"]] {
            try Child([busd, "user"] + words + ["--state", state(0)], input: "hush\n").outcome()
                .expect(status: 1, errors: refusal)
        }
        try Child.run(busd, "user", "list", "--state", state(0)).expect()
        #expect(try contents(of: state(0)) == before)

        let bus = try house.serve(0)
        try house.expectState("following", bus)
        try Child.run(busd, "user", "add", "ann", "--state", state(0), input: "hush\n").expect(
            output: "ann can sign in\nchanged the store in \(state(0))\n")
        try Child.run(busd, "user", "list", "--state", state(0)).expect(output: "ann\n")
    }

    @Test func `A restore with fewer entries than another has is a question`() throws {
        try playAndStop()
        let other = try house.serve(1)
        try house.expectScore("2 - 0", other)
        try house.send(house.move, other)
        try house.expectScore("4 - 0", other)
        let restore = ["restore", "--state", state(0), "--log", log]
        // The next heartbeat of m1 has the entry.
        var refused = try Child([busd, "house"] + restore).outcome()
        while !refused.errors.contains("m1") {
            refused = try Child([busd, "house"] + restore).outcome()
        }
        refused.expect(
            status: 64,
            errors: "busd: m1 has entry 3, Redis has entry 3, but this store ends with entry 2: "
                + "replace the house league with this store? Nothing has changed: without a "
                + "terminal, add --yes\n")
        try house.expectScore("4 - 0", other)
        let done = try Child([busd, "house"] + restore + ["--yes"]).outcome()
        #expect(done.status == 0 && done.errors.isEmpty, "\(done)")
        try house.expectScore("2 - 0", other)
    }

    @Test func `A damaged store does not replace a house`() throws {
        try playAndStop()
        try Child.run("sh", "-c", "printf '%0200d' 0 >\(state(0))/log.sqlite").expect()
        let before = try contents(of: state(0))
        try command("restore", "--state", state(0), "--log", log, "--yes").expect(
            status: 1,
            errors: "busd: \(state(0)): the store is damaged, or differs from the house: run busd "
                + "house restore on another daemon\n")
        #expect(try contents(of: state(0)) == before)
        try expectStatus(
            0, 0, "store   \(state(0)): no daemon, entry 2, damaged",
            "state   the store must be replaced: a daemon loads the states of the house")
    }

    @Test(arguments: [
        (["list", "league"], "list takes no NAME"), (["status", "x"], "status takes no NAME"),
        (["list"], "add --log"), (["remove"], "missing NAME"),
        (["remove", "a:b", "--log", "unix:/x"], "a name has 1 to 32 letters"),
        (["list", "--log", "unix:/x", "--yes"], "list does not use --yes"),
        (["list", "--log", "unix:/x", "--state", "/x"], "list does not use --state"),
        (["leave", "--log", "unix:/x"], "leave does not use --log"),
    ])
    func `A wrong command is refused with the reason`(words: [String], reason: String) throws {
        let outcome = try Child([busd, "house"] + words).outcome()
        #expect(outcome.status == 64 && outcome.errors.contains(reason), "\(outcome)")
    }
}
