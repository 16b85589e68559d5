import BusdProtocol
import Testing

@Suite struct SignalTests {
    private let signal: Signal<Int>
    private let input: Signal<Int>.Observer

    init() { (signal, input) = Signal.pipe() }

    @Test func `Listeners get a value in the order in which they were bound`() {
        let owner = Recorder<Int>()
        var received: [String] = []
        signal.bind(owner) { _, value in received.append("first \(value)") }
        signal.observeValues { received.append("second \($0)") }
        signal.bind(owner) { _, value in received.append("third \(value)") }
        input.send(value: 1)
        input.send(value: 1)
        let once = ["first 1", "second 1", "third 1"]
        #expect(received == once + once)
    }

    @Test func `A listener gets no value from before it was bound`() {
        input.send(value: 1)
        let recorder = Recorder(signal)
        #expect(recorder.values == [])
        input.send(value: 2)
        #expect(recorder.values == [2])
    }

    @Test func `A signal of Void is sent without a value`() {
        let (taps, tap) = Signal<Void>.pipe()
        var count = 0
        taps.observeValues { count += 1 }
        tap.send()
        tap.send(value: ())
        #expect(count == 2)
    }

    @Test func `A signal lives as long as its input, and need not be held itself`() {
        var pipe: Signal<Int>.Pipe? = Signal.pipe()
        let input = pipe?.input
        let recorder = Recorder<Int>()
        if let output = pipe?.output { recorder.listen(to: output) }
        pipe = nil
        input?.send(value: 1)
        #expect(recorder.values == [1])
    }

    // MARK: A value that is sent while another is handled

    @Test func `All listeners get a value before one that is sent while it is handled`() {
        let (first, second) = (Recorder(signal), Recorder(signal))
        first.whenReceived = { [input] value in
            if value == 1 {
                input.send(value: 2)
                input.send(value: 3)
            }
            if value == 2 { input.send(value: 4) }
        }
        input.send(value: 1)
        #expect(first.values == [1, 2, 3, 4])
        #expect(second.values == [1, 2, 3, 4])
    }

    @Test func `An inner send returns before its value is handled`() {
        var trace: [String] = []
        signal.observeValues { [input] value in
            trace.append("\(value) begins")
            if value == 1 { input.send(value: 2) }
            trace.append("\(value) ends")
        }
        input.send(value: 1)
        #expect(trace == ["1 begins", "1 ends", "2 begins", "2 ends"])
    }

    @Test func `A long feedback does not grow the stack`() {
        let recorder = Recorder(signal)
        recorder.whenReceived = { [input] value in
            if value < 100_000 { input.send(value: value + 1) }
        }
        input.send(value: 1)
        #expect(recorder.values.count == 100_000)
    }

    @Test func `A value does not wait for another signal`() {
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

    @Test func `A listener that is bound during a value gets what is sent after it`() {
        let (first, second) = (Recorder(signal), Recorder<Int>())
        first.whenReceived = { [signal, input] value in
            guard value == 1 else { return }
            input.send(value: 2)
            // Two values have been sent before this binding, so it gets neither.
            second.listen(to: signal)
            input.send(value: 3)
        }
        input.send(value: 1)
        #expect(second.values == [3])
        #expect(first.values == [1, 2, 3])
    }

    @Test func `A signal holds owners weakly, and skips the listeners of released owners`() {
        let early = Recorder(signal)
        var owner: Recorder<Int>? = Recorder()
        weak let gone = owner
        var received = 0
        if let owner { signal.bind(owner) { _, _ in received += 1 } }
        early.whenReceived = { value in if value == 2 { owner = nil } }
        input.send(value: 1)
        // An earlier listener of this value releases the owner.
        input.send(value: 2)
        #expect(gone == nil)
        #expect(received == 1)
    }

    @Test func `A handler gets values until its observation is disposed of`() {
        var received: [Int] = []
        let observation = signal.observeValues { received.append($0) }
        input.send(value: 1)
        observation.dispose()
        observation.dispose()
        input.send(value: 2)
        #expect(received == [1])
    }

    @Test func `A handler gets values after its observation was dropped`() {
        var received: [Int] = []
        do { _ = signal.observeValues { received.append($0) } }
        input.send(value: 1)
        #expect(received == [1])
    }

    @Test func `A handler may dispose of its own and of other observations`() {
        var received: [String] = []
        var observations: [Disposable] = []
        for name in ["a", "b", "c"] {
            observations.append(
                signal.observeValues { [input] value in
                    received.append("\(name) \(value)")
                    guard name == "b" else { return }
                    input.send(value: value + 1)
                    observations.forEach { $0.dispose() }
                })
        }
        input.send(value: 1)
        // c was disposed of before it got 1, a and b before they got 2, which waited.
        #expect(received == ["a 1", "b 1"])
        observations = []
    }

    @Test func `A handler is released as soon as it is disposed of`() {
        weak var held: Recorder<Int>?
        let observation: Disposable
        do {
            let recorder = Recorder<Int>()
            held = recorder
            observation = signal.observeValues { recorder.receive($0) }
        }
        #expect(held != nil)
        observation.dispose()
        #expect(held == nil)
    }

    @Test func `A captured object may dispose and send when it is released`() {
        final class Once {
            var observation: Disposable?
            let whenGone: () -> Void
            init(_ whenGone: @escaping () -> Void) { self.whenGone = whenGone }
            deinit {
                observation?.dispose()
                whenGone()
            }
        }
        let recorder = Recorder(signal)
        var observation: Disposable?
        do {
            let once = Once { [input] in input.send(value: 7) }
            observation = signal.observeValues { _ in _ = once }
            once.observation = observation
        }
        observation?.dispose()
        #expect(recorder.values == [7])
    }

    @Test func `An object of a dropped listener may bind and send when it is released`() {
        final class Last {
            let whenGone: () -> Void
            init(_ whenGone: @escaping () -> Void) { self.whenGone = whenGone }
            deinit { whenGone() }
        }
        let (recorder, late) = (Recorder(signal), Recorder<Int>())
        do {
            let last = Last { [signal, input] in
                late.listen(to: signal)
                input.send(value: 7)
            }
            signal.bind(Recorder<Int>()) { _, _ in _ = last }
        }
        // The owner is gone. After this value its listener is dropped, and releases `last`.
        input.send(value: 1)
        #expect(recorder.values == [1, 7])
        #expect(late.values == [7])
    }

    @Test func `A signal keeps at most twice as many listeners as are in use`() {
        weak var oldest: Recorder<Int>?
        for number in 0..<1_000 {
            let held = Recorder<Int>()
            if number == 900 { oldest = held }
            signal.bind(Recorder<Int>()) { _, _ in _ = held }
        }
        // Nothing was sent. Handlers of released owners have made room for later ones.
        #expect(oldest == nil)
    }
}
