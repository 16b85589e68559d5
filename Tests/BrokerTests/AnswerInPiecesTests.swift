import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// A `subscribe` with a pattern that matches many view models. A piece of 100 bytes holds some
/// addresses of its answer.
@Suite struct `The answer to a subscribe to many view models` {
    let bus: TestBus
    let other: TestConnection
    let view: TestConnection

    init() {
        var limits = Limits()
        limits.output = 400
        bus = TestBus.lab(limits: limits)
        other = bus.connect()
        for number in 10..<40 { other.send(#"send bench add {"part":"\#(number)"}"#) }
        view = bus.connect()
    }

    /// Subscribes the view, and runs turns until its answer has begun.
    private func begin() {
        bus.queue("subscribe part/*", from: view)
        var turns = 0
        while !isBeingAnswered, turns < 10 {
            bus.turn()
            turns += 1
        }
        #expect(isBeingAnswered)
        view.expectNothing()
    }

    private var isBeingAnswered: Bool {
        view.slot.flatMap { bus.bus.state(of: $0) }?.isBeingAnswered ?? false
    }

    private func answer(_ parts: [Int]) -> String {
        let addresses = parts.map { "\"part/\($0)\"" }.joined(separator: ",")
        return #"{"ok":{"to":"part/*","matched":[\#(addresses)],"resumed":false}}"#
    }

    private func finish() -> [String] {
        bus.settle()
        return view.takeLines()
    }

    @Test func `An answer in pieces is the same line as an answer at once`() {
        other.send("subscribe part/*")
        let atOnce = other.takeLines()
        begin()
        #expect(finish() == atOnce)
        #expect(atOnce.first == answer(Array(10..<40)))
    }

    @Test func `The answer omits a view model that ends before its piece, and no gone follows`() {
        begin()
        bus.queue(#"send bench remove {"part":"39"}"#, from: other)
        let lines = finish()
        #expect(lines.first == answer(Array(10..<39)))
        #expect(!lines.contains { $0.contains("part/39") })
        #expect(lines.last == #"{"live":"part/*"}"#)
    }

    @Test func `The answer names a view model that ends after its piece, and gone follows`() {
        begin()
        bus.queue(#"send bench remove {"part":"10"}"#, from: other)
        let lines = finish()
        #expect(lines.first == answer(Array(10..<40)))
        #expect(lines.filter { $0.contains("part/10") }.dropFirst() == [#"{"gone":"part/10"}"#])
        #expect(lines.suffix(2) == [#"{"live":"part/*"}"#, #"{"gone":"part/10"}"#])
    }

    @Test func `The answer omits a view model that arrives meanwhile, and shows it after the join`()
    {
        begin()
        bus.queue(#"send bench add {"part":"15b"}"#, from: other)
        let lines = finish()
        #expect(lines.first == answer(Array(10..<40)))
        let live = lines.firstIndex(of: #"{"live":"part/*"}"#) ?? 0
        #expect(lines.count == live + 5)
        #expect(lines.suffix(4).allSatisfy { $0.contains(#""part/15b""#) })
    }

    @Test func `Events that an already joined view model emits during the answer count as missed`()
    {
        view.join("part/12")
        begin()
        bus.queue(#"send part/12 say {"text":"unheard"}"#, from: other)
        let lines = finish()
        let about = lines.dropFirst().filter { $0.contains(#""part/12""#) }
        #expect(about.first == #"{"gap":"part/12","missed":1}"#)
        #expect(about.count == 5)
        bus.queue(#"send part/12 say {"text":"heard"}"#, from: other)
        bus.settle()
        view.expect(#"{"from":"part/12","seq":2,"event":{"said":{"text":"heard"}}}"#)
    }

    @Test func `The answer is completed when the daemon stops`() {
        begin()
        bus.bus.stopTaking()
        #expect(finish() == [answer(Array(10..<40))])
    }

    @Test func `A stopping daemon rests although a catch-up waits before an answer in pieces`() {
        view.join("part/*")
        view.stall(after: 0)
        for _ in 0..<20 { other.send(#"send part/10 say {"text":"dropped"}"#) }
        other.send(#"send bench add {"part":"arrived"}"#)
        bus.queue("subscribe part/*", from: view)
        bus.turn()
        #expect(isBeingAnswered)
        bus.bus.stopTaking()
        view.readOn()
        bus.stop()
        let lines = view.takeLines()
        #expect(lines.contains { $0.hasPrefix(#"{"ok":{"to":"part/*","#) })
        #expect(lines.last == #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#)
        _ = other.takeLines()
    }

    @Test func `A repeated subscribe is accepted while subscriptions are at their limit`() {
        var limits = Limits()
        limits.subscriptionTotal = 40 * HeldMemory.membershipBytes
        let bus = TestBus.lab(limits: limits)
        let client = bus.connect()
        for number in 10..<40 { client.send(#"send bench add {"part":"\#(number)"}"#) }
        for _ in 0..<3 {
            client.send("subscribe part/*")
            #expect(client.takeLines().first == answer(Array(10..<40)))
        }
    }
}
