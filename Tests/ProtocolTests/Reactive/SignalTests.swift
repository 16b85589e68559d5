import BusdProtocol
import Testing

@Suite struct `A signal` {
    private let signal: Signal<Int>
    private let input: Signal<Int>.Observer

    init() { (signal, input) = Signal.pipe() }

    @Test func `listeners get a value in the order in which they were bound`() {
        let owner = Ear<Int>()
        var heard: [String] = []
        signal.bind(owner) { _, value in heard.append("first \(value)") }
        signal.observeValues { heard.append("second \($0)") }
        signal.bind(owner) { _, value in heard.append("third \(value)") }
        input.send(value: 1)
        input.send(value: 1)
        let once = ["first 1", "second 1", "third 1"]
        #expect(heard == once + once)
    }

    @Test func `a listener gets no value from before it was bound`() {
        input.send(value: 1)
        let ear = Ear(signal)
        #expect(ear.heard == [])
        input.send(value: 2)
        #expect(ear.heard == [2])
    }

    @Test func `a signal of Void is sent without a value`() {
        let (taps, tap) = Signal<Void>.pipe()
        var count = 0
        taps.observeValues { count += 1 }
        tap.send()
        tap.send(value: ())
        #expect(count == 2)
    }

    @Test func `a signal lives as long as its input, and need not be held itself`() {
        var pipe: Signal<Int>.Pipe? = Signal.pipe()
        let input = pipe?.input
        let ear = Ear<Int>()
        if let output = pipe?.output { ear.listen(to: output) }
        pipe = nil
        input?.send(value: 1)
        #expect(ear.heard == [1])
    }

    // MARK: A value that is sent while another is handled

    @Test func `all listeners get a value before one that is sent while it is handled`() {
        let (first, second) = (Ear(signal), Ear(signal))
        first.whenHeard = { [input] value in
            if value == 1 {
                input.send(value: 2)
                input.send(value: 3)
            }
            if value == 2 { input.send(value: 4) }
        }
        input.send(value: 1)
        #expect(first.heard == [1, 2, 3, 4])
        #expect(second.heard == [1, 2, 3, 4])
    }

    @Test func `an inner send returns before its value is handled`() {
        var trace: [String] = []
        signal.observeValues { [input] value in
            trace.append("\(value) begins")
            if value == 1 { input.send(value: 2) }
            trace.append("\(value) ends")
        }
        input.send(value: 1)
        #expect(trace == ["1 begins", "1 ends", "2 begins", "2 ends"])
    }

    @Test func `a long feedback does not grow the stack`() {
        let ear = Ear(signal)
        ear.whenHeard = { [input] value in if value < 100_000 { input.send(value: value + 1) } }
        input.send(value: 1)
        #expect(ear.heard.count == 100_000)
    }

    @Test func `a value does not wait for another signal`() {
        // 2 is sent on another signal while 1 is handled. It is handled at once.
        let (other, otherInput) = Signal<Int>.pipe()
        var trace: [String] = []
        signal.observeValues { _ in otherInput.send(value: 2) }
        signal.observeValues { trace.append("signal \($0)") }
        other.observeValues { trace.append("other \($0)") }
        input.send(value: 1)
        #expect(trace == ["other 2", "signal 1"])
    }

    // MARK: Listeners that come and go

    @Test func `a listener that is bound during a value gets what is sent after it`() {
        let (first, second) = (Ear(signal), Ear<Int>())
        first.whenHeard = { [signal, input] value in
            guard value == 1 else { return }
            input.send(value: 2)
            // Two values have been sent before this binding, so it gets neither.
            second.listen(to: signal)
            input.send(value: 3)
        }
        input.send(value: 1)
        #expect(second.heard == [3])
        #expect(first.heard == [1, 2, 3])
    }

    @Test func `a signal holds owners weakly, and skips the listeners of released owners`() {
        let early = Ear(signal)
        var owner: Ear<Int>? = Ear()
        weak let gone = owner
        var heard = 0
        if let owner { signal.bind(owner) { _, _ in heard += 1 } }
        early.whenHeard = { value in if value == 2 { owner = nil } }
        input.send(value: 1)
        // An earlier listener of this value releases the owner.
        input.send(value: 2)
        #expect(gone == nil)
        #expect(heard == 1)
    }

    @Test func `a handler gets values until its observation is disposed of`() {
        var heard: [Int] = []
        let observation = signal.observeValues { heard.append($0) }
        input.send(value: 1)
        observation.dispose()
        observation.dispose()
        input.send(value: 2)
        #expect(heard == [1])
    }

    @Test func `a handler gets values after its observation was dropped`() {
        var heard: [Int] = []
        do { _ = signal.observeValues { heard.append($0) } }
        input.send(value: 1)
        #expect(heard == [1])
    }

    @Test func `a handler may dispose of its own and of other observations`() {
        var heard: [String] = []
        var observations: [Disposable] = []
        for name in ["a", "b", "c"] {
            observations.append(
                signal.observeValues { [input] value in
                    heard.append("\(name) \(value)")
                    guard name == "b" else { return }
                    input.send(value: value + 1)
                    observations.forEach { $0.dispose() }
                })
        }
        input.send(value: 1)
        // c was disposed of before it got 1, a and b before they got 2, which waited.
        #expect(heard == ["a 1", "b 1"])
        observations = []
    }

    @Test func `a handler is released as soon as it is disposed of`() {
        weak var held: Ear<Int>?
        let observation: Disposable
        do {
            let ear = Ear<Int>()
            held = ear
            observation = signal.observeValues { ear.hear($0) }
        }
        #expect(held != nil)
        observation.dispose()
        #expect(held == nil)
    }

    @Test func `a captured object may dispose and send when it is released`() {
        final class Once {
            var observation: Disposable?
            let whenGone: () -> Void
            init(_ whenGone: @escaping () -> Void) { self.whenGone = whenGone }
            deinit {
                observation?.dispose()
                whenGone()
            }
        }
        let ear = Ear(signal)
        var observation: Disposable?
        do {
            let once = Once { [input] in input.send(value: 7) }
            observation = signal.observeValues { _ in _ = once }
            once.observation = observation
        }
        observation?.dispose()
        #expect(ear.heard == [7])
    }

    @Test func `an object of a dropped listener may bind and send when it is released`() {
        final class Last {
            let whenGone: () -> Void
            init(_ whenGone: @escaping () -> Void) { self.whenGone = whenGone }
            deinit { whenGone() }
        }
        let (ear, late) = (Ear(signal), Ear<Int>())
        do {
            let last = Last { [signal, input] in
                late.listen(to: signal)
                input.send(value: 7)
            }
            signal.bind(Ear<Int>()) { _, _ in _ = last }
        }
        // The owner is gone. After this value its listener is dropped, and releases `last`.
        input.send(value: 1)
        #expect(ear.heard == [1, 7])
        #expect(late.heard == [7])
    }

    @Test func `a signal keeps at most twice as many listeners as are in use`() {
        weak var oldest: Ear<Int>?
        for number in 0..<1_000 {
            let held = Ear<Int>()
            if number == 900 { oldest = held }
            signal.bind(Ear<Int>()) { _, _ in _ = held }
        }
        // Nothing was sent. Handlers of released owners have made room for later ones.
        #expect(oldest == nil)
    }
}
