import BusdBroker
import BusdProtocol
import TestSupport
import Testing

@testable import BusdTestKit

@Suite struct `All subscriptions together` {
    private let bus: TestBus

    init() { bus = Self.bus(total: 1_000_000) }

    private static func bus(total: Int) -> TestBus {
        var limits = Limits()
        limits.subscriptionTotal = total
        return TestBus.lab("a", "b", limits: limits)
    }

    private var bytes: Int {
        bus.bus.held.allSubscriptions
    }

    /// A client with `count` subscriptions of about a thousand bytes each.
    private func greedy(_ count: Int, _ bus: TestBus) -> TestConnection {
        let client = bus.connect()
        let name = String(repeating: "n", count: 200)
        let segment = String(repeating: "s", count: 170)
        for number in 0..<count { client.join("x\(number)-\(segment)/* \(name)") }
        return client
    }

    @Test func `At the limit, a client with many subscriptions is refused another`() {
        let bus = Self.bus(total: 172_000)
        let (first, second) = (greedy(100, bus), greedy(30, bus))
        first.send(#"{"op":"subscribe","to":"part/*","id":1}"#)
        second.send(#"{"op":"subscribe","to":"part/*","id":1}"#)
        _ = second.takeLines()
        _ = first.takeLines()
        let small = (0..<10).map { _ in greedy(7, bus) }
        let third = bus.connect()
        first.send(#"{"op":"subscribe","to":"y/**","id":1}"#, "list part/a")
        first.expect(
            #"{"error":{"code":"overloaded","message":"all subscriptions together take more than "#
                + #"172000 bytes: unsubscribe from some (limit subscriptionTotal)"},"id":1}"#,
            #"{"ok":{"viewModels":[{"address":"part/a","kind":"part","views":2,"seq":0}]}}"#)
        // A connection with few subscriptions is exempt.
        third.send("subscribe part/a")
        third.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false}}"#,
            #"{"from":"part/a",…"left"…}"#, #"{"from":"part/a",…"right"…}"#,
            #"{"from":"part/a",…"items"…}"#, #"{"live":"part/a",…}"#)
        // There is room again when others have gone.
        second.disconnect()
        for client in small { client.disconnect() }
        first.send(#"{"op":"subscribe","to":"y/**"}"#)
        first.expect(
            #"{"ok":{"to":"y/**","matched":[],"resumed":false}}"#, #"{"live":"y/**"}"#)
    }

    @Test func `An unsubscribe releases the memory of its memberships`() {
        let client = bus.connect()
        for number in 0..<200 { client.send(#"send bench add {"part":"x\#(number)"}"#) }
        let view = bus.connect()
        view.send("subscribe nothing/*", #"{"op":"subscribe","to":"**","only":["said"]}"#)
        _ = view.takeLines()
        let slot = view.slot ?? -1
        #expect((bus.bus.state(of: slot)?.watchCapacity ?? 0) > 200)
        view.send("unsubscribe **")
        #expect((bus.bus.state(of: slot)?.watchCapacity ?? .max) < 17)
    }

    @Test func `Subscriptions are counted until their last client has gone`() {
        var random = SeededGenerator(seed: 11)
        let patterns = ["part/a", "part/*", "**", "part/b", "x/*", "bus/views"]
        for _ in 0..<20 {
            var views = (0..<5).map { _ in bus.connect() }
            for _ in 0..<60 {
                guard let view = views.randomElement(using: &random),
                    let pattern = patterns.randomElement(using: &random)
                else { continue }
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: view.send("subscribe \(pattern)")
                case 2: view.send(#"{"op":"subscribe","to":"\#(pattern)","only":["left","said"]}"#)
                case 3: view.send("unsubscribe \(pattern)")
                case 4: view.send(#"send bench remove {"part":"b"}"#)
                default: view.send(#"send bench add {"part":"b"}"#)
                }
                for view in views { _ = view.takeLines() }
            }
            let memberships = bus.bus.states.reduce(0) { $0 + $1.watchCount }
            #expect(bus.bus.held.memberships == memberships)
            while let view = views.popLast() { view.disconnect() }
            #expect(bytes == 0)
        }
    }

    @Test func `A subscription with event names that no kind has is refused, and not kept`() {
        let view = bus.connect()
        let names = (0..<4_000).map { #""n\#($0)""# }.joined(separator: ",")
        view.send(#"{"op":"subscribe","to":"part/a","only":[\#(names),"said"]}"#)
        view.expect(
            #"{"error":{"code":"unknownEvent","message":"no kind has an event `n0`","path":"only"}}"#
        )
        view.send(#"{"op":"subscribe","to":"part/*","only":["siad"]}"#)
        view.expect(
            #"{"error":{"code":"unknownEvent","message":"no kind has an event `siad`","#
                + #""path":"only","suggestions":["said"]}}"#)
        #expect(bytes == 0)
        bus.connect().send(#"send part/a say {"text":"hi"}"#)
        view.expectNothing()
    }
}
