import TestSupport
import Testing

@testable import BusdBroker

@Suite struct `A queue of bytes` {
    private let total = Account()

    private func bytes(_ queue: ByteQueue) -> [UInt8] {
        var (rest, all) = (queue, [UInt8]())
        while case let front = rest.withFront(most: .max, { Array($0) }), !front.isEmpty {
            all += front
            rest.removeFirst(front.count)
        }
        return all
    }

    @Test func `A queue returns its bytes in order, shared or not`() {
        var random = SeededGenerator(seed: 7)
        var (queue, other, expected, moved) = (ByteQueue(), ByteQueue(), [UInt8](), [UInt8]())
        let shared = (0..<3).map { number in
            SharedBytes(Array(repeating: UInt8(100 + number), count: 50_000), total)
        }
        for step in 0..<400 {
            var text = Text(Array(repeating: UInt8(step % 100), count: step * 7 % 900))
            if let one = shared.randomElement(using: &random), step % 5 == 0 {
                text.append(one.bytes, one)
                text.append("}")
            }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                queue.prepend(text)
                expected = text.bytes + expected
            case 1:
                let taken = min(expected.count, Int.random(in: 0..<60_000, using: &random))
                queue.removeFirst(taken)
                expected.removeFirst(taken)
            case 2:
                let count = min(expected.count, Int.random(in: 0..<60_000, using: &random))
                other.move(count, from: &queue)
                moved += expected.prefix(count)
                expected.removeFirst(count)
            default:
                let from = Int.random(in: 0...text.bytes.count, using: &random)
                queue.append(text.bytes[from...], text.shares)
                expected += text.bytes[from...]
            }
        }
        #expect(bytes(queue) == expected)
        #expect(bytes(other) == moved)
    }

    @Test func `A queue counts only the bytes that are not shared`() {
        var queue = ByteQueue()
        do {
            let shared = SharedBytes(Array(repeating: 1, count: 1_000), total)
            var text = Text([2, 2])
            text.append(shared.bytes, shared)
            queue.append(text.bytes[...], text.shares)
            queue.append(text.bytes[...], text.shares)
        }
        #expect(queue.ownCount == 4)
        #expect(total.bytes == 1_000)
        queue.removeFirst(1_003)
        #expect(queue.ownCount == 1)
        #expect(total.bytes == 1_000)
        queue.removeFirst(1_001)
        #expect(total.bytes == 0)
    }

    @Test func `The front of a queue is one contiguous piece of at most the requested size`() {
        var queue = ByteQueue()
        let shared = SharedBytes([3, 4], total)
        var text = Text([1, 2])
        text.append(shared.bytes, shared)
        queue.append(text.bytes[...], text.shares)
        #expect(queue.withFront(most: 9) { Array($0) } == [1, 2])
        #expect(queue.withFront(most: 1) { Array($0) } == [1])
        queue.removeFirst(3)
        #expect(queue.withFront(most: 9) { Array($0) } == [4])
        queue.removeFirst(1)
        #expect(queue.withFront(most: 9) { $0.count } == 0)
    }
}
