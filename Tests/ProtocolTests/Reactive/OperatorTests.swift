import BusdProtocol
import Testing

/// The operators of one signal, and `merge`.
@Suite struct OperatorTests {
    private let signal: Signal<Int>
    private let input: Signal<Int>.Observer

    init() { (signal, input) = Signal.pipe() }

    private func send(_ values: Int...) {
        for value in values { input.send(value: value) }
    }

    @Test func `The operator map transforms each value`() {
        let recorder = Recorder(signal.map { "\($0)" })
        send(1, 2, 2)
        #expect(recorder.values == ["1", "2", "2"])
    }

    @Test func `The operator filter passes on values that satisfy it`() {
        let recorder = Recorder(signal.filter { $0.isMultiple(of: 2) })
        send(1, 2, 3, 4)
        #expect(recorder.values == [2, 4])
    }

    @Test func `The operator compactMap leaves out values that become nil`() {
        let (texts, text) = Signal<String>.pipe()
        let recorder = Recorder(texts.compactMap { Int($0) })
        for word in ["1", "two", "3"] { text.send(value: word) }
        #expect(recorder.values == [1, 3])
    }

    @Test func `The operator scan sends each result, without the initial one`() {
        let recorder = Recorder(signal.scan(10, +))
        #expect(recorder.values == [])
        send(1, 2, 3)
        #expect(recorder.values == [11, 13, 16])
    }

    @Test func `The operator skipRepeats leaves out a value that equals the one before it`() {
        let recorder = Recorder(signal.skipRepeats())
        send(1, 1, 2, 2, 1)
        #expect(recorder.values == [1, 2, 1])
    }

    @Test func `The operator skipRepeats may use a comparison of the caller`() {
        // A value is compared with the last one that was passed on, not with the last one received.
        let recorder = Recorder(signal.skipRepeats { abs($0 - $1) < 5 })
        send(10, 14, 18, 20)
        #expect(recorder.values == [10, 18])
    }

    @Test func `The operator skipRepeats passes on the first value, also nil`() {
        let (maybes, maybe) = Signal<Int?>.pipe()
        let recorder = Recorder(maybes.skipRepeats())
        for value in [nil, nil, 1, nil] as [Int?] { maybe.send(value: value) }
        #expect(recorder.values == [nil, 1, nil])
    }

    @Test func `The operator merge sends the values of all signals as they arrive`() {
        let (other, otherInput) = Signal<Int>.pipe()
        let recorder = Recorder(Signal.merge(signal, other))
        send(1)
        otherInput.send(value: 2)
        send(3)
        #expect(recorder.values == [1, 2, 3])
    }

    @Test func `The operator merge sends both values of one event, in the order of connection`() {
        let (small, large) = (signal.map { $0 }, signal.map { $0 * 10 })
        let recorder = Recorder(Signal.merge(large, small))
        send(1, 2)
        #expect(recorder.values == [1, 10, 2, 20])
    }

    @Test func `A merge of no signal sends nothing, and merge of one sends its values`() {
        let (silent, recorder) = (Recorder(Signal<Int>.merge()), Recorder(Signal.merge(signal)))
        send(1)
        #expect(silent.values == [])
        #expect(recorder.values == [1])
    }

    @Test func `An operator runs once for each value, however many listeners it has`() {
        var runs = 0
        let mapped = signal.map { (value: Int) -> Int in
            runs += 1
            return value
        }
        let recorders = (0..<3).map { _ in Recorder(mapped) }
        send(1)
        #expect(runs == 1)
        #expect(recorders.allSatisfy { $0.values == [1] })
    }

    @Test func `The operator scan starts with its creation, not with its first listener`() {
        let sums = signal.scan(0, +)
        send(1, 2)
        let recorder = Recorder(sums)
        send(3)
        #expect(recorder.values == [6])
    }

    @Test func `An operator without a user does not run`() {
        var runs = 0
        _ = signal.map { _ in runs += 1 }
        send(1)
        #expect(runs == 0)
    }

    @Test func `A handler may send into a source, and all listeners get the same order`() {
        // A handler of the merged signal sends into one of the sources while it handles a value.
        let (other, otherInput) = Signal<Int>.pipe()
        let merged = Signal.merge(signal, other)
        let (first, second) = (Recorder(merged), Recorder(merged))
        first.whenReceived = { value in if value < 3 { otherInput.send(value: value + 1) } }
        send(1)
        #expect(first.values == [1, 2, 3])
        #expect(second.values == [1, 2, 3])
    }
}
