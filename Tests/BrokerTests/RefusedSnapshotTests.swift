import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// While all clients together leave too much unread, a long snapshot is refused without being made.
@Suite struct `A long snapshot, while too much is unread` {
    let bus: TestBus
    let other: TestConnection
    let silent: TestConnection
    let reader: TestConnection
    private let refusal =
        #"{"error":{"code":"overloaded","message":"more than 30000 bytes of output are unread: "#
        + #"try again later (limit outputTotal)"}"#

    init() {
        var limits = Limits()
        limits.outputTotal = 30_000
        bus = TestBus.lab("a", "b", limits: limits)
        other = bus.connect()
        silent = bus.connect()
        reader = bus.connect()
        append("a")
    }

    /// Makes the list of a part longer by 20,000 bytes.
    private func append(_ part: String) {
        let item = String(repeating: "x", count: 20_000)
        other.send(#"send part/\#(part) append {"item":"\#(item)"}"#)
    }

    /// A request with an answer of about that length.
    private var ping: [UInt8] {
        Array(#"{"op":"ping","id":"\#(String(repeating: "x", count: 50))"}"#.utf8) + [10]
    }

    private func fill() {
        silent.stall()
        silent.send(bytes: Array((0..<1_000).map { _ in ping }.joined()))
        #expect((30_000..<37_500).contains(bus.bus.held.unread))
    }

    private func isKept(_ address: Address) -> Bool { bus.bus.keepsSnapshot(of: address) }

    /// Shows a part, and waits until its snapshot is no longer kept.
    private func show(_ part: String) {
        other.send("get part/\(part)")
        #expect(other.takeLines().count == 1)
        bus.advance(by: .seconds(3))
    }

    private func expectRefusals() {
        reader.send("get part/a", #"{"op":"subscribe","to":"part/a","id":1}"#)
        reader.expect(refusal + "}", refusal + #","id":1}"#)
    }

    @Test func `A snapshot that was long when last shown is refused without being made`() {
        show("a")
        fill()
        expectRefusals()
        #expect(!isKept(.literal("part/a")))
        append("a")
        expectRefusals()
        #expect(!isKept(.literal("part/a")))
        silent.readOn()
        reader.send("get part/a", "subscribe part/a")
        #expect(reader.takeLines().map(\.utf8.count).max() ?? 0 > 40_000)
        #expect(silent.takeLines().count == 1_000)
    }

    @Test func `A snapshot of unknown length is made once, and then refused`() {
        fill()
        reader.send("get part/a")
        reader.expect(refusal + "}")
        #expect(isKept(.literal("part/a")))
        bus.advance(by: .seconds(3))
        expectRefusals()
        #expect(!isKept(.literal("part/a")))
    }

    @Test func `A snapshot that has become long since it was last shown is refused`() {
        show("b")
        append("b")
        fill()
        reader.send("get part/b")
        reader.expect(refusal + "}")
    }

    @Test func `A kept snapshot is shown, because it takes no more memory`() {
        other.send("get part/a")
        _ = other.takeLines()
        fill()
        let before = bus.bus.held.shared
        let stopped = (0..<10).map { _ in bus.connect() }
        for client in stopped {
            client.stall(after: 500)
            client.send("get part/a")
        }
        #expect(bus.bus.held.shared == before)
        #expect(bus.bus.held.unread < 37_500)
        reader.send("get part/a", "subscribe part/a")
        let lines = reader.takeLines()
        #expect(lines.count == 6)
        #expect(lines.allSatisfy { !$0.hasPrefix(#"{"error""#) })
        for client in stopped {
            client.readOn()
            #expect(client.takeLines() == Array(lines.prefix(1)))
        }
    }

    @Test func `A kept snapshot is refused while far too much is unread`() {
        other.send("get part/a")
        _ = other.takeLines()
        fill()
        let crowd = (0..<200).map { _ in bus.connect() }
        for client in crowd {
            client.stall()
            client.send(bytes: ping)
        }
        #expect(bus.bus.held.unread > 37_500)
        expectRefusals()
        #expect(isKept(.literal("part/a")))
    }

    /// A long snapshot of many short values is not shared.
    @Test func `A kept snapshot that would have to be copied is refused`() {
        bus.bus.keepSnapshots(from: 1 << 14, sharingFrom: .max)
        other.send("get part/a")
        _ = other.takeLines()
        #expect(isKept(.literal("part/a")))
        fill()
        expectRefusals()
    }

    @Test func `A short snapshot is shown while too much is unread`() {
        fill()
        reader.send("get part/b", "subscribe part/b")
        #expect(reader.takeLines().count == 6)
    }
}
