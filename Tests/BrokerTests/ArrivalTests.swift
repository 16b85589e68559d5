import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// View models that arrive while a view does not read.
@Suite struct `Arrivals missed by a slow view` {
    let bus = TestBus.lab("a")
    let view: TestConnection
    let other: TestConnection

    init() {
        view = bus.connect()
        other = bus.connect()
    }

    private func add(_ parts: String...) {
        for part in parts { other.send(#"send bench add {"part":"\#(part)"}"#) }
    }

    /// Adds parts, and makes the view miss their arrivals.
    private func missArrivals(_ parts: String...) {
        for part in parts { add(part) }
        bus.advance(by: .seconds(2))
    }

    private func snapshot(_ part: String, left: Int = 0, seq: Int = 0) -> [String] {
        [
            #"{"from":"part/\#(part)","seq":\#(seq),"snapshot":true,"more":true,"event":{"left":"#
                + #"{"number":\#(left)}}}"#,
            #"{"from":"part/\#(part)","seq":\#(seq),"snapshot":true,"more":true,"event":{"right":"#
                + #"{"number":0}}}"#,
            #"{"from":"part/\#(part)","seq":\#(seq),"snapshot":true,"event":{"items":{"list":[]}}}"#,
        ]
    }

    private func expect(
        _ pieces: [String]..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let came = view.takeLines().map { line in
            // Removes the cursor.
            line.hasPrefix(#"{"live":"part/"#) ? String(line.prefix { $0 != "," }) + "}" : line
        }
        #expect(came == pieces.flatMap { $0 }, sourceLocation: sourceLocation)
    }

    private func live(_ part: String) -> [String] { [#"{"live":"part/\#(part)"}"#] }

    @Test func `Missed arrivals are shown in address order, as they are when the view reads on`() {
        view.join("part/**")
        view.stall()
        missArrivals("d", "b")
        add("c")
        other.send(#"send part/b set {"left":7}"#)
        view.readOn()
        expect(
            snapshot("b", left: 7, seq: 1), live("b"), snapshot("c"), live("c"), snapshot("d"),
            live("d"))
        other.tell("d", times: 1)
        expect([#"{"from":"part/d","seq":1,"event":{"said":{"text":"xx"}}}"#])
    }

    @Test func `Missed arrivals take no memory until the view reads on`() {
        view.join("part/**")
        view.stall()
        for number in 10..<100 { missArrivals("\(number)") }
        #expect(bus.bus.held.memberships == 1)
        #expect(bus.bus.held.events == 0)
        view.readOn()
        #expect(bus.bus.held.memberships == 91)
        #expect(view.takeLines().count == 90 * 4)
        #expect(bus.bus.state(of: view.slot ?? 0)?.catchUpCount == 0)
    }

    @Test func `A missed arrival is not shown if the view unsubscribes before it reads on`() {
        view.join("part/**")
        view.stall()
        missArrivals("b")
        view.send(#"{"op":"unsubscribe","to":"part/**","id":1}"#)
        view.readOn()
        expect([#"{"ok":{},"id":1}"#])
    }

    @Test func `A missed arrival is shown by the next matching subscribe, or before its answer`() {
        view.join("part/**")
        view.stall()
        missArrivals("b", "c")
        view.send("subscribe */b")
        add("d")
        view.readOn()
        expect(
            snapshot("c"), live("c"),
            [#"{"ok":{"to":"*/b","matched":["part/b"],"resumed":false}}"#], snapshot("b"),
            live("b"), [#"{"live":"*/b"}"#], snapshot("d"), live("d"))
    }

    @Test func `A missed arrival is shown between the answers to earlier and later requests`() {
        view.join("part/**")
        view.stall()
        view.send(#"{"op":"ping","id":1}"#)
        missArrivals("b")
        view.send(#"{"op":"ping","id":2}"#)
        view.send(#"{"op":"ping","id":3}"#)
        view.readOn()
        expect(
            [#"{"ok":{},"id":1}"#], snapshot("b"), live("b"), [#"{"ok":{},"id":2}"#],
            [#"{"ok":{},"id":3}"#])
    }

    @Test func `A missed successor is shown after the gone of its predecessor`() {
        add("b")
        view.join("part/**")
        view.stall()
        missArrivals("c")
        other.send(#"send bench remove {"part":"b"}"#)
        add("b")
        view.readOn()
        expect(snapshot("c"), live("c"), [#"{"gone":"part/b"}"#], snapshot("b"), live("b"))
    }

    @Test func `Arrivals missed during a catch-up are shown after it`() {
        view.join("part/**")
        view.stall()
        missArrivals("m", "n")
        bus.bus.limitTurns(to: 1)
        view.stall(after: 10)
        bus.settle()
        missArrivals("b", "p")
        view.readOn()
        bus.bus.limitTurns(to: Cost.turn)
        bus.settle()
        let came = view.takeLines()
        let lives = came.filter { $0.hasPrefix(#"{"live"#) }.map { $0.dropFirst(14).prefix(1) }
        #expect(lives == ["m", "n", "b", "p"])
        #expect(came.count == 16)
    }
}
