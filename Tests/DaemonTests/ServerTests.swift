import BusdBroker
import BusdEventLoop
import BusdHosting
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon

@Suite struct ServerTests {
    private static let subscribed =
        #"{"ok":{"to":"echo/**","matched":[],"resumed":false},"id":1}"#
    private static let live = #"{"live":"echo/**"}"#
    private static let closing = #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#

    @Test func `A request is answered`() throws {
        let bus = try ServerFixture()
        let client = try bus.connect()

        client.send(#"{"op":"ping","id":"a"}"#)
        client.expect(#"{"ok":{},"id":"a"}"#)
        #expect(bus.logged.lines() == [])
    }

    @Test func `A subscriber gets events, and the view socket refuses sends`() throws {
        let bus = try ServerFixture()
        let (ann, bo) = (try bus.connect(), try bus.connect(throughViewSocket: true))
        ann.send(#"{"op":"subscribe","to":"echo/**","id":1}"#)
        ann.expect(Self.subscribed, Self.live)
        bo.send(#"{"op":"ping","id":1}"#)
        bo.expect(#"{"ok":{},"id":1}"#)

        ann.send(#"{"op":"send","to":"echo/a","event":{"say":{"text":"hello"}},"id":2}"#)
        ann.expect(
            #"{"live":"echo/a","cursor":"…:0","done":"…:0"}"#,
            #"{"from":"echo/a","seq":1,"cause":{"connection":1,"id":2},"event":{"said":{"text":"hello"}}}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":2}"#)
        bo.send(#"{"op":"send","to":"echo/a","event":"say","id":2}"#)
        bo.expect(
            #"{"error":{"code":"notAllowed","message":"the view socket accepts no `send`: use the control socket"},"id":2}"#
        )
    }

    // MARK: Turns

    @Test func `A client gets 64 requests per turn while another client is ready`() throws {
        let bus = try ServerFixture()
        let (greedy, modest) = (try bus.connect(), try bus.connect())
        #expect(bus.turn { bus.server.clientCount == 2 })
        let ping = #"{"op":"ping","id":0}"# + "\n"
        greedy.socket?.write(String(repeating: ping, count: 150))
        modest.send(#"{"op":"ping","id":1}"#)

        let counts = (0..<2).map { _ in
            bus.server.turn(block: true)
            return [greedy.takeLines().count, modest.takeLines().count]
        }

        #expect(counts == [[64, 1], [86, 0]])
    }

    @Test func `A turn reads at most 64 KiB of a client`() throws {
        let bus = try ServerFixture()
        let client = try bus.connect()
        #expect(bus.turn { bus.server.clientCount == 1 })
        let comment = "#" + String(repeating: "x", count: 1_023) + "\n"
        client.socket?.write(String(repeating: comment, count: 100))
        let before = try unread(by: client)

        bus.server.turn(block: true)
        let afterOne = try unread(by: client)
        #expect(0 < afterOne && afterOne < before)
        bus.server.turn(block: true)
        #expect(try unread(by: client) == 0)
    }

    /// The bytes of the client that the daemon has not read, as the kernel counts them.
    private func unread(by client: TestClient) throws -> Int32 {
        var count: Int32 = -1
        let socket = try #require(client.socket)
        try #require(ioctl(socket.number, UInt(TIOCOUTQ), &count) == 0)
        return count
    }

    @Test func `A timer of the bus turns the loop`() throws {
        let bus = try ServerFixture()
        var isDue = false
        let timer = bus.host.clock.schedule(after: .milliseconds(20)) { isDue = true }
        bus.server.turn(block: false)

        #expect(bus.turn { isDue })
        #expect(bus.metrics.loopLagMilliseconds >= 0)
        withExtendedLifetime(timer) {}
    }

    @Test func `A timer that was set before the first turn fires`() throws {
        let bus = try ServerFixture()
        var isDue = false
        let timer = bus.host.clock.schedule(after: .milliseconds(1)) { isDue = true }

        #expect(bus.turn { isDue })
        withExtendedLifetime(timer) {}
    }

    @Test func `With a manual clock time stands still`() throws {
        let bus = try ServerFixture(isClockManual: true)
        var isDue = false
        let timer = bus.host.clock.schedule(after: .microseconds(1)) { isDue = true }
        bus.settle()

        #expect(!isDue)
        #expect(bus.host.clock.now == Instant(microseconds: 0))
        withExtendedLifetime(timer) {}
    }

    // MARK: Ends

    @Test func `A half-closed client gets all its answers, and then the end`() throws {
        let bus = try ServerFixture()
        let client = try bus.connect()
        client.send(#"{"op":"ping","id":1}"#, #"{"op":"ping","id":2}"#)
        client.halfClose()

        client.expect(#"{"ok":{},"id":1}"#, #"{"ok":{},"id":2}"#)
        client.expectEnd()
        #expect(bus.server.clientCount == 0)
    }

    @Test func `A half-closed client with a subscription gets events until it closes`() throws {
        let bus = try ServerFixture()
        let (reader, writer) = (try bus.connect(), try bus.connect())
        reader.send(#"{"op":"subscribe","to":"echo/**","only":[],"id":1}"#)
        reader.halfClose()
        reader.expect(Self.subscribed, Self.live)
        bus.settle()
        #expect(bus.server.clientCount == 2)

        writer.send(#"{"op":"send","to":"echo/a","event":{"say":{"text":"x"}}}"#)
        reader.expect(#"{"live":"echo/a","cursor":"…:0","done":"…:0"}"#)
        reader.hangUp()
        #expect(bus.turn { bus.server.clientCount == 1 })
    }

    @Test func `The place of a closed client is used again`() throws {
        let bus = try ServerFixture()
        for _ in 0..<3 {
            let client = try bus.connect()
            client.send(#"{"op":"ping","id":1}"#)
            client.expect(#"{"ok":{},"id":1}"#)
            client.hangUp()
            #expect(bus.turn { bus.server.clientCount == 0 })
        }
        #expect(bus.server.placeCount == 1)
    }

    /// Sends requests, and reads no answers, until the daemon reads no more.
    private func fillOutput(_ client: TestClient, _ bus: ServerFixture) throws {
        let list = #"{"op":"list","id":0}"# + "\n"
        let requests = Array(String(repeating: list, count: 1_000).utf8)
        let socket = try #require(client.socket)
        var unchanged = 0
        // The daemon has read nothing in twenty turns.
        while unchanged < 20 {
            let outcome = requests.withUnsafeBytes { socket.write($0) }
            unchanged = outcome == .wouldBlock ? unchanged + 1 : 0
            bus.server.turn(block: false)
        }
    }

    @Test func `A client that does not read its answers is not read from, until it does`() throws {
        let bus = try ServerFixture()
        let client = try bus.connect()
        try fillOutput(client, bus)
        let other = try bus.connect()
        other.send(#"{"op":"ping","id":1}"#)
        other.expect(#"{"ok":{},"id":1}"#)

        var answers = 0
        #expect(
            bus.turn {
                answers += client.takeLines().count
                guard let socket = client.socket else { return false }
                return answers > 2_000 && socket.write("#\n") != .wouldBlock
            })
        #expect(!client.hasEnded)
    }

    @Test func `A client that hangs up while it is blocked is removed`() throws {
        let bus = try ServerFixture()
        let client = try bus.connect()
        try fillOutput(client, bus)
        #expect(bus.server.clientCount == 1)

        client.hangUp()
        #expect(bus.turn { bus.server.clientCount == 0 })
    }

    // MARK: Too many connections

    @Test func `A connection beyond the limit gets the reason and is closed`() throws {
        var limits = Limits()
        limits.connections = 1
        let bus = try ServerFixture(limits: limits)
        let first = try bus.connect()
        #expect(bus.turn { bus.server.clientCount == 1 })

        let second = try bus.connect()
        second.send(#"{"op":"ping","id":1}"#)
        second.expect(
            #"{"bye":{"code":"overloaded","message":"too many connections: try again later (limit connections)"}}"#
        )
        second.expectEnd()
        first.send(#"{"op":"ping","id":1}"#)
        first.expect(#"{"ok":{},"id":1}"#)
    }

    @Test func `Without free descriptors a client gets the reason, and it is logged`() throws {
        let bus = try ServerFixture()
        let (near, far) = try socketPair()
        bus.server.arrived(.overloaded(near), through: .control)
        near.shutDownOutput()

        #expect(
            far.readText().text
                == #"{"bye":{"code":"overloaded","message":"too many connections: try again later (limit connections)"}}"#
                + "\n")
        bus.server.arrived(
            .failed(SystemError(code: EMFILE, function: "accept4")), through: .control)
        #expect(
            bus.logged.lines() == [
                "testd: out of descriptors: a client is refused",
                "testd: cannot accept clients now: accept4: Too many open files",
            ])
    }

    @Test func `A client that cannot be watched is closed, and this is logged`() throws {
        let bus = try ServerFixture()
        let file = Descriptor(file: open("/dev/null", O_RDONLY))
        let (near, far) = try socketPair()
        let credentials = try PeerCredentials(of: near)
        bus.server.arrived(.accepted(file, credentials), through: .control)
        bus.settle()

        #expect(
            bus.logged.lines() == [
                "testd: cannot watch a client: event_add: Operation not permitted"
            ])
        #expect(bus.server.clientCount == 0)
        withExtendedLifetime(far) {}
    }

    // MARK: Stopping

    @Test func `A stop sends bye to all clients, and ends`() throws {
        let bus = try ServerFixture()
        let clients = [try bus.connect(), try bus.connect(throughViewSocket: true)]
        #expect(bus.turn { bus.server.clientCount == 2 })

        bus.stop()

        #expect(bus.server.isStopped)
        for client in clients {
            #expect(client.takeLines() == [Self.closing])
            #expect(client.hasEnded)
        }
    }

    @Test(arguments: [false, true])
    func `A stop waits two seconds for a client that does not read`(isClockManual: Bool) throws {
        let bus = try ServerFixture(isClockManual: isClockManual)
        let client = try bus.connect()
        try fillOutput(client, bus)

        let before = bus.loop.now()
        bus.stop()

        #expect(1_900_000...60_000_000 ~= bus.loop.now() - before)
        #expect(!client.hasEnded)
    }

    @Test func `A client gets its bye even in the last turn`() throws {
        let bus = try ServerFixture()
        let client = try bus.connect()
        #expect(bus.turn { bus.server.clientCount == 1 })

        // There is no turn before the two seconds are over, as with a disk that hangs.
        bus.server.stop()
        bus.server.run()

        #expect(client.takeLines() == [Self.closing])
    }

    @Test func `A second stop ends the daemon at once`() throws {
        let bus = try ServerFixture()
        let client = try bus.connect()
        try fillOutput(client, bus)

        bus.server.stop()
        bus.settle()
        #expect(!bus.server.isStopped)
        bus.server.stop()
        #expect(bus.server.isStopped)
        bus.server.run()
    }
}
