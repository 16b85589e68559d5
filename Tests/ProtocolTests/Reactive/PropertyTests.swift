import BusdProtocol
import Testing

@Suite struct PropertyTests {
    private let number = MutableProperty(1)

    @Test func `A property has a value, and sends each change`() {
        let recorder = Recorder(number)
        #expect(number.value == 1)
        number.value = 2
        number.value = 2
        #expect(number.value == 2)
        // Only skipRepeats leaves out repeated values.
        #expect(recorder.values == [2, 2])
    }

    @Test func `The method bindAndFire sends the present value first`() {
        let recorder = Recorder<Int>()
        number.bindAndFire(recorder) { $0.receive($1) }
        number.value = 2
        #expect(recorder.values == [1, 2])
    }

    @Test func `The method bindAndFire sends the present value before a change that it causes`() {
        let recorder = Recorder<Int>()
        recorder.whenReceived = { [number] value in if value < 3 { number.value = value + 1 } }
        number.bindAndFire(recorder) { $0.receive($1) }
        #expect(recorder.values == [1, 2, 3])
    }

    @Test func `A property has its new value when the change is handled`() {
        var seen: [Int] = []
        number.observeValues { [number] _ in seen.append(number.value) }
        number.value = 2
        #expect(seen == [2])
    }

    @Test func `A property may be newer than the value that is handled`() {
        var seen: [[Int]] = []
        number.observeValues { [number] value in if value == 2 { number.value = 3 } }
        number.observeValues { [number] value in seen.append([value, number.value]) }
        number.value = 2
        #expect(seen == [[2, 3], [3, 3]])
    }

    @Test func `The method bindAndFire sends the newest value while an older one is handled`() {
        let recorder = Recorder<Int>()
        number.observeValues { [number] value in
            guard value == 2 else { return }
            number.value = 3
            number.bindAndFire(recorder) { $0.receive($1) }
        }
        number.value = 2
        #expect(recorder.values == [3])
    }

    @Test func `A property has its changes as a signal`() {
        let recorder = Recorder(number.signal.filter { $0 > 2 })
        number.value = 2
        number.value = 3
        #expect(recorder.values == [3])
    }

    @Test func `A property can be made of a signal and a first value`() {
        let (signal, input) = Signal<Int>.pipe()
        let property = Property(initial: 0, then: signal)
        let recorder = Recorder(property)
        #expect(property.value == 0)
        input.send(value: 5)
        #expect(property.value == 5)
        #expect(recorder.values == [5])
    }

    // MARK: Operators

    @Test func `The operator map transforms the value and each change`() {
        let text = number.map { "\($0)" }
        let recorder = Recorder(text)
        #expect(text.value == "1")
        number.value = 2
        #expect(text.value == "2")
        #expect(recorder.values == ["2"])
    }

    @Test func `The operator skipRepeats of a property sends only real changes`() {
        let skipping = number.skipRepeats()
        let recorder = Recorder(skipping)
        for value in [1, 2, 2, 1] { number.value = value }
        #expect(recorder.values == [2, 1])
        #expect(skipping.value == 1)
    }

    @Test func `The operator combineLatest has the values of all properties`() {
        let (text, flag) = (MutableProperty("a"), MutableProperty(true))
        let all = Property.combineLatest(number, text, flag, number.map { -$0 })
            .map { "\($0) \($1) \($2) \($3)" }
        let three = Property.combineLatest(number, text, flag).map { "\($0) \($1) \($2)" }
        let recorder = Recorder(all)
        #expect(all.value == "1 a true -1")
        number.value = 2
        text.value = "b"
        flag.value = false
        #expect(recorder.values == ["2 a true -2", "2 b true -2", "2 b false -2"])
        #expect(all.value == "2 b false -2")
        #expect(three.value == "2 b false")
    }

    @Test func `A derived property keeps its value when its source is gone`() {
        var source: MutableProperty<Int>? = MutableProperty(1)
        let derived = source?.map { $0 * 2 }
        source?.value = 4
        source = nil
        #expect(derived?.value == 8)
    }

    // MARK: Binding

    @Test func `A bound property takes the value of its source, and its changes`() {
        let target = MutableProperty(0)
        let recorder = Recorder(target)
        target <~ number
        number.value = 2
        target.value = 9
        number.value = 3
        #expect(recorder.values == [1, 2, 9, 3])
    }

    @Test func `A property that is bound to a signal takes its values`() {
        let (signal, input) = Signal<Int>.pipe()
        let recorder = Recorder(number)
        number <~ signal
        input.send(value: 7)
        #expect(number.value == 7)
        #expect(recorder.values == [7])
    }

    @Test func `A binding lasts while a property derived from the target is used`() {
        let (signal, input) = Signal<Int>.pipe()
        let doubled: Property<Int>
        do {
            let local = MutableProperty(0)
            local <~ signal
            doubled = local.map { $0 * 2 }
        }
        input.send(value: 7)
        #expect(doubled.value == 14)
    }

    @Test func `A property may have nil as its value, which is not the same as none`() {
        let source = MutableProperty<Int?>(nil)
        let target = MutableProperty<Int?>(1)
        target <~ source
        let (taps, tap) = Signal<Void>.pipe()
        let both = Property.combineLatest(source, target).map { $0 == $1 }
        let recorder = Recorder(source.sample(on: taps))
        tap.send()
        #expect(target.value == nil)
        #expect(both.value)
        #expect(recorder.values == [nil])
    }

    @Test func `A change that the first value of a binding causes is not lost`() {
        let target = MutableProperty(0)
        target.observeValues { [number] value in if value == 1 { number.value = 2 } }
        target <~ number
        #expect(target.value == 2)
    }

    @Test func `Two properties may be bound both ways with skipRepeats`() {
        let other = MutableProperty(0)
        other <~ number.skipRepeats()
        number <~ other.skipRepeats()
        let (recorder, otherRecorder) = (Recorder(number), Recorder(other))
        other.value = 5
        number.value = 6
        #expect((number.value, other.value) == (6, 6))
        #expect(recorder.values.last == 6)
        #expect(otherRecorder.values.last == 6)
    }
}
