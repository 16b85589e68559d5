import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

@Suite struct `A view that comes back` {
    let mark = "1z141z7"

    /// A bus; its part `a` has emitted the texts 1 to `count`.
    private func bus(said count: Int, history: Int = 1_024) -> TestBus {
        var limits = Limits()
        limits.history = history
        let bus = TestBus.lab("a", limits: limits)
        let other = bus.connect()
        for number in 1...count { other.send(#"send part/a say {"text":"\#(number)"}"#) }
        return bus
    }

    private func said(_ seq: Int) -> String {
        #"{"from":"part/a","seq":\#(seq),"event":{"said":{"text":"\#(seq)"}}}"#
    }

    @Test func `A view that resumes gets the events that it missed, and live`() {
        let bus = bus(said: 4)
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/a","since":"\#(mark):2","id":1}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":true},"id":1}"#, said(3), said(4),
            #"{"live":"part/a","cursor":"\#(mark):4","done":"\#(mark):…"}"#)
        bus.connect().send(#"send part/a say {"text":"5"}"#)
        view.expect(said(5))
    }

    @Test func `A view that has missed too many bytes gets the snapshot`() {
        var limits = Limits()
        limits.outputTotal = 320_000
        let bus = TestBus.lab("a", limits: limits)
        let other = bus.connect()
        for _ in 0..<11 { other.tell("a", times: 1, letters: 1_000) }
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/a","since":"\#(mark):2","id":1}"#)
        #expect(view.takeLines().count == 1 + 9 + 1)
        view.send(#"{"op":"subscribe","to":"part/a","since":"\#(mark):0","id":2}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false},"id":2}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"\#(mark):11","done":"\#(mark):…"}"#)
    }

    @Test func `A view that resumes gets the snapshot while others leave too much unread`() {
        var limits = Limits()
        limits.outputTotal = 160_000
        let bus = TestBus.lab("a", limits: limits)
        bus.connect().tell("a", times: 4, letters: 1_000)
        let request = #"{"op":"subscribe","to":"part/a","since":"\#(mark):0","id":1}"#
        let stopped = (0..<80).map { _ in bus.connect() }
        for view in stopped {
            view.stall()
            view.send(request)
        }
        #expect(bus.bus.held.unread < 190_000)
        var resumed = 0
        for view in stopped {
            view.readOn()
            let lines = view.takeLines()
            resumed += lines.count { $0.contains(#""resumed":true"#) }
            #expect([1 + 4 + 1, 1 + 3 + 1].contains(lines.count))
        }
        #expect((25..<45).contains(resumed))
    }

    @Test func `A view that missed nothing is live at once`() {
        let view = bus(said: 4).connect()
        view.send(#"{"op":"subscribe","to":"part/a","since":"\#(mark):4"}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":true}}"#,
            #"{"live":"part/a","cursor":"\#(mark):4","done":"\#(mark):…"}"#)
    }

    @Test func `Missed events are sent unchanged, with more and cause`() {
        let bus = TestBus.lab("a")
        let other = bus.connect()
        other.send(#"{"op":"send","to":"part/a","event":{"set":{"left":1,"right":2}},"id":"x"}"#)
        _ = other.takeLines()
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/a","since":"\#(mark):0"}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":true}}"#,
            #"{"from":"part/a","seq":1,"more":true,"cause":{"connection":2,"id":"x"},"event":"#
                + #"{"left":{"number":1}}}"#,
            #"{"from":"part/a","seq":2,"cause":{"connection":2,"id":"x"},"event":{"right":"#
                + #"{"number":2}}}"#,
            #"{"live":"part/a","cursor":"\#(mark):2","done":"\#(mark):…"}"#)
    }

    @Test(arguments: [
        ("1z141z7:5", "from the future"), ("1z141z6:2", "of another mark"), ("zz:0", "of none"),
    ])
    func `A view with an unusable cursor gets the snapshot`(cursor: String, why: String) {
        let view = bus(said: 4).connect()
        view.send(#"{"op":"subscribe","to":"part/a","only":["left"],"since":"\#(cursor)"}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false}}"#,
            #"{"from":"part/a","seq":4,"snapshot":true,"event":{"left":{"number":0}}}"#,
            #"{"live":"part/a","cursor":"\#(mark):4","done":"\#(mark):…"}"#)
    }

    @Test(arguments: [1, 2, 3, 6, 7, 9, 30])
    func `A view resumes only within the kept history`(count: Int) {
        let bus = bus(said: count, history: 3)
        for since in 0...count {
            let view = bus.connect()
            view.send(
                #"{"op":"subscribe","to":"part/a","only":["said"],"since":"\#(mark):\#(since)"}"#)
            let isKept = since >= count - 3
            let lines = view.takeLines()
            #expect(
                lines.first == #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":\#(isKept)}}"#)
            let missed = since < count ? ((since + 1)...count).map(said) : []
            #expect(Array(lines.dropFirst().dropLast()) == (isKept ? missed : []))
            let live = #"{"live":"part/a","cursor":"\#(mark):\#(count)","done":"\#(mark):"#
            #expect(lines.last?.hasPrefix(live) == true)
        }
    }

    @Test func `The last 1024 events are kept for views that resume`() {
        let bus = bus(said: 1_100)
        for (since, isKept) in [(75, false), (76, true)] {
            let view = bus.connect()
            view.send(#"{"op":"subscribe","to":"part/a","only":[],"since":"\#(mark):\#(since)"}"#)
            view.expect(
                #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":\#(isKept)}}"#,
                #"{"live":"part/a","cursor":"\#(mark):1100","done":"\#(mark):…"}"#)
        }
    }

    @Test func `A cursor of an earlier view model at the address gets the snapshot`() {
        let bus = bus(said: 2)
        bus.connect().send(#"send bench remove {"part":"a"}"#, #"send bench add {"part":"a"}"#)
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/a","only":[],"since":"\#(mark):0"}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false}}"#,
            #"{"live":"part/a","cursor":"1z141z8:0","done":"1z141z8:0"}"#)
    }

    @Test(arguments: [
        #""to":"part/*","since":"m:0""#, #""to":"**","since":"m:0""#, #""to":"part/a","since":"m""#,
        #""to":"part/a","since":4"#, #""to":"part/a","since":null"#, #""to":"part/a","since":":1""#,
    ])
    func `A since needs a cursor and the address of one view model`(members: String) {
        let view = bus(said: 1).connect()
        view.send(#"{"op":"subscribe",\#(members),"id":1}"#)
        view.expect(#"{"error":{"code":"badRequest","message":"…"},"id":1}"#)
        view.send("unsubscribe part/a")
        view.expect(
            #"{"error":{"code":"badRequest","message":"this connection has no subscription to part/a"}}"#
        )
    }

    @Test func `A view that is already subscribed may resume from an earlier cursor`() {
        let bus = bus(said: 3)
        let view = bus.connect()
        view.join("part/a")
        view.send(#"{"op":"subscribe","to":"part/a","since":"\#(mark):1"}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":true}}"#, said(2), said(3),
            #"{"live":"part/a","cursor":"\#(mark):3","done":"\#(mark):…"}"#)
    }
}
