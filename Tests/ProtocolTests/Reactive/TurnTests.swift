import BusdProtocol
import Testing

/// The operators with several sources, and the order in which values are sent.
@Suite struct `Combined signals` {
    private let a: Signal<Int>
    private let b: Signal<String>
    private let sendA: Signal<Int>.Observer
    private let sendB: Signal<String>.Observer

    init() {
        (a, sendA) = Signal.pipe()
        (b, sendB) = Signal.pipe()
    }

    @Test func `combineLatest waits for all sources, then sends the newest with each change`() {
        let ear = Ear(Signal.combineLatest(a, b).map { "\($0)\($1)" })
        sendA.send(value: 0)
        sendA.send(value: 1)
        #expect(ear.heard == [])
        sendB.send(value: "A")
        sendA.send(value: 2)
        sendB.send(value: "B")
        sendB.send(value: "B")
        #expect(ear.heard == ["1A", "2A", "2B", "2B"])
    }

    @Test func `combineLatest takes three sources, and four`() {
        let (c, sendC) = Signal<Bool>.pipe()
        let three = Ear(Signal.combineLatest(a, b, c).map { "\($0)\($1)\($2)" })
        let four = Ear(Signal.combineLatest(a, b, c, a).map { "\($0)\($1)\($2)\($3)" })
        sendC.send(value: true)
        sendA.send(value: 1)
        sendB.send(value: "A")
        sendA.send(value: 2)
        #expect(three.heard == ["1Atrue", "2Atrue"])
        #expect(four.heard == ["1Atrue1", "2Atrue2"])
    }

    @Test func `combineLatest treats nil as a value`() {
        let maybe = a.map { (value: Int) -> Int? in value > 0 ? value : nil }
        let ear = Ear(Signal.combineLatest(maybe, a).map { "\($0 as Int?) \($1)" })
        sendA.send(value: 0)
        #expect(ear.heard == ["nil 0"])
    }

    @Test func `sample sends the newest value each time the sampler sends`() {
        let (on, with) = (Ear(a.sample(on: b)), Ear(a.sample(with: b).map { "\($0)\($1)" }))
        sendB.send(value: "A")
        sendA.send(value: 1)
        sendA.send(value: 2)
        #expect(on.heard == [])
        sendB.send(value: "B")
        sendB.send(value: "C")
        #expect(on.heard == [2, 2])
        #expect(with.heard == ["2B", "2C"])
    }

    @Test func `sample of a property has a value from the start`() {
        let number = MutableProperty(1)
        let ear = Ear(number.sample(on: b))
        sendB.send(value: "A")
        number.value = 2
        #expect(ear.heard == [1])
        sendB.send(value: "B")
        #expect(ear.heard == [1, 2])
    }

    @Test func `withLatest sends each value with the newest of the other source`() {
        let number = MutableProperty(1)
        let ear = Ear(b.withLatest(from: number).map { "\($0)\($1)" })
        let none = Ear(b.withLatest(from: a).map { "\($0)\($1)" })
        sendB.send(value: "A")
        number.value = 2
        sendB.send(value: "B")
        #expect(ear.heard == ["A1", "B2"])
        #expect(none.heard == [])
    }

    // MARK: Diamonds

    @Test func `combineLatest of one source with itself sends once, with consistent values`() {
        let (plus, minus) = (a.map { $0 }, a.map { -$0 })
        let ear = Ear(Signal.combineLatest(plus, minus, a).map { [$0, $1, $2] })
        sendA.send(value: 1)
        sendA.send(value: 2)
        #expect(ear.heard == [[1, -1, 1], [2, -2, 2]])
    }

    @Test func `combineLatest sends once also if a branch is longer, or sends nothing`() {
        let number = MutableProperty(1)
        let even = Property(initial: 0, then: number.signal.filter { $0.isMultiple(of: 2) })
        let deep = Property.combineLatest(number, even).map { $0 + $1 }.map { $0 * 10 }
        let all = Ear(Property.combineLatest(deep, number, even).map { [$0, $1, $2] })
        number.value = 2
        number.value = 3
        #expect(all.heard == [[40, 2, 2], [50, 3, 2]])
    }

