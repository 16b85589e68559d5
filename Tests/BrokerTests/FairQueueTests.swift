@testable import BusdBroker
import BusdProtocol
import Testing

@Suite struct `A fair queue` {
    private static let credit = FairQueue.credit

    /// Serves who is next, at a cost, and queues it again.
    private func serve(_ queue: inout FairQueue, cost: Int) -> ConnectionSlot? {
        guard let (slot, start) = queue.pop() else { return nil }
        queue.push(slot, notBefore: start + cost)
        return slot
    }

    @Test func `serves those who cost the same in the order in which they came`() {
        var queue = FairQueue()
        for slot in [3, 1, 2] { queue.push(slot, notBefore: 0) }
        let served = (0..<6).map { _ in serve(&queue, cost: Self.credit) }
        #expect(served == [3, 1, 2, 3, 1, 2])
    }

    @Test func `serves who costs half as much twice as often`() {
        var queue = FairQueue()
        for slot in [1, 2] { queue.push(slot, notBefore: 0) }
        var count = 0
        for _ in 0..<300 {
            guard let (slot, start) = queue.pop() else { continue }
            count += slot == 1 ? 1 : 0
            queue.push(slot, notBefore: start + (slot == 1 ? 1 : 2) * Self.credit)
        }
        #expect((198...202).contains(count))
    }

    @Test func `lets who was idle wait for nobody who is busy, and save nothing up`() {
        var queue = FairQueue()
        for slot in 1...20 { queue.push(slot, notBefore: 0) }
        for _ in 0..<200 { _ = serve(&queue, cost: 10 * Self.credit) }
        queue.beginTurn()
        queue.push(99, notBefore: 0)
        let served = (0..<42).map { _ in serve(&queue, cost: 10 * Self.credit) }
        #expect(served.first == 99)
        #expect(served.count { $0 == 99 } == 3)
    }

    @Test func `lets who comes later go before a crowd that has cost about as much`() {
        var queue = FairQueue()
        for slot in 1...5 { queue.push(slot, notBefore: 0) }
        queue.beginTurn()
        queue.push(99, notBefore: Self.credit)
        queue.push(98, notBefore: Self.credit + FairQueue.grain)
        let order = (0..<7).compactMap { _ in queue.pop()?.slot }
        #expect(order == [99, 1, 2, 3, 4, 5, 98])
        #expect(queue.isEmpty)
    }

    @Test func `forgives what is owed when nobody waits`() {
        var queue = FairQueue()
        queue.push(1, notBefore: 0)
        var times = [1: 0, 2: 0]
        for _ in 0..<10 {
            guard let (slot, start) = queue.pop() else { break }
            times[slot] = queue.charge(Self.credit, from: start)
            queue.push(slot, notBefore: times[slot] ?? 0)
        }
        queue.push(2, notBefore: 0)
        #expect(queue.pop()?.slot == 2)
        #expect(queue.pop()?.slot == 1)
        queue.forgive()
        queue.push(2, notBefore: 0)
        queue.beginTurn()
        queue.push(1, notBefore: times[1] ?? 0)
        #expect(queue.pop()?.slot == 1)
        #expect(queue.count == 1)
    }
}
