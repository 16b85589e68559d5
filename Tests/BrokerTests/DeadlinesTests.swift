import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `The deadlines` {
    private var deadlines = Deadlines()
    private let slot = 0

    init() { deadlines.admit(slot) }

    private func at(_ seconds: Int) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }

    /// The purposes that are due, as `age 0 of 1`.
    private mutating func take(by seconds: Int) -> [String] {
        var all: [String] = []
        while let purpose = deadlines.take(dueBy: at(seconds)) {
            guard case .connection(let what, let slot, let number) = purpose else {
                all.append("\(purpose)")
                continue
            }
            all.append("\(what) \(slot) of \(number)")
        }
        return all
    }

    @Test mutating func `The earliest comes first, and then the one that was set first`() {
        deadlines.set(.keptSnapshots, at: at(3))
        deadlines.set(.ping, of: slot, number: 1, at: at(2))
        deadlines.set(.age, of: slot, number: 1, at: at(2))
        #expect(deadlines.next == at(2))
        #expect(take(by: 1) == [])
        #expect(take(by: 3) == ["ping 0 of 1", "age 0 of 1", "keptSnapshots"])
        #expect(deadlines.next == nil)
    }

    @Test mutating func `A connection has one deadline of a purpose, until that has passed`() {
        deadlines.set(.age, of: slot, number: 1, at: at(1))
        deadlines.set(.age, of: slot, number: 1, at: at(2))
        #expect(deadlines.isSet(.age, of: slot) && !deadlines.isSet(.goodbye, of: slot))
        #expect(take(by: 9) == ["age 0 of 1"])
        #expect(deadlines.isSet(.age, of: slot))
        deadlines.passed(.age, of: slot)
        deadlines.set(.age, of: slot, number: 1, at: at(10))
        #expect(take(by: 10) == ["age 0 of 1"])
    }

    @Test mutating func `A new connection has deadlines of its own in its slot`() {
        deadlines.set(.age, of: slot, number: 1, at: at(1))
        deadlines.admit(slot)
        #expect(!deadlines.isSet(.age, of: slot))
        deadlines.set(.age, of: slot, number: 2, at: at(2))
        #expect(take(by: 2) == ["age 0 of 1", "age 0 of 2"])
    }
}
