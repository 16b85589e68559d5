import BusdProtocol
import Testing

@Suite struct `A signal` {
    private let signal: Signal<Int>
    private let input: Signal<Int>.Observer

    init() { (signal, input) = Signal.pipe() }

    @Test func `tells its listeners in the order in which they came`() {
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

    @Test func `tells nobody what was sent before`() {
        input.send(value: 1)
        let ear = Ear(signal)
        #expect(ear.heard == [])
        input.send(value: 2)
        #expect(ear.heard == [2])
    }

    @Test func `of nothing is sent without a value`() {
        let (taps, tap) = Signal<Void>.pipe()
        var count = 0
        taps.observeValues { count += 1 }
        tap.send()
        tap.send(value: ())
        #expect(count == 2)
    }

    @Test func `is heard as long as its input is held, and needs not be held itself`() {
        var pipe: Signal<Int>.Pipe? = Signal.pipe()
        let input = pipe?.input
        let ear = Ear<Int>()
        if let output = pipe?.output { ear.listen(to: output) }
        pipe = nil
        input?.send(value: 1)
        #expect(ear.heard == [1])
    }

    // MARK: A value that is sent while another is being heard

    @Test func `tells all a value before one that is sent while it is heard`() {
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

    @Test func `returns from an inner send before the value has been heard`() {
        var trace: [String] = []
        signal.observeValues { [input] value in
            trace.append("\(value) begins")
            if value == 1 { input.send(value: 2) }
            trace.append("\(value) ends")
        }
        input.send(value: 1)
        #expect(trace == ["1 begins", "1 ends", "2 begins", "2 ends"])
    }

    @Test func `lets a long feedback run without growing the stack`() {
        let ear = Ear(signal)
        ear.whenHeard = { [input] value in if value < 100_000 { input.send(value: value + 1) } }
        input.send(value: 1)
        #expect(ear.heard.count == 100_000)
    }

    @Test func `lets a value wait in one signal alone`() {
        // 2 is sent while 1 is heard, on another signal: nothing there is in its way.
        let (other, otherInput) = Signal<Int>.pipe()
        var trace: [String] = []
        signal.observeValues { _ in otherInput.send(value: 2) }
        signal.observeValues { trace.append("signal \($0)") }
        other.observeValues { trace.append("other \($0)") }
        input.send(value: 1)
        #expect(trace == ["other 2", "signal 1"])
    }

    // MARK: Listeners that come and go

    @Test func `is heard by one who comes while a value is heard from the next sending on`() {
        let (first, second) = (Ear(signal), Ear<Int>())
        first.whenHeard = { [signal, input] value in
            guard value == 1 else { return }
            input.send(value: 2)
            // Two have been sent: the second listener comes too late for both.
            second.listen(to: signal)
            input.send(value: 3)
        }
        input.send(value: 1)
        #expect(second.heard == [3])
        #expect(first.heard == [1, 2, 3])
    }

    @Test func `holds an owner weakly, and is not heard for one who is gone`() {
        let early = Ear(signal)
        var owner: Ear<Int>? = Ear()
        weak let gone = owner
        var heard = 0
        if let owner { signal.bind(owner) { _, _ in heard += 1 } }
        early.whenHeard = { value in if value == 2 { owner = nil } }
        input.send(value: 1)
        // It goes while the value that it would hear next is heard by another.
        input.send(value: 2)
        #expect(gone == nil)
        #expect(heard == 1)
    }

    @Test func `is heard until the observation is disposed of`() {
        var heard: [Int] = []
        let observation = signal.observeValues { heard.append($0) }
        input.send(value: 1)
        observation.dispose()
        observation.dispose()
        input.send(value: 2)
        #expect(heard == [1])
    }

    @Test func `is heard on when an observation is dropped`() {
        var heard: [Int] = []
        do { _ = signal.observeValues { heard.append($0) } }
        input.send(value: 1)
        #expect(heard == [1])
    }

    @Test func `may be left inside a handler, by oneself and by others`() {
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
        // c was disposed of before it heard, a and b before the value that waits.
        #expect(heard == ["a 1", "b 1"])
        observations = []
    }

    @Test func `lets a handler go at once that is disposed of`() {
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

    @Test func `bears a handler that ends its own observation when it goes`() {
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

    @Test func `bears what a dropped listener does when it goes`() {
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
        // The owner is gone: after this value its listener is dropped, and what that held goes.
        input.send(value: 1)
        #expect(ear.heard == [1, 7])
        #expect(late.heard == [7])
    }

    @Test func `keeps no more than twice the listeners that are wanted`() {
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
