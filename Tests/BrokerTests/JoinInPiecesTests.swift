import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// A join of many view models. A turn has room for a few of them.
@Suite struct `A join of many view models` {
    let bus = TestBus.lab()
    let other: TestConnection
    let view: TestConnection

    init() {
        other = bus.connect()
        for number in 10..<40 { other.send(#"send bench add {"part":"\#(number)"}"#) }
        view = bus.connect()
        bus.bus.limitTurns(to: 10_000)
    }

    /// Subscribes the view, and returns the first lines of the join.
    private func begin(_ line: String = "subscribe part/*") -> [String] {
        bus.queue(line, from: view)
        bus.turn()
        bus.turn()
        return view.takeLines()
    }

    private var matched: String {
        let addresses = (10..<40).map { "\"part/\($0)\"" }.joined(separator: ",")
        return #"{"ok":{"to":"part/*","matched":[\#(addresses)],"resumed":false}}"#
    }

    private func lives(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix(#"{"live"#) }.map { String($0.dropFirst(9).prefix(7)) }
    }

    @Test func `A long join takes several turns, in order, and others are served meanwhile`() {
        var came = begin()
        #expect(came.first == matched)
        #expect((1..<10).contains(lives(came).count))
        other.send("ping")
        other.expect(#"{"ok":{}}"#)
        bus.settle()
        came += view.takeLines()
        #expect(lives(came) == (10..<40).map { "part/\($0)" } + ["part/*\""])
        #expect(came.count == 1 + 30 * 4 + 1)
        #expect(came.last == #"{"live":"part/*"}"#)
    }

    @Test func `A long join is followed by the events and arrivals that happened meanwhile`() {
        let came = begin()
        bus.queue(#"send part/10 say {"text":"shown"}"#, from: other)
        bus.queue(#"send part/39 say {"text":"not yet"}"#, from: other)
        bus.queue(#"send bench add {"part":"390"}"#, from: other)
        bus.settle()
        let rest = came + view.takeLines()
        let live = rest.firstIndex(of: #"{"live":"part/*"}"#) ?? 0
        #expect(rest[live - 1] == #"{"live":"part/39","cursor":"1z14200:1","done":"1z14200:1"}"#)
        #expect(
            rest[live + 1] == #"{"from":"part/10","seq":1,"event":{"said":{"text":"shown"}}}"#)
        #expect(rest.last == #"{"live":"part/390","cursor":"1z14201:0","done":"1z14201:0"}"#)
        #expect(rest.count == live + 6)
    }

    @Test func `A view model that ends before it is shown is reported gone after the join`() {
        let came = begin()
        bus.queue(#"send bench remove {"part":"38"}"#, from: other)
        bus.queue(#"send bench remove {"part":"10"}"#, from: other)
        bus.settle()
        let rest = came + view.takeLines()
        #expect(!rest.contains { $0.hasPrefix(#"{"live":"part/38""#) })
        #expect(
            rest.suffix(3) == [
                #"{"live":"part/*"}"#, #"{"gone":"part/38"}"#, #"{"gone":"part/10"}"#,
            ])
    }

    @Test func `Events of a view model joined before become a gap until the join shows it`() {
        view.join("part/39")
        let came = begin()
        bus.queue(#"send part/39 say {"text":"one"}"#, from: other)
        bus.queue(#"send part/39 say {"text":"two"}"#, from: other)
        bus.settle()
        let rest = came + view.takeLines()
        let gap = rest.firstIndex(of: #"{"gap":"part/39","missed":2}"#) ?? 0
        #expect(rest[gap - 1].hasPrefix(#"{"live":"part/38""#))
        #expect(rest[gap + 1].hasPrefix(#"{"from":"part/39","seq":2,"snapshot":true"#))
        #expect(rest.suffix(2).first?.hasPrefix(#"{"live":"part/39""#) == true)
        bus.queue(#"send part/39 say {"text":"three"}"#, from: other)
        bus.settle()
        view.expect(#"{"from":"part/39","seq":3,"event":{"said":{"text":"three"}}}"#)
    }

    @Test func `A join is over before the next request is handled`() {
        _ = begin("subscribe part/*")
        view.send(#"{"op":"unsubscribe","to":"part/*","id":1}"#, #"{"op":"ping","id":2}"#)
        let rest = view.takeLines()
        #expect(
            rest.suffix(3) == [#"{"live":"part/*"}"#, #"{"ok":{},"id":1}"#, #"{"ok":{},"id":2}"#])
        other.send(#"send part/10 say {"text":"after"}"#)
        view.expectNothing()
    }

    @Test func `A client that does not read holds no more than a piece of a join`() {
        let length = begin().reduce(0) { $0 + $1.utf8.count + 1 }
        bus.settle()
        _ = view.takeLines()
        let stopped = (0..<20).map { _ in bus.connect() }
        for client in stopped {
            client.stall()
            client.send("subscribe part/*")
        }
        #expect(bus.bus.held.answers <= 20 * (length + 1_000))
        for client in stopped { client.readOn() }
        for client in stopped { #expect(client.takeLines().last == #"{"live":"part/*"}"#) }
        #expect(bus.bus.held.answers == 0)
        #expect(!isJoining)
    }

    /// The bytes that count towards the limit `subscriptionTotal`.
    private var subscribed: Int { bus.bus.held.allSubscriptions }

    private var isJoining: Bool { bus.bus.states.contains { $0.isJoining } }

    @Test func `A join reserves a membership for each view model until it is shown`() {
        view.join("part/39")
        let before = subscribed
        view.join("part/*")
        view.send("unsubscribe part/*")
        #expect(subscribed == before)
        _ = begin("subscribe part/*")
        let all = subscribed
        var turns = 0
        while isJoining {
            #expect(subscribed == all)
            bus.turn()
            turns += 1
        }
        #expect(turns > 1)
        // The membership of part/39 was counted already.
        #expect(subscribed == all - HeldMemory.membershipBytes)
        #expect(bus.bus.held.memberships == 30)
        view.disconnect()
        #expect(subscribed == 0)
        _ = view.takeLines()
    }

    @Test func `A join releases the reservation of a view model that ends before it is shown`() {
        view.join("part/39")
        _ = begin()
        let all = subscribed
        bus.queue(#"send bench remove {"part":"38"}"#, from: other)
        bus.queue(#"send bench remove {"part":"39"}"#, from: other)
        bus.turn()
        bus.turn()
        #expect(isJoining)
        // The end of part/39 also ends the subscription to part/39.
        let own = subscribed - (all - HeldMemory.membershipBytes)
        #expect((-500..<0).contains(own))
        bus.settle()
        #expect(subscribed == all - 3 * HeldMemory.membershipBytes + own)
        #expect(bus.bus.held.memberships == 28)
        view.disconnect()
        #expect(subscribed == 0)
        _ = view.takeLines()
    }

    @Test func `A join ends when its client vanishes or the daemon stops`() {
        _ = begin()
        let second = bus.connect()
        view.disconnect()
        bus.bus.limitTurns(to: 1)
        bus.queue("subscribe **", from: second)
        bus.turn()
        #expect(isJoining)
        bus.stop()
        #expect(
            second.takeLines().last
                == #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#)
        #expect(second.isClosed)
        #expect(!isJoining)
        _ = (view.takeLines(), other.takeLines())
    }

    @Test func `A join of a half-closed client is completed`() {
        bus.queue("subscribe part/*", from: view)
        view.endInput()
        #expect(view.takeLines().last == #"{"live":"part/*"}"#)
        #expect(!view.isClosed)
    }
}
