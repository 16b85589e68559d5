import BusdProtocol
import Testing

/// The operators with several sources, and the order in which values are sent.
@Suite struct TurnTests {
    private let a: Signal<Int>
    private let b: Signal<String>
    private let sendA: Signal<Int>.Observer
    private let sendB: Signal<String>.Observer

    init() {
        (a, sendA) = Signal.pipe()
        (b, sendB) = Signal.pipe()
    }

    @Test func `The operator combineLatest waits for all sources, then sends with each change`() {
        let recorder = Recorder(Signal.combineLatest(a, b).map { "\($0)\($1)" })
        sendA.send(value: 0)
        sendA.send(value: 1)
        #expect(recorder.values == [])
        sendB.send(value: "A")
        sendA.send(value: 2)
        sendB.send(value: "B")
        sendB.send(value: "B")
        #expect(recorder.values == ["1A", "2A", "2B", "2B"])
    }

    @Test func `The operator combineLatest takes three sources, and four`() {
        let (c, sendC) = Signal<Bool>.pipe()
        let three = Recorder(Signal.combineLatest(a, b, c).map { "\($0)\($1)\($2)" })
        let four = Recorder(Signal.combineLatest(a, b, c, a).map { "\($0)\($1)\($2)\($3)" })
        sendC.send(value: true)
        sendA.send(value: 1)
        sendB.send(value: "A")
        sendA.send(value: 2)
        #expect(three.values == ["1Atrue", "2Atrue"])
        #expect(four.values == ["1Atrue1", "2Atrue2"])
    }

    @Test func `The operator combineLatest treats nil as a value`() {
        let maybe = a.map { (value: Int) -> Int? in value > 0 ? value : nil }
        let recorder = Recorder(Signal.combineLatest(maybe, a).map { "\($0 as Int?) \($1)" })
        sendA.send(value: 0)
        #expect(recorder.values == ["nil 0"])
    }

    @Test func `The operator sample sends the newest value each time the sampler sends`() {
        let (on, with) = (
            Recorder(a.sample(on: b)), Recorder(a.sample(with: b).map { "\($0)\($1)" })
        )
        sendB.send(value: "A")
        sendA.send(value: 1)
        sendA.send(value: 2)
        #expect(on.values == [])
        sendB.send(value: "B")
        sendB.send(value: "C")
        #expect(on.values == [2, 2])
        #expect(with.values == ["2B", "2C"])
    }

    @Test func `A sample of a property has a value from the start`() {
        let number = MutableProperty(1)
        let recorder = Recorder(number.sample(on: b))
        sendB.send(value: "A")
        number.value = 2
        #expect(recorder.values == [1])
        sendB.send(value: "B")
        #expect(recorder.values == [1, 2])
    }

    @Test func `The operator withLatest sends each value with the newest of the other source`() {
        let number = MutableProperty(1)
        let recorder = Recorder(b.withLatest(from: number).map { "\($0)\($1)" })
        let none = Recorder(b.withLatest(from: a).map { "\($0)\($1)" })
        sendB.send(value: "A")
        number.value = 2
        sendB.send(value: "B")
        #expect(recorder.values == ["A1", "B2"])
        #expect(none.values == [])
    }

    // MARK: Diamonds

    @Test func `The operator combineLatest of a source with itself sends consistent values once`() {
        let (plus, minus) = (a.map { $0 }, a.map { -$0 })
        let recorder = Recorder(Signal.combineLatest(plus, minus, a).map { [$0, $1, $2] })
        sendA.send(value: 1)
        sendA.send(value: 2)
        #expect(recorder.values == [[1, -1, 1], [2, -2, 2]])
    }

    @Test
    func `The operator combineLatest sends once also if a branch is longer, or sends nothing`() {
        let number = MutableProperty(1)
        let even = Property(initial: 0, then: number.signal.filter { $0.isMultiple(of: 2) })
        let deep = Property.combineLatest(number, even).map { $0 + $1 }.map { $0 * 10 }
        let all = Recorder(Property.combineLatest(deep, number, even).map { [$0, $1, $2] })
        number.value = 2
        number.value = 3
        #expect(all.values == [[40, 2, 2], [50, 3, 2]])
    }

