import BusdProtocol
import TestSupport
import Testing

@Suite struct `A queue` {
    private final class Thing {
        let number: Int

        init(_ number: Int) { self.number = number }
    }

    @Test func `An empty queue has nothing to take`() {
        var queue = Queue<Int>()
        #expect(queue.isEmpty)
        #expect(queue.takeFirst() == nil)
        queue.append(1)
        #expect(queue.takeFirst() == 1)
        #expect(queue.takeFirst() == nil)
        #expect(queue.isEmpty)
    }

    @Test func `Elements are taken in the order in which they were appended`() {
        var random = SeededGenerator(seed: 1)
        var (queue, array) = (Queue<Int>(), [Int]())
        for number in 0..<25_000 {
            // The queue grows to thousands of elements, and is empty again.
            if Int.random(in: 0..<4, using: &random) < (number < 10_000 ? 3 : 1) {
                queue.append(number)
                array.append(number)
            } else {
                #expect(queue.first == array.first)
                #expect(queue.takeFirst() == (array.isEmpty ? nil : array.removeFirst()))
            }
            #expect(queue.count == array.count)
            if number % 500 == 0 { #expect(Array(queue) == array) }
        }
        #expect(array.isEmpty)
        #expect(queue.isEmpty)
    }

    @Test func `At most as many elements as wait are still in memory after they were taken`() {
        var queue = Queue<Thing>()
        var things: [() -> Thing?] = []
        for number in 0..<100 {
            let thing = Thing(number)
            queue.append(thing)
            things.append { [weak thing] in thing }
        }
        for number in 0..<100 {
            #expect(queue.takeFirst()?.number == number)
            #expect(things.count { $0() != nil } <= 2 * queue.count)
        }
    }
}
