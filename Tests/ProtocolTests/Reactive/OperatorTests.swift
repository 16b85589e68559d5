import BusdProtocol
import Testing

/// The operators of one signal, and `merge`.
@Suite struct `An operator` {
    private let signal: Signal<Int>
    private let input: Signal<Int>.Observer

    init() { (signal, input) = Signal.pipe() }

    private func send(_ values: Int...) {
        for value in values { input.send(value: value) }
    }

    @Test func `map transforms each value`() {
        let ear = Ear(signal.map { "\($0)" })
        send(1, 2, 2)
        #expect(ear.heard == ["1", "2", "2"])
    }

    @Test func `filter passes on values that satisfy it`() {
        let ear = Ear(signal.filter { $0.isMultiple(of: 2) })
        send(1, 2, 3, 4)
        #expect(ear.heard == [2, 4])
    }

    @Test func `compactMap leaves out values that become nil`() {
        let (texts, text) = Signal<String>.pipe()
        let ear = Ear(texts.compactMap { Int($0) })
        for word in ["1", "two", "3"] { text.send(value: word) }
        #expect(ear.heard == [1, 3])
    }

    @Test func `scan sends each result, without the initial one`() {
        let ear = Ear(signal.scan(10, +))
        #expect(ear.heard == [])
        send(1, 2, 3)
        #expect(ear.heard == [11, 13, 16])
    }

    @Test func `skipRepeats leaves out a value that equals the one before it`() {
        let ear = Ear(signal.skipRepeats())
        send(1, 1, 2, 2, 1)
        #expect(ear.heard == [1, 2, 1])
    }

    @Test func `skipRepeats may use a comparison of the caller`() {
        // A value is compared with the last one that was passed on, not with the last one received.
        let ear = Ear(signal.skipRepeats { abs($0 - $1) < 5 })
        send(10, 14, 18, 20)
        #expect(ear.heard == [10, 18])
    }

    @Test func `skipRepeats passes on the first value, also nil`() {
        let (maybes, maybe) = Signal<Int?>.pipe()
        let ear = Ear(maybes.skipRepeats())
        for value in [nil, nil, 1, nil] as [Int?] { maybe.send(value: value) }
        #expect(ear.heard == [nil, 1, nil])
    }

    @Test func `merge sends the values of all signals as they arrive`() {
        let (other, otherInput) = Signal<Int>.pipe()
        let ear = Ear(Signal.merge(signal, other))
        send(1)
        otherInput.send(value: 2)
        send(3)
        #expect(ear.heard == [1, 2, 3])
    }

    @Test func `merge sends both values of one event, in the order of connection`() {
        let (small, large) = (signal.map { $0 }, signal.map { $0 * 10 })
        let ear = Ear(Signal.merge(large, small))
        send(1, 2)
        #expect(ear.heard == [1, 10, 2, 20])
    }

    @Test func `merge of no signal sends nothing, and merge of one sends its values`() {
        let (silent, ear) = (Ear(Signal<Int>.merge()), Ear(Signal.merge(signal)))
        send(1)
        #expect(silent.heard == [])
        #expect(ear.heard == [1])
    }

    @Test func `an operator runs once for each value, however many listeners it has`() {
        var runs = 0
        let mapped = signal.map { (value: Int) -> Int in
            runs += 1
            return value
        }
        let ears = (0..<3).map { _ in Ear(mapped) }
        send(1)
        #expect(runs == 1)
        #expect(ears.allSatisfy { $0.heard == [1] })
    }

    @Test func `scan starts with its creation, not with its first listener`() {
        let sums = signal.scan(0, +)
        send(1, 2)
        let ear = Ear(sums)
        send(3)
        #expect(ear.heard == [6])
    }

    @Test func `an operator without a user does not run`() {
        var runs = 0
        _ = signal.map { _ in runs += 1 }
        send(1)
        #expect(runs == 0)
    }

    @Test func `a handler may send into a source, and all listeners get the same order`() {
        // A handler of the merged signal sends into one of the sources while it handles a value.
        let (other, otherInput) = Signal<Int>.pipe()
        let merged = Signal.merge(signal, other)
        let (first, second) = (Ear(merged), Ear(merged))
        first.whenHeard = { value in if value < 3 { otherInput.send(value: value + 1) } }
        send(1)
        #expect(first.heard == [1, 2, 3])
        #expect(second.heard == [1, 2, 3])
    }
}
