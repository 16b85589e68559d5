import TestSupport
import Testing

@testable import BusdBroker

@Suite struct KeyMemoryTests {
    private var memory = KeyMemory()

    @Test func `A new memory knows no key`() {
        #expect(memory.answer(to: "a") == nil)
        #expect(memory.size == 0)
    }

    @Test mutating func `A remembered key has its answer, also an empty one`() {
        memory.remember("a", SendReport(caused: 4...5), most: 3)
        memory.remember("b", SendReport(), most: 3)
        #expect(memory.answer(to: "a") == SendReport(caused: 4...5))
        #expect(memory.answer(to: "b") == SendReport())
        #expect(memory.answer(to: "c") == nil)
    }

    @Test mutating func `The first answer to a key is kept`() {
        memory.remember("a", SendReport(caused: 1...1), most: 3)
        memory.remember("a", SendReport(caused: 2...2), most: 3)
        #expect(memory.answer(to: "a") == SendReport(caused: 1...1))
        // It is still known when later keys have filled a table.
        for key in ["b", "c", "a"] { memory.remember(key, SendReport(), most: 3) }
        #expect(memory.answer(to: "a") == SendReport(caused: 1...1))
    }

    @Test mutating func `A forgotten key can be remembered again`() {
        for key in ["a", "b", "c", "d"] { memory.remember(key, SendReport(), most: 3) }
        #expect(memory.answer(to: "a") == nil)
        memory.remember("a", SendReport(caused: 9...9), most: 3)
        #expect(memory.answer(to: "a") == SendReport(caused: 9...9))
        #expect(memory.answer(to: "b") == nil)
    }

    @Test mutating func `The memory holds at most two tables`() {
        for number in 0..<1_000 {
            memory.remember("\(number % 10)\(number)", SendReport(), most: 8)
        }
        #expect(memory.size <= 16 * (160 + 4))
        #expect(memory.size >= 8 * 160)
    }

    @Test mutating func `The older half of the keys can be forgotten`() {
        for number in 0..<10 { memory.remember("\(number)", SendReport(), most: 8) }
        memory.forgetOlderHalf()
        let known = (0..<10).filter { memory.answer(to: "\($0)") != nil }
        #expect(known == [6, 7, 8, 9])
        #expect(memory.size == 4 * 161)
        memory.forgetOlderHalf()
        memory.forgetOlderHalf()
        #expect((0..<10).filter { memory.answer(to: "\($0)") != nil } == [9])
        for number in 20..<28 { memory.remember("\(number)", SendReport(), most: 8) }
        #expect((0..<30).filter { memory.answer(to: "\($0)") != nil } == Array(20..<28))
    }

    /// Compares the memory with a list of all remembered keys.
    @Test(arguments: [1, 2, 3, 7, 50])
    func `Exactly the last keys are known after random use`(most: Int) {
        var random = SeededGenerator(seed: UInt64(most))
        var memory = KeyMemory()
        var known: [(key: String, caused: ClosedRange<Int>?)] = []
        for number in 0..<1_000 {
            let key = "\(random.next() % UInt64(3 * most))"
            let caused = number % 3 == 0 ? nil : number...(number + 1)
            memory.remember(key, SendReport(caused: caused), most: most)
            if !known.contains(where: { $0.key == key }) { known.append((key, caused)) }
            known.removeFirst(max(0, known.count - most))
            if number % 401 == 400 {
                memory.forgetOlderHalf()
                known.removeFirst(known.count / 2)
            }
            for key in 0..<(3 * most) {
                let answer = known.first { $0.key == "\(key)" }?.caused
                let isKnown = known.contains { $0.key == "\(key)" }
                #expect(memory.answer(to: "\(key)") == (isKnown ? SendReport(caused: answer) : nil))
            }
        }
    }
}
