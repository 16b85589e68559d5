import BusdBroker
import BusdProtocol
@testable import BusdTestKit
import Testing

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
}
