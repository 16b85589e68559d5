import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// The events that one view model emits in a turn, and their writes to three watchers.
@Suite struct `The events of a turn` {
    let bus = TestBus.lab("a")
    let views: [TestConnection]
    let slots: [ConnectionSlot]

    init() {
        views = [bus.connect(), bus.connect(), bus.connect()]
        slots = views.compactMap(\.slot)
        for view in views { view.join("part/a") }
    }

    private let event = #"{"from":"part/a","seq":1,"event":{"said":{"text":"x"}}}"# + "\n"

    /// Handles lines, and returns the writes to each socket in order. `second` is the outcome of a
    /// write to the second socket; the other sockets take everything.
    private func flush(
        _ lines: String, from slot: ConnectionSlot, second outcome: WriteOutcome? = nil
    ) -> [ConnectionSlot: [String]] {
        var offered: [ConnectionSlot: [String]] = [:]
        Array(lines.utf8).withUnsafeBytes { bus.bus.received($0, on: slot) }
        bus.bus.work()
        bus.bus.flush { slot, bytes in
            offered[slot, default: []].append(String(decoding: bytes, as: UTF8.self))
            let taken = slot == slots[1] ? outcome : nil
            return taken ?? .took(bytes.count)
        }
        return offered
    }

    private let say = #"send part/a say {"text":"x"}"# + "\n"

    @Test func `A run of events is one write per watcher, after earlier lines of the turn`() {
        let offered = flush("ping\n" + say, from: slots[0])
        #expect(
            offered
                == [
                    slots[0]: [#"{"ok":{}}"# + "\n" + event], slots[1]: [event], slots[2]: [event],
                ])
    }

    @Test func `A run of events precedes later answers of the turn`() {
        let offered = flush(say + "ping\n", from: slots[0])
        #expect(
            offered
                == [
                    slots[0]: [event + #"{"ok":{}}"# + "\n"], slots[1]: [event], slots[2]: [event],
                ])
    }

    @Test(arguments: [0, 1, 20])
    func `The part of a run that a socket does not take waits`(taken: Int) {
        let offered = flush(say, from: slots[0], second: .took(taken))
        #expect(offered == [slots[0]: [event], slots[1]: [event], slots[2]: [event]])
        #expect(bus.bus.takeEffects() == [.awaitWritable(slots[1])])
        // Later events wait behind the rest.
        let next = flush(say, from: slots[0])
        #expect(next.keys.sorted() == [slots[0], slots[2]])
        bus.bus.writable(slots[1]) { _, bytes in
            let second = event.replacing("1", with: "2")
            #expect(String(decoding: bytes, as: UTF8.self) == event.dropFirst(taken) + second)
            return .took(bytes.count)
        }
        #expect(flush("", from: slots[0]) == [:])
        #expect(bus.bus.takeEffects() == [])
    }

    @Test func `A failed write to one watcher does not affect the others`() {
        let offered = flush(say, from: slots[0], second: .failed)
        #expect(offered == [slots[0]: [event], slots[1]: [event], slots[2]: [event]])
        #expect(bus.bus.takeEffects() == [.close(slots[1])])
        #expect(flush(say, from: slots[0]).keys.sorted() == [slots[0], slots[2]])
    }
}
