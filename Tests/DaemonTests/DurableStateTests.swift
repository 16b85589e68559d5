import BusdBroker
import BusdEcho
import BusdEventLoop
import BusdGames
import BusdHosting
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon
@testable import BusdStorage

/// The things are games.
@Suite struct DurableStateTests {
    static let game = """
        {"op":"send","to":"games","event":{"createGame":{\
        "home":{"name":"Hawks","players":["Ann","Bo","Cy"]},\
        "away":{"name":"Jets","players":["Di","Ed","Flo"]}}},"id":1,"key":"k"}
        """
    private static let keyless = game.replacing(#","key":"k""#, with: "")
    private static let made =
        #"{"ok":{"seq":[1,2],"changed":true,"made":"scoreboard/1"},"id":1}"#

    @Test func `A daemon that keeps its state in memory writes no file`() throws {
        let bus = try ServerFixture()
        #expect(bus.state.store == nil)
        #expect("\(bus.state.durability)" == "none")
        bus.settle()
        #expect(bus.host.kinds.find(BusUsers.name) == nil)
        #expect(bus.host.kinds.find(BusStore.name) == nil)
        bus.end()
        #expect(mode(of: bus.folder("state")) == nil)
        #expect(bus.logged.lines() == [])
    }

    @Test func `Without a library no store is made`() throws {
        let folder = try Folder()
        let state = try DurableState(
            Settings(in: folder, keepsState: true), loop: Loop(), log: LogPipe().log())
        let host = Host { state.openLibraries($0) }
        host.register(EchoViewModel.self)
        try state.open(host)
        _ = host.libraries
        #expect("\(state.durability)" == "none")
        #expect(mode(of: folder("state")) == nil)
    }

    @Test func `A send is answered when it is on disk, and not in the turn that reads it`() throws {
        let bus = try ServerFixture(keepsState: true)
        #expect("\(bus.state.durability)" == "full")
        #expect(mode(of: bus.folder("state")) == 0o700)
        let client = try bus.connect()
        #expect(bus.turn { bus.server.clientCount == 1 })
        #expect(client.shown("games").contains(#""games":{"games":[]}"#))

        client.send(Self.game)
        bus.server.turn(block: true)
        #expect(client.takeLines() == [])
        client.expect(Self.made)
        bus.kill()
    }

    @Test func `A log that cannot be written is reported once, and sends are refused`() throws {
        let bus = try ServerFixture(keepsState: true)
        let client = try bus.connect()
        let file = bus.folder("state/log.sqlite")
        #expect(rename(file, file + ".moved") == 0)
        let long = Self.keyless.replacing("Hawks", with: String(repeating: "é", count: 40))
        var refused = 0
        for _ in 1...200 where refused < 2 {
            client.send(long)
            var lines: [String] = []
            #expect(
                bus.turn {
                    lines += client.takeLines()
                    return !lines.isEmpty
                })
            refused += lines.count { $0.contains(#""code":"unavailable""#) }
        }
        #expect(refused == 2)
        let logged = bus.logged.lines()
        #expect(logged.count == 1)
        #expect(logged.first?.contains("log.sqlite") == true)
        bus.kill()
    }

    @Test(arguments: [false, true])
    func `A restart keeps an answered change and its key`(isKilled: Bool) throws {
        let folder = try Folder()
        do {
            let bus = try ServerFixture(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(Self.game)
            client.expect(Self.made)
            if isKilled { bus.kill() } else { bus.end() }
        }

        let bus = try ServerFixture(in: folder, keepsState: true)
        let content = try #require(bus.state.store).content
        #expect(content.covered == (isKilled ? 0 : 1))
        let client = try bus.connect()
        #expect(client.shown("games").contains(#""home":"Hawks""#))
        client.send(Self.game)
        client.expect(#"{"ok":{"duplicate":true},"id":1}"#)
        bus.kill()
    }

    @Test func `A send that waits for the disk when the daemon is stopped is answered`() throws {
        let bus = try ServerFixture(keepsState: true)
        let client = try bus.connect()
        #expect(bus.turn { bus.server.clientCount == 1 })
        client.send(Self.keyless)
        bus.server.turn(block: true)
        bus.stop()

        #expect(
            client.takeLines() == [
                Self.made, #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#,
            ])
        bus.kill()
    }

    @Test func `A second daemon on the same store is refused`() throws {
        let folder = try Folder()
        let bus = try ServerFixture(in: folder, keepsState: true)
        let second = try DurableState(
            Settings(in: folder, keepsState: true), loop: Loop(), log: bus.logged.log())
        let host = Host { second.openLibraries($0) }
        _ = host.libraries
        let error = #expect(throws: StoreError.self) { try second.open(host) }
        #expect(error.map { "\($0)".hasPrefix("\(folder("state")) is in use by ") } == true)
        bus.kill()
    }

    // MARK: Time

    @Test func `The time of the log begins with the wall clock and goes on after a restart`() throws
    {
        let folder = try Folder()
        func time() throws -> Instant {
            let bus = try ServerFixture(in: folder, keepsState: true)
            defer { bus.kill() }
            bus.settle()
            return bus.host.clock.now
        }
        let first = try time()
        #expect(first.microseconds > 1_700_000_000_000_000)
        #expect(try time() > first)
    }

    @Test func `A manual clock begins with the newest time of the log`() throws {
        let folder = try Folder()
        do {
            let first = try ServerFixture(in: folder, keepsState: true, isClockManual: true)
            #expect(first.host.clock.now == Instant(microseconds: 0))
            first.host.timeline.move(to: Instant(microseconds: 5_000_000))
            let client = try first.connect()
            client.send(Self.game)
            client.expect(Self.made)
            first.kill()
        }
        let second = try ServerFixture(in: folder, keepsState: true, isClockManual: true)
        #expect(second.host.clock.now == Instant(microseconds: 5_000_000))
        second.kill()
    }

    @Test func `A running game is paused by a restart, at the time of the last note`() throws {
        let folder = try Folder()
        do {
            let bus = try ServerFixture(in: folder, keepsState: true, isClockManual: true)
            let client = try bus.connect()
            client.send(Self.keyless)
            client.expect(Self.made)
            client.send(#"{"op":"send","to":"scoreboard/1","event":"togglePause","id":3}"#)
            _ = bus.turn { !client.takeLines().isEmpty }
            bus.host.timeline.move(to: Instant(microseconds: 65_000_000))
            // Wait until a note has the new time; the notes have the entries already.
            let end = bus.loop.now() + 1_500_000
            _ = bus.turn { bus.loop.now() > end }
            bus.kill()
        }
        let bus = try ServerFixture(in: folder, keepsState: true, isClockManual: true)
        #expect(!bus.host.libraries.hasPending)
        let board = try bus.connect().shown("scoreboard/1")
        #expect(board.contains("1:05"), "\(board)")
        #expect(bus.state.store?.content.lastTime == Instant(microseconds: 65_000_000))
        bus.kill()
    }

    // MARK: Drafts

    @Test func `A draft survives a stop, and is restored once`() throws {
        let folder = try Folder()
        let draft = """
            {"op":"send","to":"game-creator/x",\
            "event":{"teamNameChanged":{"side":"home","name":"Owls"}},"id":1}
            """
        do {
            let bus = try ServerFixture(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(draft)
            _ = bus.turn { !client.takeLines().isEmpty }
            bus.end()
        }
        do {
            let bus = try ServerFixture(in: folder, keepsState: true)
            #expect(try bus.connect().shown("game-creator/x").contains("Owls"))
            bus.kill()
        }
        let bus = try ServerFixture(in: folder, keepsState: true)
        #expect(try !bus.connect().shown("game-creator/x").contains("Owls"))
        bus.kill()
    }
}
