import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

@Suite struct `The total of waiting events` {
    let bus: TestBus
    let other: TestConnection
    /// The bytes of the line of a text of two letters, with LF.
    let line = #"{"from":"part/a","seq":1,"event":{"said":{"text":"xx"}}}"#.utf8.count + 1

    init() {
        var limits = Limits()
        limits.outputTotal = 6 * line
        bus = TestBus.lab("a", "b", limits: limits)
        other = bus.connect()
    }

    private func slow(_ pattern: String) -> TestConnection {
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"\#(pattern)","only":["said"]}"#)
        _ = view.takeLines()
        view.stall()
        return view
    }

    @Test func `Slow views may hold as much as the limit together`() {
        let views = [slow("part/a"), slow("part/a"), slow("part/a")]
        other.tell("a", times: 2)
        for view in views {
            view.readOn()
            #expect(view.takeLines().count == 2)
        }
    }

    @Test func `Over the limit, only the events of the largest holder are dropped`() {
        let (small, large) = (slow("part/a"), slow("part/*"))
        other.tell("a", times: 2)
        other.tell("b", times: 2)
        other.tell("a", times: 1)
        large.readOn()
        large.expect(
            #"{"gap":"part/a","missed":3}"#, #"{"live":"part/a","cursor":"…:3","done":"…"}"#,
            #"{"gap":"part/b","missed":2}"#, #"{"live":"part/b","cursor":"…:2","done":"…"}"#)
        small.readOn()
        #expect(small.takeLines().count == 3)
    }

    @Test func `Dropped, written and abandoned events are no longer counted`() {
        for _ in 0..<5 {
            let views = [slow("part/a"), slow("part/a")]
            other.tell("a", times: 2)
            #expect(bus.bus.held.events == 4 * line)
            views[0].disconnect()
            #expect(bus.bus.held.events == 2 * line)
            views[1].makeRoom(line)
            #expect(bus.bus.held.events == line)
            views[1].makeRoom(1)
            // A line that has begun to be written can't be dropped.
            #expect(bus.bus.held.events == 0)
            views[1].readOn()
            #expect(views[1].takeLines().count == 2)
            views[1].disconnect()
            other.send(#"send bench remove {"part":"a"}"#, #"send bench add {"part":"a"}"#)
        }
    }

    /// Of 16 KiB or more, so that it is in memory once.
    private let long = String(repeating: "x", count: 20_000)

    @Test func `A long event counts once, however many slow views wait for it`() {
        var limits = Limits()
        limits.outputTotal = 3 * 20_100
        let bus = TestBus.lab("a", limits: limits)
        let other = bus.connect()
        let views = (0..<300).map { _ in bus.connect() }
        for view in views {
            view.join("part/a")
            view.stall()
        }
        let event = #"{"said":{"text":"\#(long)"}}"#
        for _ in 1...3 { other.send(#"send part/a say {"text":"\#(long)"}"#) }
        #expect((60_000...60_300).contains(bus.bus.held.waitingEvents))
        #expect(bus.bus.held.events == 300 * bus.bus.held.waitingEvents)
        for view in views.dropFirst(150) {
            view.readOn()
            view.expect(
                #"{"from":"part/a","seq":1,"event":\#(event)}"#,
                #"{"from":"part/a","seq":2,"event":\#(event)}"#,
                #"{"from":"part/a","seq":3,"event":\#(event)}"#)
        }
        other.send(#"send part/a say {"text":"\#(long)"}"#)
        #expect(bus.bus.held.waitingEvents == 0)
        for view in views.prefix(150) {
            view.readOn()
            #expect(view.takeLines().first == #"{"gap":"part/a","missed":4}"#)
        }
        for view in views.dropFirst(150) {
            view.expect(#"{"from":"part/a","seq":4,"event":\#(event)}"#)
        }
    }

    @Test func `Different long events count each`() {
        var limits = Limits()
        limits.outputTotal = 3 * 20_100
        let names = ["a", "b", "c", "d"]
        let bus = TestBus.lab("a", "b", "c", "d", limits: limits)
        let other = bus.connect()
        let views = names.map { name in
            let view = bus.connect()
            view.join("part/\(name)")
            view.stall()
            return view
        }
        for name in names { other.send(#"send part/\#(name) say {"text":"\#(long)"}"#) }
        #expect((60_000...60_300).contains(bus.bus.held.waitingEvents))
        for view in views { view.readOn() }
        let lines = views.map { $0.takeLines() }
        #expect(lines.count { $0.count == 1 && $0[0].hasPrefix(#"{"from":"#) } == 3)
        #expect(lines.count { $0.first?.hasPrefix(#"{"gap":"#) == true } == 1)
    }
}