    @Test func `sample sends the value that results from the same event`() {
        let count = Property(initial: 0, then: b.scan(0) { count, _ in count + 1 })
        // Both forms see the new count.
        let ear = Ear(count.sample(on: b))
        let other = Ear(b.withLatest(from: count).map { "\($0)\($1)" })
        sendB.send(value: "A")
        sendB.send(value: "B")
        #expect(ear.heard == [1, 2])
        #expect(other.heard == ["A1", "B2"])
    }

    @Test func `sample loses no trigger if one event makes two`() {
        let twice = Signal.merge(b.map { $0 + "1" }, b.map { $0 + "2" })
        let number = MutableProperty(7)
        let ear = Ear(number.sample(with: twice).map { "\($0)\($1)" })
        sendB.send(value: "A")
        #expect(ear.heard == ["7A1", "7A2"])
    }

    @Test func `a binding takes effect in the turn of its source`() {
        let target = MutableProperty(0)
        target <~ a.map { $0 * 10 }
        let ear = Ear(
            Property.combineLatest(target, Property(initial: 0, then: a)).map { [$0, $1] })
        sendA.send(value: 1)
        #expect(ear.heard == [[10, 1]])
    }

    @Test func `a binding to a combination takes effect before operators on its target`() {
        let number = MutableProperty(1)
        let target = MutableProperty(0)
        target <~ Property.combineLatest(number, number.map { $0 * 10 }).map { $0 + $1 }
        let ear = Ear(Property.combineLatest(number, target).map { [$0, $1] })
        number.value = 2
        #expect(ear.heard == [[2, 22]])
    }

    // MARK: Order

    @Test func `direct values are sent before combined ones, upstream first`() {
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

    @Test func `a send inside a handler is a turn of its own`() {
        // The handler of `a` changes the property before the operator after it gets the value of
        // `a`. The change is sent at once, with the old `newest`. Then the turn of `a` continues.
        let number = MutableProperty(0)
        a.observeValues { number.value = $0 * 10 }
        let newest = Property(initial: 0, then: a.map { $0 })
        let ear = Ear(Property.combineLatest(newest, number).map { [$0, $1] })
        sendA.send(value: 1)
        #expect(ear.heard == [[0, 10], [1, 10]])
    }

    @Test func `a combination that an inner turn has sent is not sent again`() {
        let number = MutableProperty(0)
        let newest = Property(initial: 0, then: a.map { $0 })
        let ear = Ear(Property.combineLatest(newest, number).map { [$0, $1] })
        a.observeValues { number.value = $0 * 10 }
        sendA.send(value: 1)
        #expect(ear.heard == [[1, 10]])
    }

    @Test func `a handler of a combination may send into its sources`() {
        let number = MutableProperty(0)
        let both = Property.combineLatest(number, number.map { -$0 }).map { [$0, $1] }
        let (first, second) = (Ear(both), Ear(both))
        first.whenHeard = { [number] value in if value[0] < 3 { number.value = value[0] + 1 } }
        number.value = 1
        #expect(first.heard == [[1, -1], [2, -2], [3, -3]])
        #expect(second.heard == first.heard)
    }

    @Test func `a combination that is made inside a handler begins with the next value`() {
        let late = Ear<[Int]>()
        var combined: Signal<(Int, Int)>?
        a.observeValues { [a] value in
            guard value == 1 else { return }
            let both = Signal.combineLatest(a, a.map { -$0 })
            both.bind(late) { $0.hear([$1.0, $1.1]) }
            combined = both
        }
        sendA.send(value: 1)
        sendA.send(value: 2)
        withExtendedLifetime(combined) {}
        #expect(late.heard == [[2, -2]])
    }
}
