import BusdEventLoop
import BusdHosting
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon
@testable import BusdStorage

@Suite struct DurableStateTests {
    private static let game = """
        {"op":"send","to":"games","event":{"createGame":{\
        "home":{"name":"Hawks","players":["Ann","Bo","Cy"]},\
        "away":{"name":"Jets","players":["Di","Ed","Flo"]}}},"id":1,"key":"k"}
        """
    private static let list = #"{"op":"get","to":"games","id":2}"#

    /// Asks for the list, and says what the last two lines are.
    private func rows(_ client: TestClient, _ bus: ServedBus) -> [String] {
        client.send(Self.list)
        var lines: [String] = []
        #expect(
            bus.turn {
                lines += client.takeLines()
                return lines.contains { $0.hasPrefix(#"{"ok""#) }
            })
        return lines
    }

    @Test func `nothing is kept in memory, and nothing is written`() throws {
        let bus = try ServedBus()
        #expect(bus.state.store == nil)
        #expect("\(bus.state.durability)" == "none")
        #expect(bus.state.takeOutcome() == nil)
        bus.state.attend()
        bus.state.close()
        #expect(mode(of: bus.folder("errands.sock")) == nil)
        #expect(bus.logged.lines() == [])
    }

    @Test func `a send is answered when it is on disk, and not in the turn that reads it`() throws {
        let bus = try ServedBus(keepsState: true)
        #expect("\(bus.state.durability)" == "full")
        #expect(mode(of: bus.folder("state")) == 0o700)
        let client = try bus.connect()
        #expect(bus.turn { bus.server.clientCount == 1 })
        let empty = rows(client, bus)
        #expect(empty.first?.contains(#""games":{"games":[]}"#) == true)

        client.send(Self.game)
        bus.server.turn(block: true)
        #expect(client.takeLines() == [])
        client.expect(#"{"ok":{"seq":[1,2],"changed":true,"made":"scoreboard/1"},"id":1}"#)
    }

    @Test func `that ids can't be reserved is told once, and that they can again`() throws {
        let bus = try ServedBus(keepsState: true)
        let inTheWay = bus.folder("state/store.ids.new")
        mkdir(inTheWay, 0o700)
        let client = try bus.connect()
        client.send(Self.game)
        client.expect(#"{"ok":{"seq":[1,2],"changed":true,"made":"scoreboard/1"},"id":1}"#)
        client.send(Self.game.replacing(#""key":"k""#, with: #""key":"l""#))
        client.expect(#"{"ok":{"seq":[3,4],"changed":true,"made":"scoreboard/2"},"id":1}"#)
        let failure = """
            ids can't be reserved, and may come twice if the store is lost: \
            \(inTheWay): unlink: Is a directory
            """
        #expect(bus.logged.lines() == ["testd: \(failure)"])
        rmdir(inTheWay)
        client.send(Self.game.replacing(#""key":"k""#, with: #""key":"m""#))
        client.expect(#"{"ok":{"seq":[5,6],"changed":true,"made":"scoreboard/3"},"id":1}"#)
        #expect(bus.logged.lines() == ["testd: ids are reserved again"])
    }

    @Test func `that storage can't write is told once, and that it can again`() throws {
        let bus = try ServedBus(keepsState: true)
        let store = try #require(bus.state.store)
        let client = try bus.connect()
        let game = Self.game.replacing(#","key":"k""#, with: "")
        store.limit(pages: 1)
        for _ in 1...2 {
            store.users.put(String(repeating: "h", count: 100_000), for: "ann")
            client.send(game)
            client.expect(
                #"{"error":{"code":"unavailable","message":"storage cannot write now: nothing has changed"},"id":1}"#
            )
        }
        store.limit(pages: 1_000)
        client.send(game)
        client.expect(#"{"ok":{"seq":[1,2],"changed":true,"made":"scoreboard/1"},"id":1}"#)
        #expect(
            bus.logged.lines() == [
                "testd: storage can't write: \(bus.folder("state/store.sqlite")): "
                    + "SQLITE_FULL: database or disk is full",
                "testd: storage can write again",
            ])
    }

    @Test func `a restart keeps what was answered, and knows it again`() throws {
        let folder = try Folder()
        do {
            let bus = try ServedBus(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(Self.game)
            client.expect(#"{"ok":{"seq":[1,2],"changed":true,"made":"scoreboard/1"},"id":1}"#)
            bus.stop()
            bus.state.close()
        }

        let bus = try ServedBus(in: folder, keepsState: true)
        let client = try bus.connect()
        #expect(rows(client, bus).first?.contains(#""home":"Hawks""#) == true)
        client.send(Self.game)
        client.expect(#"{"ok":{"seq":[1,2],"changed":true,"duplicate":true},"id":1}"#)
    }

    @Test func `what waits for the disk when the daemon is stopped is still answered`() throws {
        let bus = try ServedBus(keepsState: true)
        let client = try bus.connect()
        #expect(bus.turn { bus.server.clientCount == 1 })
        // A key would have to be looked for first.
        client.send(Self.game.replacing(#","key":"k""#, with: ""))
        bus.server.turn(block: true)
        bus.stop()

        #expect(
            client.takeLines() == [
                #"{"ok":{"seq":[1,2],"changed":true,"made":"scoreboard/1"},"id":1}"#,
                #"{"bye":{"code":"closing","message":"the daemon ends"}}"#,
            ])
    }

    @Test func `a game that was deleted takes its keys along`() throws {
        let bus = try ServedBus(keepsState: true)
        let client = try bus.connect()
        client.send(Self.game)
        client.expect(#"{"ok":{"seq":[1,2],"changed":true,"made":"scoreboard/1"},"id":1}"#)
        client.send(#"{"op":"send","to":"games","event":{"deleteGame":{"game":"1"}},"id":3}"#)
        client.expect(#"{"ok":{"seq":[3,3],"changed":true},"id":3}"#)
        #expect(rows(client, bus).first?.contains(#""games":{"games":[]}"#) == true)
    }

    @Test func `a book is there after a restart, with what was known of it`() throws {
        let folder = try Folder()
        do {
            let bus = try ServedBus(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(
                """
                {"op":"send","to":"books","event":{"importBook":{"name":"Kanji",\
                "cards":[{"front":"水","back":"water"},{"front":"火","back":"fire"}]}},"id":1}
                """)
            client.expect(#"{"ok":{"seq":[1,2],"changed":true,"made":"study/1"},"id":1}"#)
            client.send(#"{"op":"send","to":"study/1","event":"reveal","id":2}"#)
            client.send(#"{"op":"send","to":"study/1","event":"known","id":3}"#)
            client.expect(
                #"{"ok":{"seq":[1,1],"changed":true},"id":2}"#,
                #"{"ok":{"seq":[2,4],"changed":true},"id":3}"#)
            bus.stop()
            bus.state.close()
        }

        let bus = try ServedBus(in: folder, keepsState: true)
        let client = try bus.connect()
        client.send(#"{"op":"get","to":"study/1","id":4}"#)
        var lines: [String] = []
        #expect(
            bus.turn {
                lines += client.takeLines()
                return !lines.isEmpty
            })
        #expect(lines.first?.contains(#"{"card":{"front":"火","position":2,"of":2}}"#) == true)
        #expect(lines.first?.contains(#"{"progress":{"text":"50% KNOWN"}}"#) == true)
    }

    @Test func `running games are noted twice a second`() throws {
        let bus = try ServedBus(keepsState: true, isClockManual: true)
        #expect(bus.host.timeline.nextDue?.microseconds == 500_000)
        bus.host.timeline.move(to: .init(microseconds: 500_000))
        _ = bus.host.timeline.fireNext()
        #expect(bus.host.timeline.nextDue?.microseconds == 1_000_000)
        bus.state.close()
        #expect(bus.host.timeline.nextDue == nil)
    }

    // MARK: What goes wrong

    @Test func `a store is served by one daemon alone`() throws {
        let folder = try Folder()
        let bus = try ServedBus(in: folder, keepsState: true)
        let loop = try Loop()
        let second = try DurableState(
            Settings(in: folder, keepsState: true), loop: loop, clock: bus.host.clock,
            log: bus.logged.log())

        let error = #expect(throws: (any Error).self) { try second.openLibraries() }
        #expect(error.map { "\($0)".hasPrefix("\(folder("state")) is in use by ") } == true)
    }
}
