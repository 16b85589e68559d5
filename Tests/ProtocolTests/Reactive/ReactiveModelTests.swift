import BusdProtocol
import TestSupport
import Testing

/// Random graphs of signals and properties, and random schedules. Each node must send what the
/// model sends.
@Suite struct ReactiveModelTests {
    @Test(arguments: 0..<200)
    func `A random graph sends what the model sends`(seed: UInt64) {
        var graph = RandomGraph(seed: seed)
        for _ in 0..<60 { graph.step() }
    }

    /// Handlers send, bind and dispose at random while values are handled.
    @Test(arguments: 0..<200)
    func `All listeners get values in one order, whatever handlers do`(seed: UInt64) {
        let listeners = Listeners(seed: seed)
        for _ in 0..<10 { listeners.send() }
        listeners.check()
    }
}

/// A graph that grows, and loses handles and listeners, while values go through it.
private struct RandomGraph {
    private enum Made {
        case signal(Signal<Int>)
        case property(Property<Int>)

        var source: BindingSource<Int> {
            switch self {
            case .signal(let signal): signal
            case .property(let property): property
            }
        }
    }

    private struct Place {
        /// `nil` after the handle was released. Operators on the source continue.
        var made: Made?
        var recorder: Recorder<Int>?
        /// All sources that it depends on.
        let origins: Set<Int>
    }

    private var random: SeededGenerator
    private var model = ReactiveModel()
    private var places: [Place] = []
    private var inputs: [(place: Int, send: (Int) -> Void)] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for _ in 0..<2 { addSignalSource() }
        for _ in 0..<2 { addPropertySource() }
        for _ in 0..<8 { addOperator() }
    }

    mutating func step() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: addOperator()
        case 1: release()
        default: send()
        }
    }

    private mutating func send() {
        guard let input = inputs.randomElement(using: &random) else { return }
        let value = Int.random(in: 0..<12, using: &random)
        let expected = model.send(value, from: input.place)
        input.send(value)
        for (place, sent) in zip(places.indices, expected) {
            let kind = "\(model.nodes[place].kind) \(place)"
            if let recorder = places[place].recorder {
                #expect(recorder.take() == [sent].compactMap { $0 }, "\(kind)")
            }
            if case .property(let property) = places[place].made {
                #expect(property.value == model.nodes[place].value, "\(kind)")
            }
        }
    }

    /// Releases a handle, or stops listening.
    private mutating func release() {
        guard let place = places.indices.randomElement(using: &random) else { return }
        if Bool.random(using: &random) { places[place].made = nil }
        if Bool.random(using: &random) { places[place].recorder = nil }
    }

    // MARK: Growing

    private mutating func addSignalSource() {
        let (signal, input) = Signal<Int>.pipe()
        inputs.append((places.count, { input.send(value: $0) }))
        add(.source, .signal(signal), origins: [places.count])
    }

    private mutating func addPropertySource() {
        let property = MutableProperty(3)
        inputs.append((places.count, { property.value = $0 }))
        add(.source, .property(property), origins: [places.count])
    }

    private mutating func addOperator() {
        let picked = (0..<3).compactMap { _ in places.indices.randomElement(using: &random) }
        let sources = picked.compactMap { places[$0].made }
        guard sources.count == 3 else { return }
        let origins = picked.map { places[$0].origins }
        switch (sources[0], sources[1], sources[2]) {
        case (.signal(let a), .signal(let b), .signal(let c)):
            if Bool.random(using: &random) {
                addUnary(a, picked[0])
            } else if origins[0].isDisjoint(with: origins[1]) {
                add(.merge, .signal(.merge(a, b)), [picked[0], picked[1]])
            } else {
                let combined = Signal.combineLatest(a, b, c)
                    .map { ReactiveModel.combined([$0, $1, $2]) }
                add(.combineLatest, .signal(combined), picked)
            }
        case (.property(let a), .property(let b), _): addProperty(a, b, picked)
        case (_, .signal(let asking), _):
            addAsking(sources[0].source, asking, [picked[0], picked[1]])
        case (.signal(let a), .property, _): addUnary(a, picked[0])
        }
    }

    private mutating func addUnary(_ a: Signal<Int>, _ input: Int) {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: add(.map, .signal(a.map(ReactiveModel.transformed)), [input])
        case 1: add(.filter, .signal(a.filter(ReactiveModel.isIncluded)), [input])
        case 2: add(.compactMap, .signal(a.compactMap(ReactiveModel.compacted)), [input])
        case 3: add(.scan, .signal(a.scan(0, ReactiveModel.gathered)), [input])
        case 4: add(.skipRepeats, .signal(a.skipRepeats()), [input])
        case 5: add(.property, .property(Property(initial: 5, then: a)), [input])
        default:
            let target = MutableProperty(6)
            target <~ a
            add(.property, .property(target), [input])
        }
    }

    private mutating func addProperty(_ a: Property<Int>, _ b: Property<Int>, _ picked: [Int]) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: add(.map, .property(a.map(ReactiveModel.transformed)), [picked[0]])
        case 1: add(.skipRepeats, .property(a.skipRepeats()), [picked[0]])
        case 2: add(.signal, .signal(a.signal), [picked[0]])
        case 3:
            let target = MutableProperty(0)
            target <~ a
            add(.property, .property(target), [picked[0]])
        default:
            let combined = Property.combineLatest(a, b).map { ReactiveModel.combined([$0, $1]) }
            add(.combineLatest, .property(combined), [picked[0], picked[1]])
        }
    }

    private mutating func addAsking(
        _ a: BindingSource<Int>, _ asking: Signal<Int>, _ inputs: [Int]
    ) {
        if Bool.random(using: &random) {
            add(.sample, .signal(a.sample(on: asking)), inputs)
        } else {
            let both = asking.withLatest(from: a).map { ReactiveModel.combined([$0, $1]) }
            add(.withLatest, .signal(both), inputs)
        }
    }

    private mutating func add(
        _ kind: ReactiveModel.Operator, _ made: Made, _ inputs: [Int] = [],
        origins: Set<Int> = []
    ) {
        let origins = inputs.reduce(origins) { $0.union(places[$1].origins) }
        var value: Int?
        if case .property(let property) = made { value = property.value }
        model.add(kind, inputs, value: value)
        places.append(Place(made: made, recorder: Recorder(made.source), origins: origins))
    }
}

