import Glibc
import TestSupport
import Testing

/// `viewctl wait`, with a real daemon.
struct WaitTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func serve() throws -> BusFixture { try .keepingGames(in: folder) }

    private func start(_ words: String...) throws -> Child {
        try folder.viewctl(["wait"] + words)
    }

    private func wait(_ words: String...) throws -> Child.Outcome {
        try folder.viewctl(["wait"] + words).outcome()
    }

    private func move(_ bus: BusFixture) throws {
        try bus.send("scoreboard/1/home/1", "twoPointMove")
    }

    /// Until so many clients have subscribed to the address.
    private func awaitView(_ bus: BusFixture, of address: String, times count: Int = 1) throws {
        let asker = try bus.connect()
        let view = #""as":"wait","to":"\#(address)""#
        try eventually("\(count) times \(view)") {
            try asker.ask("get bus/views") ?? ""
        } is: {
            $0.ranges(of: view).count >= count
        }
    }

    @Test func `A condition that holds ends the wait at once`() throws {
        let bus = try serve()
        try bus.createGame()
        try move(bus)
        try wait("scoreboard/1", "score.home>=2", "paused.isPaused", "time.text=00:00.0").expect()
        try wait("scoreboard/1", "teams.home=Owls", "--now").expect()
        try wait("games", "games.games.0.status=paused", "--now").expect()
        try wait("scoreboard/2", "gone").expect()
        try wait("scoreboard/2", "gone", "--now").expect()
        // It does not make a view model that is served on demand.
        try wait("echo/me", "gone").expect()
        #expect(try bus.connect().ask("list echo/me") == #"{"ok":{"viewModels":[]}}"#)
    }

    @Test func `A wait ends when the conditions hold together`() throws {
        let bus = try serve()
        try bus.createGame()
        let both = try start("scoreboard/1", "score.home>=4", "paused.isPaused=false")
        let winner = try start("scoreboard/1", "finished.winner")
        try awaitView(bus, of: "scoreboard/1", times: 2)
        try move(bus)
        try move(bus)
        // Both still wait: a client that has ended is not in the list.
        let views = try bus.connect().ask("get bus/views") ?? ""
        #expect(views.ranges(of: #""as":"wait","to":"scoreboard/1""#).count == 2)
        try bus.send("scoreboard/1", "resume")
        try both.outcome().expect()
        for _ in 0..<6 { try move(bus) }
        try winner.outcome().expect()
    }

    @Test func `A list is followed through its edits`() throws {
        let bus = try serve()
        try bus.createGame()
        let score = try start("games", "games.games.0.score=4 - 0")
        let second = try start("games", "games.games.1.id=1")
        try awaitView(bus, of: "games", times: 2)
        try move(bus)
        try move(bus)
        try score.outcome().expect()
        try bus.createGame()
        try second.outcome().expect()
    }

    @Test func `A wait begins before the daemon and the game, and survives a kill`() throws {
        let waiting = try start("scoreboard/1", "score.home=4")
        #expect(
            try waiting.errors.line()
                == "viewctl: no daemon listens at \(folder("busd.sock")); waiting for it")
        let first = try serve()
        try awaitView(first, of: "scoreboard/*")
        try first.createGame()
        try awaitView(first, of: "scoreboard/1")
        try move(first)
        try first.kill()
        let second = try serve()
        try move(second)
        let outcome = try waiting.outcome()
        #expect(outcome.status == 0)
    }

    @Test func `A view model that ends while it is waited for has its own status`() throws {
        let bus = try serve()
        try bus.createGame()
        let waiting = try start("scoreboard/1", "score.home=4")
        let gone = try start("scoreboard/1", "gone")
        try awaitView(bus, of: "scoreboard/1")
        try awaitView(bus, of: "scoreboard/*")
        try bus.send("games", "deleteGame", #"{"game":"1"}"#)
        try waiting.outcome().expect(status: 4, errors: "viewctl: scoreboard/1 is gone\n")
        try gone.outcome().expect()
    }

    @Test func `What does not hold now, or in time, has its own status`() throws {
        try wait("games", "games.games.0", "--now").expect(
            status: 1,
            errors: "viewctl: no daemon listens at \(folder("busd.sock")): "
                + "start one with busd --socket \(folder("busd.sock"))\n")
        let timedOut = try wait("games", "games.games.0", "-t", "0.2")
        #expect(timedOut.status == 3)
        let bus = try serve()
        try bus.createGame()
        try wait("scoreboard/1", "score.home>0", "--now").expect(status: 3)
        try wait("scoreboard/1", "finished.winner!=away", "--now").expect(status: 3)
        try wait("scoreboard/1", "gone", "--now").expect(status: 3)
        try wait("scoreboard/2", "score.home>0", "--now").expect(status: 3)
        try wait("scoreboard/1", "score.home>0", "-t", "0.1").expect(
            status: 3, errors: "viewctl: timed out\n")
    }

    @Test func `A condition that can never hold is refused`() throws {
        let bus = try serve()
        try bus.createGame()
        for address in ["scoreboard/1", "scoreboard/7"] {
            try wait(address, "score.hom>=2").expect(
                status: 64,
                errors: "viewctl wait: score has no field 'hom'\n  did you mean home?\n")
            try wait(address, "score.home>=two").expect(
                status: 64, errors: "viewctl wait: score.home is of type integer, not 'two'\n")
        }
        try wait("games", "gamesEdited.edits").expect(
            status: 64,
            errors: "viewctl wait: gamesEdited is no value, but an event that passes: take games, "
                + "which it edits\n")
    }

    @Test func `A kind that the daemon does not have is not waited for`() throws {
        let bus = try serve()
        for words in [["wait"], ["watch", "--away", "-", "--format"]] {
            let path = words[0] == "wait" ? "score.home" : "{score.home}"
            try folder.viewctl([words[0], "scorebord/1"] + words.dropFirst() + [path]).outcome()
                .expect(
                    status: 2,
                    errors: "viewctl: there is no kind scorebord (unknownViewModel)\n"
                        + "  did you mean scoreboard?\n")
        }
        // Other view models have addresses that begin so.
        let waiting = try folder.viewctl(["wait", "bus/new", "score.home"])
        #expect(
            try waiting.errors.line() == "viewctl: there is no bus/new yet; waiting for it")
        waiting.signal(SIGTERM)
        _ = try waiting.outcome()
        _ = try bus.stop()
    }

    @Test func `A ping waits for a daemon`() throws {
        let ping = try folder.viewctl(["ping", "--wait", "0", "--json"])
        let bus = try serve()
        try ping.outcome().expect(output: "{}\n")
        _ = try bus.stop()
        let failed = try folder.viewctl(["ping", "--wait", "0.2"]).outcome()
        #expect(failed.status == 1)
        #expect(failed.errors.hasPrefix("viewctl: no daemon listens at"))
    }
}
