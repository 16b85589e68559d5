import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// An answer is between the events of a turn only for the connection that gets it.
@Suite struct `Answers between events` {
    let bus = TestBus.lab("a", "b")
    let views: [TestConnection]
    let slots: [ConnectionSlot]

    init() {
        views = (0..<4).map { [bus] _ in bus.connect() }
        slots = views.compactMap(\.slot)
        for view in views.dropLast() { view.join("part/a") }
    }

    /// One write to a socket.
    private struct Write: Equatable {
        let slot: ConnectionSlot
        let text: String
    }

    private func handle(_ lines: [String], from slot: ConnectionSlot) {
        let text = lines.map { $0 + "\n" }.joined()
        Array(text.utf8).withUnsafeBytes { bus.bus.received($0, on: slot) }
        bus.bus.work()
    }

    private func flush(_ outcome: (ConnectionSlot) -> WriteOutcome? = { _ in nil }) -> [Write] {
        var writes: [Write] = []
        bus.bus.flush { slot, bytes in
            writes.append(Write(slot: slot, text: String(decoding: bytes, as: UTF8.self)))
            return outcome(slot) ?? .took(bytes.count)
        }
        return writes
    }

    private func say(_ id: Int, to part: String = "a") -> String {
        #"{"op":"send","to":"part/\#(part)","event":{"say":{"text":"x"}},"id":\#(id)}"#
    }

    private func event(_ seq: Int, id: Int, of part: String = "a", from slot: ConnectionSlot)
        -> String
    {
        let number = bus.bus.state(of: slot)?.number ?? 0
        let cause = #"{"connection":\#(number),"id":\#(id)}"#
        return #"{"from":"part/\#(part)","seq":\#(seq),"cause":\#(cause),"#
            + #""event":{"said":{"text":"x"}}}"# + "\n"
    }

    private func answer(_ seq: Int, id: Int) -> String {
        #"{"ok":{"seq":[\#(seq),\#(seq)],"changed":true},"id":\#(id)}"# + "\n"
    }

    @Test func `Answers do not split the events that other connections get in one write`() {
        handle([say(1), say(2), say(3)], from: slots[3])

        let events = (1...3).map { event($0, id: $0, from: slots[3]) }.joined()
        let answers = (1...3).map { answer($0, id: $0) }.joined()
        #expect(
            flush()
                == slots.dropLast().map { Write(slot: $0, text: events) }
                + [Write(slot: slots[3], text: answers)])
    }

    @Test func `A sender that is subscribed gets each answer right after its own event`() {
        handle([say(1), say(2)], from: slots[1])
        handle([say(3)], from: slots[2])

        let events = [
            event(1, id: 1, from: slots[1]), event(2, id: 2, from: slots[1]),
            event(3, id: 3, from: slots[2]),
        ]
        let expected = [
            Write(slot: slots[0], text: events.joined()),
            Write(
                slot: slots[1],
                text: events[0] + answer(1, id: 1) + events[1] + answer(2, id: 2) + events[2]),
            Write(slot: slots[2], text: events.joined() + answer(3, id: 3)),
        ]
        #expect(flush() == expected)
        #expect(flush() == [])
    }

    @Test func `Answers and events stay in order wherever a write stops`() {
        var seq = 0
        for taken in 0..<500 {
            handle([say(1), say(2)], from: slots[1])
            let first = event(seq + 1, id: 1, from: slots[1]) + answer(seq + 1, id: 1)
            let all = first + event(seq + 2, id: 2, from: slots[1]) + answer(seq + 2, id: 2)
            guard taken < all.utf8.count else {
                #expect(taken > 200)
                break
            }
            let writes = flush { $0 == slots[1] ? .took(taken) : nil }
            #expect(writes.last == Write(slot: slots[1], text: all))
            #expect(bus.bus.takeEffects() == [.awaitWritable(slots[1])])
            var rest = ""
            bus.bus.writable(slots[1]) { _, bytes in
                rest += String(decoding: bytes, as: UTF8.self)
                return .took(bytes.count)
            }
            #expect(rest == all.dropFirst(taken))
            seq += 2
        }
        #expect(flush().count == 3)
    }

    @Test func `Connections with answers are written last`() {
        views[0].join("part/b")
        handle([say(1), say(2, to: "b"), say(3)], from: slots[3])
        let writes = flush()
        #expect(Set(writes.dropLast().map(\.slot)) == Set(slots.dropLast()))
        #expect(
            writes.last
                == Write(
                    slot: slots[3], text: answer(1, id: 1) + answer(1, id: 2) + answer(2, id: 3)))
    }

    @Test func `A sender that subscribes between two sends gets the event of the second only`() {
        handle([say(1), #"{"op":"subscribe","to":"part/a"}"#, say(2)], from: slots[3])
        let events = event(1, id: 1, from: slots[3]) + event(2, id: 2, from: slots[3])
        let writes = flush()
        #expect(writes.dropLast() == slots.dropLast().map { Write(slot: $0, text: events) }[...])
        let own = writes.last?.text ?? ""
        #expect(own.hasPrefix(answer(1, id: 1)))
        #expect(own.hasSuffix(event(2, id: 2, from: slots[3]) + answer(2, id: 2)))
        #expect(!own.contains(event(1, id: 1, from: slots[3])))
    }
}
