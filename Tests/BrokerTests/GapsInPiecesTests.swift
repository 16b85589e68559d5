import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// If many views miss events of many view models, the events are dropped, and the gaps sent, in
/// pieces.
@Suite struct `Gaps of many view models` {
    static let names = (10..<40).map { "\($0)" }

    let bus = TestBus.lab()
    let other: TestConnection

    init() {
        other = bus.connect()
        for name in Self.names { other.send(#"send bench add {"part":"\#(name)"}"#) }
    }

    private func stoppedViews(_ count: Int) -> [TestConnection] {
        let views = (0..<count).map { _ in bus.connect() }
        for view in views {
            view.join("part/*")
            view.stall()
        }
        let list = Self.names.map { "\"\($0)\"" }.joined(separator: ",")
        other.send(#"send bench tell {"parts":[\#(list)],"text":"hi"}"#)
        return views
    }

    /// A view that has got some of its gaps, and its lines so far.
    private func toldInPart() -> (view: TestConnection, came: [String]) {
        let view = stoppedViews(1)[0]
        bus.advance(by: .seconds(2))
        bus.bus.limitTurns(to: 5_000)
        bus.turn()
        view.stall(after: 1_000_000)
        bus.turn()
        return (view, view.takeLines())
    }

    private func told(_ lines: [String], _ start: String) -> [String] {
        lines.filter { $0.hasPrefix(start) }.map { line in
            String(line.dropFirst(start.utf8.count).prefix(2))
        }
    }

    @Test func `Old events are dropped when it is each view's turn, and others are served`() {
        let views = stoppedViews(20)
        bus.bus.limitTurns(to: 10_000)
        bus.bus.advance(by: .seconds(2))
        bus.turn()
        let before = bus.bus.states.count { $0.isBehind }
        #expect((1..<20).contains(before))
        other.send("ping")
        other.expect(#"{"ok":{}}"#)
        #expect(bus.bus.states.count { $0.isBehind } == 20)
        for view in views {
            view.readOn()
            let came = view.takeLines()
            #expect(told(came, #"{"gap":"part/"#) == Self.names)
            #expect(told(came, #"{"live":"part/"#) == Self.names)
            #expect(came.count == 30 * 5)
        }
    }

    @Test func `A view never gets an event that has waited for two seconds`() {
        let views = stoppedViews(20)
        bus.bus.limitTurns(to: 1)
        bus.bus.advance(by: .seconds(2))
        for view in views { view.readOn() }
        for view in views {
            let came = view.takeLines()
            #expect(told(came, #"{"gap":"part/"#) == Self.names)
            #expect(came.count == 30 * 5)
        }
    }

    @Test func `Gaps are sent over several turns, and a view model goes on once its gap is sent`() {
        let (view, first) = toldInPart()
        #expect((1..<20).contains(told(first, #"{"gap":"part/"#).count))
        #expect(first.count == 5 * told(first, #"{"gap":"part/"#).count)
        let line = Array((#"send bench tell {"parts":["10","39"],"text":"now"}"# + "\n").utf8)
        if let slot = other.slot { line.withUnsafeBytes { bus.bus.received($0, on: slot) } }
        bus.settle()
        let came = first + view.takeLines()
        #expect(told(came, #"{"gap":"part/"#) == Self.names)
        #expect(came.contains(#"{"gap":"part/39","missed":2}"#))
        #expect(came.last == #"{"from":"part/10","seq":2,"event":{"said":{"text":"now"}}}"#)
        #expect(came.count == 30 * 5 + 1)
    }

    @Test func `A view that unsubscribes meanwhile gets the remaining gaps without snapshots`() {
        let (view, first) = toldInPart()
        view.send(#"{"op":"unsubscribe","to":"part/*","id":1}"#)
        let came = first + view.takeLines()
        #expect(told(came, #"{"gap":"part/"#) == Self.names)
        #expect((1..<30).contains(told(came, #"{"live":"part/"#).count))
        #expect(came.last == #"{"ok":{},"id":1}"#)
    }
}