    @Test func `The operator sample sends the value that results from the same event`() {
        let count = Property(initial: 0, then: b.scan(0) { count, _ in count + 1 })
        // Both forms see the new count.
        let recorder = Recorder(count.sample(on: b))
        let other = Recorder(b.withLatest(from: count).map { "\($0)\($1)" })
        sendB.send(value: "A")
        sendB.send(value: "B")
        #expect(recorder.values == [1, 2])
        #expect(other.values == ["A1", "B2"])
    }

    @Test func `The operator sample loses no trigger if one event makes two`() {
        let twice = Signal.merge(b.map { $0 + "1" }, b.map { $0 + "2" })
        let number = MutableProperty(7)
        let recorder = Recorder(number.sample(with: twice).map { "\($0)\($1)" })
        sendB.send(value: "A")
        #expect(recorder.values == ["7A1", "7A2"])
    }

    @Test func `A binding takes effect in the turn of its source`() {
        let target = MutableProperty(0)
        target <~ a.map { $0 * 10 }
        let recorder = Recorder(
            Property.combineLatest(target, Property(initial: 0, then: a)).map { [$0, $1] })
        sendA.send(value: 1)
        #expect(recorder.values == [[10, 1]])
    }

    @Test func `A binding to a combination takes effect before operators on its target`() {
        let number = MutableProperty(1)
        let target = MutableProperty(0)
        target <~ Property.combineLatest(number, number.map { $0 * 10 }).map { $0 + $1 }
        let recorder = Recorder(Property.combineLatest(number, target).map { [$0, $1] })
        number.value = 2
        #expect(recorder.values == [[2, 22]])
    }

    // MARK: Order

    @Test func `Direct values are sent before combined ones, upstream first`() {
        var trace: [String] = []
        let both = Signal.combineLatest(a, a.map { -$0 })
        let deep = Signal.combineLatest(both, a)
        let flat = Signal.combineLatest(a, a)
        // The order of these lines is not the order of the trace.
        deep.observeValues { _ in trace.append("deep") }
        flat.observeValues { _ in trace.append("flat") }
        both.observeValues { _ in trace.append("both") }
        a.map { $0 }.observeValues { _ in trace.append("mapped") }
        a.observeValues { _ in trace.append("direct") }
        sendA.send(value: 1)
        #expect(trace == ["mapped", "direct", "both", "flat", "deep"])
    }

    @Test func `A send inside a handler is a turn of its own`() {
        // The handler of `a` changes the property before the operator after it gets the value of
        // `a`. The change is sent at once, with the old `newest`. Then the turn of `a` continues.
        let number = MutableProperty(0)
        a.observeValues { number.value = $0 * 10 }
        let newest = Property(initial: 0, then: a.map { $0 })
        let recorder = Recorder(Property.combineLatest(newest, number).map { [$0, $1] })
        sendA.send(value: 1)
        #expect(recorder.values == [[0, 10], [1, 10]])
    }

    @Test func `A combination that an inner turn has sent is not sent again`() {
        let number = MutableProperty(0)
        let newest = Property(initial: 0, then: a.map { $0 })
        let recorder = Recorder(Property.combineLatest(newest, number).map { [$0, $1] })
        a.observeValues { number.value = $0 * 10 }
        sendA.send(value: 1)
        #expect(recorder.values == [[1, 10]])
    }

    @Test func `A handler of a combination may send into its sources`() {
        let number = MutableProperty(0)
        let both = Property.combineLatest(number, number.map { -$0 }).map { [$0, $1] }
        let (first, second) = (Recorder(both), Recorder(both))
        first.whenReceived = { [number] value in if value[0] < 3 { number.value = value[0] + 1 } }
        number.value = 1
        #expect(first.values == [[1, -1], [2, -2], [3, -3]])
        #expect(second.values == first.values)
    }

    @Test func `A combination that is made inside a handler begins with the next value`() {
        let late = Recorder<[Int]>()
        var combined: Signal<(Int, Int)>?
        a.observeValues { [a] value in
            guard value == 1 else { return }
            let both = Signal.combineLatest(a, a.map { -$0 })
            both.bind(late) { $0.receive([$1.0, $1.1]) }
            combined = both
        }
        sendA.send(value: 1)
        sendA.send(value: 2)
        withExtendedLifetime(combined) {}
        #expect(late.values == [[2, -2]])
    }
}
