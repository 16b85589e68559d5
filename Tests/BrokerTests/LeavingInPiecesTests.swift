import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// An `unsubscribe` from a pattern that matches many view models. A turn has room for some of them.
@Suite struct `Leaving many view models` {
    let bus = TestBus.lab()
    let other: TestConnection
    let view: TestConnection

    init() {
        other = bus.connect()
        for number in 10..<40 { other.send(#"send bench add {"part":"\#(number)"}"#) }
        view = bus.connect()
        view.join("bench")
        view.join("part/*")
        bus.bus.limitTurns(to: 400)
    }

    private func isLeaving(_ client: TestConnection) -> Bool {
        client.slot.flatMap { bus.bus.state(of: $0) }?.isLeaving ?? false
    }

    /// Gives lines of the view to the bus, and runs turns until it has left some view models.
    private func begin(_ lines: String..., left: Range<Int> = 1..<29) {
        for line in lines { bus.queue(line, from: view) }
        for _ in 0..<3 { bus.turn() }
        #expect(isLeaving(view))
        #expect(left.contains(31 - bus.bus.held.memberships))
        view.expectNothing()
    }

    private let leave = #"{"op":"unsubscribe","to":"part/*","id":1}"#
    private let left = #"{"ok":{},"id":1}"#

    /// Makes a part emit a text when the next turn runs.
    private func say(_ part: Int, _ text: String) {
        bus.queue(#"send part/\#(part) say {"text":"\#(text)"}"#, from: other)
    }

    private func said(_ part: Int, _ text: String, seq: Int = 1) -> String {
        #"{"from":"part/\#(part)","seq":\#(seq),"event":{"said":{"text":"\#(text)"}}}"#
    }

    /// The parts that the view watches: makes each part emit, and reads the events of the view.
    private func heard() -> [Int] {
        for number in 10..<40 { other.send(#"send part/\#(number) say {"text":"heard"}"#) }
        _ = other.takeLines()
        return view.takeLines().compactMap { line in
            guard line.contains(#""said":{"text":"heard"}"#) else {
                Issue.record("\(line) came")
                return nil
            }
            return Int(line.dropFirst(#"{"from":"part/"#.count).prefix(2))
        }
    }

    // MARK: Progress

    @Test func `A long unsubscribe takes several turns, and others are served meanwhile`() {
        bus.queue(leave, from: view)
        var turns = 0
        repeat {
            bus.turn()
            turns += 1
            bus.queue(#"{"op":"ping","id":\#(turns)}"#, from: other)
            bus.turn()
            other.expect(#"{"ok":{},"id":\#(turns)}"#)
        } while isLeaving(view)
        #expect(turns > 1)
        bus.settle()
        view.expect(left)
        #expect(bus.bus.held.memberships == 1)
        #expect(heard() == [])
    }

    @Test func `An unsubscribe that fits a turn is done at once`() {
        bus.bus.limitTurns(to: Cost.turn)
        bus.queue("unsubscribe part/*", "ping", from: view)
        bus.turn()
        view.expect(#"{"ok":{}}"#)
        #expect(heard() == [])
    }

    @Test func `A view gets events of view models that it has not left yet`() {
        begin(leave)
        say(10, "left")
        say(39, "not yet")
        for _ in 0..<2 { bus.turn() }
        view.expect(said(39, "not yet"))
        #expect(isLeaving(view))
        bus.settle()
        view.expect(left)
        #expect(heard() == [])
    }

    @Test func `A view keeps the events that its other subscriptions want`() {
        view.join("part/12")
        view.send(#"{"op":"subscribe","to":"*/38","only":["left"]}"#)
        view.send(#"{"op":"subscribe","to":"part/38","only":["right"]}"#)
        _ = view.takeLines()
        begin(leave)
        bus.settle()
        view.expect(left)
        #expect(heard() == [12])
        other.send(#"send part/38 set {"left":1,"right":2}"#)
        view.expect(
            #"{"from":"part/38","seq":2,"more":true,"event":{"left":{"number":1}}}"#,
            #"{"from":"part/38","seq":3,"event":{"right":{"number":2}}}"#)
        #expect(bus.bus.held.memberships == 3)
    }

    @Test func `The next requests wait for the unsubscribe, and may subscribe again`() {
        begin(leave, "subscribe part/11", #"{"op":"ping","id":2}"#)
        bus.settle()
        view.expect(
            left, #"{"ok":{"to":"part/11","matched":["part/11"],"resumed":false}}"#,
            #"{"from":"part/11",…"left"…}"#, #"{"from":"part/11",…"right"…}"#,
            #"{"from":"part/11",…"items"…}"#, #"{"live":"part/11",…}"#, #"{"ok":{},"id":2}"#)
        #expect(heard() == [11])
    }

    @Test func `A second unsubscribe, or one without a subscription, is refused`() {
        begin(leave, leave, "unsubscribe part/39")
        bus.settle()
        let message = #""message":"this connection has no subscription to part/"#
        view.expect(
            left, #"{"error":{"code":"badRequest",\#(message)*"},"id":1}"#,
            #"{"error":{"code":"badRequest",\#(message)39"}}"#)
    }

    // MARK: Closing

    /// Adds more parts than a connection leaves in one piece.
    private func addParts() {
        for number in 100..<400 { other.send(#"send bench add {"part":"\#(number)"}"#) }
        _ = view.takeLines()
    }

    @Test func `A closed connection leaves its view models in pieces`() throws {
        addParts()
        let third = bus.connect()
        third.join("part/39")
        let slot = try #require(view.slot)
        bus.bus.vanished(slot)
        #expect((2..<331).contains(bus.bus.held.memberships))
        say(39, "hello")
        bus.settle()
        third.expect(said(39, "hello"))
        #expect(bus.bus.held.memberships == 1)
        #expect(bus.connect().slot == slot)
    }

    @Test func `A connection that gets bye leaves its view models in pieces`() {
        addParts()
        for _ in 0..<3 { bus.queue("x", from: view) }
        while bus.bus.held.memberships == 331, !view.isClosed { bus.turn() }
        #expect((1..<331).contains(bus.bus.held.memberships))
        for number in 10..<40 { say(number, "unheard") }
        bus.settle()
        let lines = view.takeLines()
        #expect(lines.map { $0.prefix(7) } == [#"{"error"#, #"{"error"#, #"{"error"#, #"{"bye":"#])
        #expect(bus.bus.held.memberships == 0)
    }

    @Test func `An unsubscribe from one address needs no pieces`() {
        view.join("part/39")
        view.send("unsubscribe part/*")
        bus.bus.limitTurns(to: 1)
        bus.queue("unsubscribe part/39", from: view)
        bus.turn()
        #expect(bus.bus.held.memberships == 1)
        #expect(heard() == [])
    }

    @Test func `Several connections leave their view models alternately`() {
        let second = bus.connect()
        second.join("bench")
        second.join("part/*")
        bus.queue(leave, from: view)
        bus.queue(leave, from: second)
        for _ in 0..<4 { bus.turn() }
        #expect(isLeaving(view) && isLeaving(second))
        let (first, others) = (rest(of: view), rest(of: second))
        #expect(abs(first - others) <= 6)
        bus.settle()
        view.expect(left)
        second.expect(left)
        #expect(bus.bus.held.memberships == 2)
    }

    /// The number of view models that a connection watches.
    private func rest(of client: TestConnection) -> Int {
        client.slot.flatMap { bus.bus.state(of: $0) }?.watchCount ?? 0
    }

    // MARK: Meanwhile

    @Test func `A pattern that is being left joins no arrivals, and reports ends of the rest`() {
        begin(leave)
        for part in ["38", "10"] {
            bus.queue(#"send bench remove {"part":"\#(part)"}"#, from: other)
        }
        for part in ["38", "390"] { bus.queue(#"send bench add {"part":"\#(part)"}"#, from: other) }
        bus.settle()
        #expect(
            view.takeLines().filter { !$0.contains(#""from":"bench""#) } == [
                #"{"gone":"part/38"}"#, left,
            ])
        #expect(heard() == [])
        #expect(bus.bus.held.memberships == 1)
    }

    @Test func `An arrival during an unsubscribe is joined if another pattern matches it`() {
        view.send(#"{"op":"subscribe","to":"*/390","only":["left"]}"#)
        view.expect(
            #"{"ok":{"to":"*/390","matched":[],"resumed":false}}"#, #"{"live":"*/390"}"#)
        begin(leave)
        bus.queue(#"send bench add {"part":"390"}"#, from: other)
        bus.settle()
        let lines = view.takeLines().filter { !$0.contains(#""from":"bench""#) }
        #expect(lines.count == 3)
        #expect(lines.contains(left))
        #expect(lines.contains { $0.hasPrefix(#"{"live":"part/390""#) })
        #expect(bus.bus.held.memberships == 2)
    }

    @Test func `An unsubscribe is completed if the last other subscription ends meanwhile`() {
        view.send("unsubscribe bench")
        view.join("part/10")
        begin(leave, left: 2..<30)
        bus.queue("send part/10 end", from: other)
        bus.turn()
        #expect(view.takeLines() == [#"{"gone":"part/10"}"#])
        #expect(isLeaving(view))
        bus.settle()
        view.expect(left)
        #expect(bus.bus.held.memberships == 0)
        #expect(bus.bus.held.subscriptions == 0)
    }

    @Test(arguments: [false, true])
    func `An unsubscribe ends when its client vanishes`(isTheLast: Bool) {
        if isTheLast {
            view.send("unsubscribe bench")
            view.join("part/10")
        }
        begin(leave, left: 1..<30)
        if isTheLast {
            bus.queue("send part/10 end", from: other)
            bus.turn()
            view.expect(#"{"gone":"part/10"}"#)
        }
        #expect(isLeaving(view))
        view.disconnect()
        #expect(bus.bus.held.memberships == 0)
        #expect(bus.bus.held.subscriptions == 0)
        // The next connection has the same slot, and nothing to leave.
        let next = bus.connect()
        #expect(next.slot == view.slot)
        next.join("part/*")
        next.send(#"{"op":"ping","id":3}"#)
        next.expect(#"{"ok":{},"id":3}"#)
        #expect(bus.bus.held.memberships == (isTheLast ? 29 : 30))
    }

    @Test func `An unsubscribe is cut off when the daemon stops`() {
        begin(leave)
        bus.bus.stopTaking()
        bus.settle()
        #expect(isLeaving(view))
        view.expectNothing()
        bus.stop()
        let bye = #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#
        view.expect(bye)
        other.expect(bye)
        #expect(view.isClosed)
        #expect(bus.bus.held.memberships == 0)
        #expect(bus.bus.held.subscriptions == 0)
    }

    @Test(arguments: [false, true])
    func `A half-closed client is answered, and closed without a subscription`(isTheLast: Bool) {
        if isTheLast {
            view.send("unsubscribe bench")
            view.join("part/10")
        }
        begin(leave, left: 1..<30)
        if isTheLast { bus.queue("send part/10 end", from: other) }
        view.endInput()
        view.expect(isTheLast ? [#"{"gone":"part/10"}"#, left] : [left])
        #expect(view.isClosed == isTheLast)
    }

    @Test func `The answer to an unsubscribe waits for a client that does not read`() {
        view.stall()
        begin(leave)
        say(39, "unread")
        bus.settle()
        #expect(!isLeaving(view))
        view.expectNothing()
        view.readOn()
        view.expect(said(39, "unread"), left)
        #expect(heard() == [])
    }

    @Test func `An unsubscribe reports missed events as a gap without a snapshot`() {
        view.stall()
        say(39, "missed")
        bus.settle()
        bus.advance(by: .seconds(3))
        begin(leave)
        bus.settle()
        view.readOn()
        view.expect(#"{"gap":"part/39","missed":1}"#, left)
    }
}

extension TestConnection {
    fileprivate func expect(_ lines: [String]) { #expect(takeLines() == lines) }
}
