import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `Delivery of lines` {
    private enum Talk: WireEvent {
        case said(text: String)
        case ended

        static let examples: [Self] = [.said(text: "hello"), .ended]
    }

    private let model = ModelID(slot: 0, number: 1)
    private let accounts = Account()
    private let address: Address
    private let stream: Stream
    private let outbox = Outbox()
    private let numbers = EventNumbers()
    private let names: EventNames
    private var delivery = BusdBroker.Delivery()

    init() throws {
        address = try #require(Address("echo/a"))
        names = EventNames(["said", "ended"], numbers)
        stream = Stream(address, lastSeq: 0, accounts)
        for slot in 0..<3 {
            delivery.admit(slot)
            _ = stream.addWatcher(slot)
        }
    }

    /// The view model emits a text, which is assigned to its watchers.
    private mutating func emit(_ text: String) throws {
        try outbox.append(Talk.said(text: text), names, from: model)
        while case .emitted(let event) = outbox.take() {
            let line = delivery.publish(
                event, in: outbox, nil, of: stream, at: Instant(microseconds: 0), most: 10)
            let isForAll = delivery.assign(line.number, of: model, stream)
            #expect(isForAll == stream.watchers.allSatisfy { $0.isLive })
        }
    }

    private mutating func answer(_ text: String, to slot: ConnectionSlot) {
        delivery.enqueue(Text(Array(text.utf8)), .answer, to: slot, watching: slot)
    }

    private func event(_ seq: Int, _ text: String) -> String {
        #"{"from":"echo/a","seq":\#(seq),"event":{"said":{"text":"\#(text)"}}}"# + "\n"
    }

    /// The writes of a flush in order; a socket takes `room` bytes at most.
    private mutating func flush(room: Int = .max) -> (writes: [String], outcomes: [String]) {
        var writes: [String] = []
        let outcomes = delivery.flush(beginning: 10) { slot, bytes in
            writes.append("\(slot): " + String(decoding: bytes.prefix(room), as: UTF8.self))
            return .took(min(room, bytes.count))
        }
        return (writes, outcomes.map { "\($0.slot): \($0.outcome)" })
    }

    @Test mutating func `All events of a turn are one write to each watcher`() throws {
        try emit("x")
        try emit("y")
        let all = event(1, "x") + event(2, "y")
        let (writes, outcomes) = flush()
        #expect(writes == ["0: " + all, "1: " + all, "2: " + all])
        #expect(outcomes.isEmpty)
        #expect(delivery.count == 6)
        delivery.endTurn()
        let later = flush()
        #expect(later.writes.isEmpty)
    }

    @Test mutating func `A connection with an answer is written last, in the order of its lines`()
        throws
    {
        try emit("x")
        answer("ok", to: 0)
        try emit("y")
        let (writes, _) = flush()
        let both = event(1, "x") + event(2, "y")
        #expect(
            writes == ["1: " + both, "2: " + both, "0: " + event(1, "x") + "ok\n" + event(2, "y")])
    }

    @Test mutating func `A watcher that is behind gets no events`() throws {
        try emit("x")
        delivery.noteRun()
        stream.setState(.behind, at: 1)
        try emit("y")
        let (writes, _) = flush()
        #expect(
            Set(writes) == [
                "0: " + event(1, "x") + event(2, "y"), "1: " + event(1, "x"),
                "2: " + event(1, "x") + event(2, "y"),
            ])
    }

    @Test mutating func `A connection that has stopped hearing gets only its earlier events`()
        throws
    {
        try emit("x")
        delivery.stopHearing(2)
        try emit("y")
        let (writes, _) = flush()
        #expect(writes.filter { $0.hasPrefix("2") } == ["2: " + event(1, "x")])
        #expect(!delivery.isHearing(2) && delivery.isHearing(1))
    }

    @Test mutating func `Lines that a socket does not take wait in its backlog`() throws {
        try emit("x")
        answer("ok", to: 1)
        let (_, outcomes) = flush(room: 5)
        #expect(outcomes.map { $0.prefix(1) }.sorted() == ["0", "1", "2"])
        #expect(outcomes.allSatisfy { $0.hasSuffix("left(after: 5)") })
        for slot in 0..<3 {
            let isQueued = delivery.queueTurn(of: slot, after: 5) { _ in address }
            #expect(isQueued)
        }
        delivery.endTurn()
        #expect(delivery.unreadAnswers(of: 0) == 0)
        #expect(delivery.unreadAnswers(of: 1) == 3)
        #expect(!delivery.isWritten(1))
        let waiting = delivery.backlog(of: 1).withWritable { String(decoding: $0, as: UTF8.self) }
        #expect(waiting == event(1, "x").dropFirst(5) + "ok\n")
        // Later lines wait behind the backlog.
        try emit("y")
        let later = flush()
        #expect(later.writes.isEmpty)
        #expect(later.outcomes.count == 3)
        delivery.endTurn()
    }

    @Test mutating func `A filter removes more from the last event that it passes`() throws {
        let filter = Filter(["said"], of: numbers, accounts)
        stream.setState(.filtered, at: 0)
        stream.setFilter(WatchFilter(only: filter, lastSeq: 0), at: 0)
        for event in [Talk.said(text: "x"), .ended] {
            try outbox.append(event, names, from: model)
        }
        while case .emitted(let event) = outbox.take() {
            let line = delivery.publish(
                event, in: outbox, nil, of: stream, at: Instant(microseconds: 0), most: 10)
            let later = outbox.numbersLeft(of: model)
            delivery.assign(line, event.number, before: later, of: stream)
        }
        let (writes, _) = flush()
        #expect(writes == ["0: " + event(1, "x")])
        #expect(stream.filter(at: 0)?.lastSeq == 1)
    }

    @Test mutating func `A finishing connection is reported after its last line is written`() {
        answer("bye", to: 1)
        delivery.closeAfterWriting(1)
        let (writes, outcomes) = flush()
        #expect(writes == ["1: bye\n"])
        #expect(outcomes == ["1: finished"])
    }

    @Test mutating func `A removed connection leaves nothing for the next one in its slot`() throws
    {
        answer("ok", to: 1)
        delivery.remove(1)
        delivery.admit(1)
        #expect(delivery.isWritten(1) && delivery.unreadAnswers(of: 1) == 0)
        let (writes, _) = flush()
        #expect(writes.isEmpty)
    }
}