/// Listeners of one signal. Their handlers send, bind others and dispose of others at random.
private final class Listeners {
    private final class Listener {
        let name: Int
        /// The number of values sent before it was bound.
        let first: Int
        var received: [Int] = []
        var observation: Disposable?
        var isDisposed = false

        init(name: Int, first: Int) { (self.name, self.first) = (name, first) }
    }

    private let signal: Signal<Int>
    private let input: Signal<Int>.Observer
    private var random: SeededGenerator
    private var sent = 0
    private var listeners: [Listener] = []
    /// Handled values and their handlers, in order.
    private var trace: [(value: Int, name: Int)] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        (signal, input) = Signal.pipe()
        for _ in 0..<3 { join() }
    }

    func send() {
        sent += 1
        input.send(value: sent - 1)
    }

    private func join() {
        let listener = Listener(name: listeners.count, first: sent)
        listeners.append(listener)
        listener.observation = signal.observeValues { [weak self, weak listener] value in
            if let self, let listener { self.receive(value, listener) }
        }
    }

    private func receive(_ value: Int, _ listener: Listener) {
        #expect(!listener.isDisposed)
        listener.received.append(value)
        trace.append((value, listener.name))
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: if sent < 200 { send() }
        case 2: if listeners.count < 12 { join() }
        case 3:
            let leaving = listeners.randomElement(using: &random)
            leaving?.isDisposed = true
            leaving?.observation?.dispose()
        default: break
        }
    }

    func check() {
        for listener in listeners {
            let all = Array(listener.first..<max(sent, listener.first))
            if listener.isDisposed {
                #expect(all.starts(with: listener.received))
            } else {
                #expect(listener.received == all)
            }
        }
        // All members handle a value, in the order of binding, before any handles the next.
        let ordered = trace.sorted { ($0.value, $0.name) < ($1.value, $1.name) }
        #expect(zip(trace, ordered).allSatisfy { $0 == $1 })
    }
}
