import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// All clients share some totals. Clients of the view socket may use half of each.
@Suite struct `Clients of the view socket` {
    private func bus(_ change: (inout Limits) -> Void) -> TestBus {
        var limits = Limits()
        change(&limits)
        return TestBus.lab("a", "b", limits: limits)
    }

    private static let segment = String(repeating: "s", count: 170)

    /// Subscribes until the client is refused. Each subscription takes about a thousand bytes.
    private func subscribeAll(_ client: TestConnection) -> Int {
        var count = 0
        while count < 256 {
            client.send("subscribe x\(count)-\(Self.segment)/* name")
            guard client.takeLines().first?.hasPrefix(#"{"ok""#) == true else { return count }
            count += 1
        }
        return count
    }

    @Test func `View clients leave half of the memory for subscriptions to control clients`() {
        let bus = bus { $0.subscriptionTotal = 100_000 }
        let views = (0..<20).map { _ in bus.connect(throughViewSocket: true) }
        var counts = views.map(subscribeAll)
        #expect(bus.bus.held.subscriptions > 50_000)
        // A client may always have a few subscriptions.
        #expect(counts.removeFirst() > 50)
        #expect(counts.allSatisfy { (1...10).contains($0) })
        #expect(bus.bus.held.subscriptions > 100_000)
        for view in views.dropFirst() { view.disconnect() }
        #expect(subscribeAll(bus.connect()) > 10)
    }

    @Test func `View clients lose events first when all together hold too much`() {
        let line = #"{"from":"part/a","seq":1,"event":{"said":{"text":"xx"}}}"#.utf8.count + 1
        let bus = bus { $0.outputTotal = 6 * line }
        func slow(throughViewSocket: Bool, _ part: String) -> TestConnection {
            let client = bus.connect(throughViewSocket: throughViewSocket)
            client.send(#"{"op":"subscribe","to":"part/\#(part)","only":["said"]}"#)
            _ = client.takeLines()
            client.stall()
            return client
        }
        let view = slow(throughViewSocket: true, "a")
        let control = slow(throughViewSocket: false, "b")
        let other = bus.connect()
        for _ in 0..<2 { other.send(#"send part/a say {"text":"xx"}"#) }
        for _ in 0..<5 { other.send(#"send part/b say {"text":"xx"}"#) }
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":2}"#, #"{"live":"part/a","cursor":"…:2","done":"…"}"#)
        control.readOn()
        #expect(control.takeLines().count == 5)
    }

    @Test func `View clients lose their unfinished lines before control clients`() {
        let bus = bus { $0.inputTotal = 100_000 }
        func begun(_ bytes: Int, throughViewSocket: Bool) -> TestConnection {
            let client = bus.connect(throughViewSocket: throughViewSocket)
            client.send(bytes: [UInt8](repeating: UInt8(ascii: "#"), count: bytes))
            return client
        }
        let control = begun(60_000, throughViewSocket: false)
        let view = begun(30_000, throughViewSocket: true)
        let last = begun(20_000, throughViewSocket: false)
        #expect(view.takeLines().first?.contains("limit inputTotal") == true)
        for client in [control, last] {
            client.send("", "ping")
            client.expect(#"{"ok":{}}"#)
        }
    }

    @Test func `View clients are refused a long snapshot at half of the limit for unread output`() {
        let bus = bus { $0.outputTotal = 30_000 }
        let item = String(repeating: "x", count: 20_000)
        let (other, silent) = (bus.connect(), bus.connect())
        other.send(#"send part/a append {"item":"\#(item)"}"#, "get part/a")
        _ = other.takeLines()
        bus.advance(by: .seconds(3))
        silent.stall()
        let ping = #"{"op":"ping","id":"\#(String(repeating: "x", count: 50))"}"#
        silent.send(bytes: Array((0..<280).map { _ in ping + "\n" }.joined().utf8))
        #expect((15_001..<30_000).contains(bus.bus.held.unread))
        let view = bus.connect(throughViewSocket: true)
        view.send("get part/a")
        view.expect(
            #"{"error":{"code":"overloaded","message":"more than 15000 bytes of output are "#
                + #"unread: try again later (limit outputTotal)"}}"#)
        other.send("get part/a")
        other.expect(#"{"ok":{"address":"part/a",…}}"#)
    }

    @Test func `Missed events of view clients fill at most half of the unread output`() {
        let bus = bus { $0.outputTotal = 160_000 }
        bus.connect().tell("a", times: 4, letters: 1_000)
        let request = #"{"op":"subscribe","to":"part/a","since":"1z141z7:0","id":1}"#
        let views = (0..<40).map { _ in bus.connect(throughViewSocket: true) }
        for view in views {
            view.stall()
            view.send(request)
        }
        // Each view that can't resume holds a short snapshot.
        #expect((70_000..<110_000).contains(bus.bus.held.unread))
        let control = bus.connect()
        control.send(request)
        #expect(control.takeLines().first?.contains(#""resumed":true"#) == true)
        for view in views {
            view.readOn()
            _ = view.takeLines()
        }
    }

    @Test func `A refused view client gets the limit of its socket`() {
        let bus = bus { $0.subscriptionTotal = 100_000 }
        let views = (0..<2).map { _ in bus.connect(throughViewSocket: true) }
        for view in views { _ = subscribeAll(view) }
        views[1].send("subscribe y-\(Self.segment)/* name")
        views[1].expect(
            #"{"error":{"code":"overloaded","message":"all subscriptions together take more than "#
                + #"50000 bytes: unsubscribe from some (limit subscriptionTotal)"}}"#)
    }

    @Test func `The combined filter of a view client is not charged to control clients`() {
        let bus = bus { _ in }
        let view = bus.connect(throughViewSocket: true)
        view.send(#"{"op":"subscribe","to":"part/*","only":["said"]}"#)
        view.send(#"{"op":"subscribe","to":"*/c","only":["left"]}"#)
        _ = view.takeLines()
        let control = bus.bus.held.controlSubscriptions
        bus.connect().send(#"send bench add {"part":"c"}"#)
        #expect(bus.bus.held.controlSubscriptions == control)
        _ = view.takeLines()
    }

    @Test func `View clients fill at most half of the list of views`() {
        let bus = bus { _ in }
        let name = String(repeating: #"\u0001"#, count: 200)
        let views = (0..<4).map { _ in bus.connect(throughViewSocket: true) }
        for view in views {
            for number in 0..<256 {
                view.send(#"{"op":"subscribe","to":"x\#(number)/*","as":"\#(name)"}"#)
            }
            _ = view.takeLines()
        }
        let client = bus.connect()
        client.join("part/a")
        client.send("get bus/views")
        let line = client.takeLines().first ?? ""
        #expect(line.contains(#""to":"part/a","access":"control""#))
        #expect((200_000..<270_000).contains(line.utf8.count))
    }

    @Test func `All view clients together are served like one control client`() {
        let bus = bus { _ in }
        let views = (0..<64).map { _ in bus.connect(throughViewSocket: true) }
        let control = bus.connect()
        bus.bus.limitTurns(to: 10_000)
        let lines = Array(String(repeating: "ping\n", count: 2_000).utf8)
        for client in views + [control] {
            lines.withUnsafeBytes { bus.bus.received($0, on: client.slot ?? -1) }
        }
        var answered = 0
        while answered < 1_000 {
            bus.turn()
            answered += control.takeLines().count
        }
        let others = views.reduce(0) { $0 + $1.takeLines().count }
        // Each client begins with a credit of about a thousand requests.
        #expect(others < 64 * 1_100 + 2_000)
        bus.settle()
        #expect(control.takeLines().count + answered == 2_000)
        for view in views { _ = view.takeLines() }
    }
}

@Suite struct `A long snapshot in a gap` {
    private let bus: TestBus
    private let other: TestConnection

    init() {
        var limits = Limits()
        limits.outputTotal = 30_000
        limits.output = 10_000
        bus = TestBus.lab("a", limits: limits)
        other = bus.connect()
        append()
    }

    private func append() {
        let item = String(repeating: "x", count: 20_000)
        other.send(#"send part/a append {"item":"\#(item)"}"#)
    }

    /// A view that does not read, and an event that waits for it.
    private func behind() -> TestConnection {
        let view = bus.connect()
        // The snapshot that was shown to the previous view is no longer kept.
        bus.advance(by: .seconds(3))
        view.join("part/a")
        view.stall()
        append()
        return view
    }

    @Test func `A long snapshot comes as soon as there is room, also if the clock stands still`() {
        let view = behind()
        bus.advance(by: .seconds(3))
        let ping = #"{"op":"ping","id":"\#(String(repeating: "x", count: 50))"}"# + "\n"
        let silent = (0..<5).map { _ in bus.connect() }
        for client in silent {
            client.stall()
            client.send(bytes: Array(String(repeating: ping, count: 200).utf8))
        }
        #expect(bus.bus.held.unread > 30_000)
        view.readOn()
        #expect(view.takeLines().isEmpty)
        for client in silent {
            client.readOn()
            #expect(client.takeLines().count == 200)
        }
        let lines = view.takeLines()
        #expect(lines.first?.hasPrefix(#"{"gap":"part/a""#) == true)
        #expect(lines.last?.hasPrefix(#"{"live":"part/a""#) == true)
    }

    @Test func `A long snapshot waits while too much is unread, and comes when there is room`() {
        let views = (0..<8).map { _ in behind() }
        for view in views {
            view.makeRoom(10)
            // Each view would hold a version of its own.
            append()
        }
        #expect(bus.bus.held.unread < 30_000 + 400_000)
        let held = bus.bus.held.unread
        for _ in 0..<8 {
            append()
            bus.advance(by: .seconds(1))
        }
        #expect(bus.bus.held.unread <= held + 400_000)
        for view in views { view.readOn() }
        // Each snapshot is kept for 2 s, and counts until then.
        for _ in views { bus.advance(by: .seconds(3)) }
        for view in views {
            let lines = view.takeLines()
            #expect(lines.contains { $0.hasPrefix(#"{"gap":"part/a""#) })
            #expect(lines.last?.hasPrefix(#"{"live":"part/a""#) == true)
        }
        #expect(bus.bus.held.unread < 30_000)
    }
}
