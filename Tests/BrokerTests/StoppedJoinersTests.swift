import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// Clients that join a long snapshot without reading it take little memory: they share one copy.
@Suite struct `Stopped readers of a long snapshot` {
    let bus = TestBus.lab("a")
    let other: TestConnection
    let length = 500_000

    init() {
        other = bus.connect()
        let item = String(repeating: "x", count: 50_000)
        for _ in 0..<10 { other.send(#"send part/a append {"item":"\#(item)"}"#) }
    }

    private func stopped(_ count: Int, _ request: String) -> [TestConnection] {
        (0..<count).map { _ in
            let client = bus.connect()
            client.stall(after: 1_000)
            client.send(request)
            return client
        }
    }

    @Test(arguments: ["subscribe part/a", "get part/a", "subscribe part/*"])
    func `Stopped readers share one copy of a long snapshot`(request: String) {
        let clients = stopped(200, request)
        #expect(bus.bus.held.shared < 2 * length)
        #expect(bus.bus.held.answers < 200 * 1_000)
        let fast = bus.connect()
        fast.send(request)
        let expected = fast.takeLines()
        #expect(expected.joined().utf8.count > length)
        for client in clients.prefix(20) {
            client.readOn()
            #expect(client.takeLines() == expected)
        }
        for client in clients { client.disconnect() }
        for client in clients { _ = client.takeLines() }
        bus.advance(by: .seconds(2))
        #expect(bus.bus.held.shared == 0)
        #expect(bus.bus.held.answers == 0)
    }

    /// An event may be dropped, so it does not count as an unread answer.
    @Test func `Stopped readers share a long event, and each is charged for it`() {
        let views = (0..<100).map { _ in bus.connect() }
        for view in views {
            view.join("part/a")
            view.stall()
        }
        let (item, before) = (String(repeating: "y", count: 50_000), bus.bus.held.shared)
        other.send(#"send part/a append {"item":"\#(item)"}"#)
        #expect((50_000..<51_000).contains(bus.bus.held.shared - before))
        #expect(bus.bus.held.events >= 100 * 50_000)
        #expect(bus.bus.held.answers == 0)
        for view in views.prefix(50) {
            view.readOn()
            #expect(view.takeLines().joined().utf8.count > 50_000)
        }
        #expect(bus.bus.held.answers == 0)
        bus.advance(by: .seconds(3))
        #expect(bus.bus.held.events == 0)
        #expect(bus.bus.held.answers == 0)
        for view in views.suffix(50) {
            view.disconnect()
            _ = view.takeLines()
        }
        #expect(bus.bus.held.shared == 0)
    }

    @Test func `Stopped readers share a long snapshot after a gap`() {
        let views = (0..<100).map { _ in bus.connect() }
        for view in views {
            view.join("part/a")
            view.stall()
        }
        other.tell("a", times: 1)
        bus.advance(by: .seconds(3))
        for view in views { view.makeRoom(1_000) }
        #expect(bus.bus.held.shared < 2 * length)
        #expect(bus.bus.held.answers < 100 * 1_000)
        for view in views {
            view.readOn()
            #expect(view.takeLines().count == 5)
        }
    }

    @Test func `Stopped readers of many versions are refused when these take too much`() {
        bus.bus.keepSnapshots(from: 1 << 14)
        var clients: [TestConnection] = []
        var refused = 0
        for _ in 0..<200 {
            other.tell("a", times: 1)
            let client = stopped(1, #"{"op":"get","to":"part/a","id":1}"#)[0]
            clients.append(client)
            let line = client.takeLines().last
            if line?.hasPrefix(#"{"error":{"code":"overloaded""#) == true { refused += 1 }
        }
        let most = bus.bus.limits.outputTotal + 5 * length
        #expect(bus.bus.held.shared <= most)
        #expect(refused > 40)
        let small = bus.connect()
        small.send("get bench", #"{"op":"subscribe","to":"part/a","id":2}"#)
        small.expect(
            #"{"ok":{"address":"bench","cursor":"…","events":[{"parts":{"names":["a"]}}]}}"#,
            #"{"error":{"code":"overloaded","message":"more than 33554432 bytes of output are "#
                + #"unread: try again later (limit outputTotal)"},"id":2}"#)
        for client in clients {
            client.disconnect()
            _ = client.takeLines()
        }
        small.send("subscribe part/a")
        #expect(small.takeLines().count == 5)
    }
}

/// To write a long event to thousands of connections would take too long for one turn.
@Suite struct `A long event for many` {
    let bus = TestBus.lab("a")
    private let text = String(repeating: "x", count: 50_000)

    @Test func `A long event for many is written over several turns, whole and in order`() {
        bus.bus.limitFlush(to: 1 << 20)
        let views = (0..<100).map { _ in bus.connect() }
        for view in views { view.join("part/a") }
        let other = bus.connect()
        guard let slot = other.slot else { return }
        let lines = [
            #"send part/a say {"text":"before"}"#, #"send part/a say {"text":"\#(text)"}"#,
            #"send part/a say {"text":"after"}"#,
        ]
        Array(lines.map { $0 + "\n" }.joined().utf8)
            .withUnsafeBytes { bus.bus.received($0, on: slot) }
        bus.turn()
        let first = views.map { $0.takeLines() }
        #expect(first.count { $0.count == 3 } == 21)
        #expect(first.count { $0.count == 1 } == 79)
        // The bus itself is late, so it does not charge the waiting bytes to the views.
        #expect(bus.bus.held.events < 79 * 1_000)
        bus.settle()
        let expected = ["before", text, "after"].enumerated().map { number, text in
            #"{"from":"part/a","seq":\#(number + 1),"event":{"said":{"text":"\#(text)"}}}"#
        }
        let came = zip(views, first).map { $1 + $0.takeLines() }
        #expect(came.allSatisfy { $0 == expected })
    }
}
