import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

@Suite struct `A turn` {
    let bus = TestBus.lab("a")

    /// Gives lines to the bus without running a turn.
    private func queue(_ text: String, _ client: TestConnection) {
        guard let slot = client.slot else { return }
        Array(text.utf8).withUnsafeBytes { bus.bus.received($0, on: slot) }
    }

    @Test func `A turn handles at most 64 requests of a connection, and delays no other`() {
        let (busy, other) = (bus.connect(), bus.connect())
        queue(String(repeating: "ping\n", count: 200), busy)
        queue("ping\n", other)
        bus.turn()
        #expect(busy.takeLines().count == 64)
        other.expect(#"{"ok":{}}"#)
        bus.turn()
        #expect(busy.takeLines().count == 64)
        bus.settle()
        #expect(busy.takeLines().count == 72)
    }

    @Test func `Comments do not count as requests of a turn, but their bytes count`() {
        let client = bus.connect()
        queue(String(repeating: "#\n", count: 1_000) + "ping\n", client)
        bus.turn()
        client.expect(#"{"ok":{}}"#)
        // 65,536 bytes, and a request behind them.
        queue(
            String(repeating: "#" + String(repeating: "x", count: 1_022) + "\n", count: 64), client)
        queue("ping\n", client)
        bus.turn()
        client.expectNothing()
        bus.turn()
        client.expect(#"{"ok":{}}"#)
    }

    @Test func `A turn handles at most 64 KiB of a connection`() {
        let (busy, other) = (bus.connect(), bus.connect())
        let line = #"{"op":"ping","x-":"# + "\"" + String(repeating: "x", count: 16_362) + "\"}\n"
        #expect(line.utf8.count == 16_384)
        queue(String(repeating: line, count: 6), busy)
        queue("ping\n", other)
        bus.turn()
        #expect(busy.takeLines().count == 4)
        other.expect(#"{"ok":{}}"#)
        bus.settle()
        #expect(busy.takeLines().count == 2)
    }

    @Test func `Every connection has its share of a turn`() {
        let clients = (0..<5).map { _ in bus.connect() }
        for client in clients { queue(String(repeating: "ping\n", count: 100), client) }
        bus.turn()
        for client in clients { #expect(client.takeLines().count == 64) }
        bus.turn()
        for client in clients { #expect(client.takeLines().count == 36) }
    }

    @Test func `Requests before a half-close are handled over several turns`() {
        let client = bus.connect()
        queue(String(repeating: "ping\n", count: 100), client)
        client.endInput()
        #expect(client.takeLines().count == 100)
        #expect(client.isClosed)
    }

    // MARK: Unread answers

    @Test func `A client that does not read its answers is not read`() {
        let bus = TestBus.lab("a", limits: .output(1_000))
        let client = bus.connect()
        let ping = #"{"ok":{}}"#.utf8.count + 1
        client.stall()
        client.send(bytes: Array(String(repeating: "ping\n", count: 500).utf8))
        // Requests are answered while 1,000 bytes or fewer wait. The rest is not read.
        #expect(!client.isRead)
        client.makeRoom(ping)
        #expect(client.takeLines().count == 1)
        client.readOn()
        #expect(client.takeLines().count == 499)
        #expect(client.isRead)
    }

    @Test func `The unread answers of a client are bounded`() {
        let bus = TestBus.lab("a", limits: .output(1_000))
        let client = bus.connect()
        client.stall()
        for _ in 0..<50 { client.send(bytes: Array(String(repeating: "ping\n", count: 100).utf8)) }
        let slot = client.slot ?? 0
        #expect((bus.bus.state(of: slot)?.answerBytes ?? .max) <= 1_010)
        client.readOn()
        #expect(client.takeLines().count == 5_000)
    }

    @Test func `A client with unhandled requests is not read further`() {
        let client = bus.connect()
        client.stall()
        client.send(bytes: Array(String(repeating: "help\n", count: 30_000).utf8))
        #expect(!client.isRead)
        client.readOn()
        #expect(client.takeLines().count == 30_000)
        #expect(client.isRead)
    }

    @Test func `The requests of a half-closed client go on when it reads`() {
        let bus = TestBus.lab("a", limits: .output(100))
        let client = bus.connect()
        client.stall()
        client.send(bytes: Array(String(repeating: "ping\n", count: 50).utf8))
        client.endInput()
        #expect(!client.isClosed)
        client.readOn()
        #expect(client.takeLines().count == 50)
        #expect(client.isClosed)
    }
}
