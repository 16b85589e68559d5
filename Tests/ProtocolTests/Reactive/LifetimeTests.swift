import Testing

@testable import BusdProtocol

/// Tests which references keep an object alive. Weak references observe channels and captures.
@Suite struct LifetimeTests {
    /// Two signals and a property for operators, and the inputs of the signals.
    final class World {
        var signal: Signal<Int>?
        var other: Signal<Int>?
        var property: MutableProperty<Int>?
        var inputs: [Signal<Int>.Observer]

        final class Value {}

        init() {
            let (pipe, otherPipe) = (Signal<Int>.pipe(), Signal<Int>.pipe())
            (signal, other) = (pipe.output, otherPipe.output)
            inputs = [pipe.input, otherPipe.input]
            property = MutableProperty(0)
        }

        func send(_ value: Int) {
            inputs.forEach { $0.send(value: value) }
            property?.value = value
        }
    }

    /// A closure captures it, so a weak reference shows whether the closure is still alive.
    final class Held {
        func callAsFunction(_ value: Int) -> Int { value }
    }

    struct Making: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make:
            @Sendable (Signal<Int>, Signal<Int>, MutableProperty<Int>, Held) -> BindingSource<Int>
    }

    static let makings = [
        Making(testDescription: "map") { a, _, _, held in a.map { held($0) } },
        Making(testDescription: "filter") { a, _, _, held in a.filter { held($0) == $0 } },
        Making(testDescription: "compactMap") { a, _, _, held in a.compactMap { held($0) } },
        Making(testDescription: "scan") { a, _, _, held in a.scan(0) { $0 + held($1) } },
        Making(testDescription: "skipRepeats") { a, _, _, held in
            a.skipRepeats { held($0) == $1 }
        },
        Making(testDescription: "merge") { a, b, _, held in Signal.merge(a.map { held($0) }, b) },
        Making(testDescription: "combineLatest") { a, b, _, held in
            Signal.combineLatest(a, b).map { held($0) + $1 }
        },
        Making(testDescription: "combineLatest of four") { a, b, p, held in
            Signal.combineLatest(a, b, p.signal, a).map { held($0) + $1 + $2 + $3 }
        },
        Making(testDescription: "sample(on:)") { a, b, _, held in
            a.map { held($0) }.sample(on: b)
        },
        Making(testDescription: "sample(with:)") { _, b, p, held in
            p.sample(with: b).map { held($0) + $1 }
        },
        Making(testDescription: "withLatest(from:)") { a, _, p, held in
            a.withLatest(from: p).map { held($0) + $1 }
        },
        Making(testDescription: "property map") { _, _, p, held in p.map { held($0) } },
        Making(testDescription: "property skipRepeats") { _, _, p, held in
            p.skipRepeats { held($0) == $1 }
        },
        Making(testDescription: "property combineLatest") { _, _, p, held in
            Property.combineLatest(p, p.map { held($0) }, p).map { $0 + $1 + $2 }
        },
        Making(testDescription: "property signal") { _, _, p, held in
            p.signal.map { held($0) }
        },
        Making(testDescription: "Property(initial:then:)") { a, _, _, held in
            Property(initial: 0, then: a.map { held($0) })
        },
        Making(testDescription: "<~ signal") { a, _, _, held in
            let target = MutableProperty(0)
            target <~ a.map { held($0) }
            return target
        },
        Making(testDescription: "<~ property") { _, _, p, held in
            let target = MutableProperty(0)
            target <~ p.map { held($0) }
            return target
        },
    ]

    @Test(arguments: makings)
    func `An operator is released together with its source`(making: Making) throws {
        weak var held: Held?
        weak var channel: AnyObject?
        weak var world: World?
        do {
            let (kept, here) = (Held(), World())
            (held, world) = (kept, here)
            let made = try make(making, here, kept)
            channel = made.channel
            let recorder = Recorder(made)
            made.observeValues { _ in withExtendedLifetime(recorder) {} }
            here.send(1)
            here.send(2)
            #expect(!recorder.values.isEmpty)
            #expect(held != nil)
        }
        #expect(held == nil)
        #expect(channel == nil)
        #expect(world == nil)
    }

    @Test(arguments: makings)
    func `An operator without a user is released with the next value`(making: Making) throws {
        let world = World()
        weak var held: Held?
        weak var channel: AnyObject?
        do {
            let kept = Held()
            held = kept
            channel = try make(making, world, kept).channel
        }
        world.send(1)
        #expect(held == nil)
        #expect(channel == nil)
    }

    @Test(arguments: makings)
    func `An operator lives as long as the owner of its listener`(making: Making) throws {
        let world = World()
        weak var held: Held?
        var recorder: Recorder<Int>?
        do {
            let kept = Held()
            held = kept
            recorder = Recorder(try make(making, world, kept))
        }
        for value in 1...3 { world.send(value) }
        #expect(held != nil)
        #expect(recorder?.take().isEmpty == false)
        recorder = nil
        world.send(4)
        // A junction that was pending when its listener was gone is released with one more value.
        world.send(5)
        #expect(held == nil)
    }

    @Test(arguments: makings)
    func `An operator lives until the observation of its result is disposed of`(
        making: Making
    ) throws {
        let world = World()
        weak var held: Held?
        let observation: Disposable
        do {
            let kept = Held()
            held = kept
            observation = try make(making, world, kept).observeValues { _ in }
        }
        for value in 1...3 { world.send(value) }
        #expect(held != nil)
        observation.dispose()
        world.send(4)
        #expect(held == nil)
    }

    @Test(arguments: makings)
    func `An operator does not keep its source alive`(making: Making) throws {
        let world = World()
        weak var held: Held?
        let made: BindingSource<Int>
        do {
            let kept = Held()
            held = kept
            made = try make(making, world, kept)
        }
        weak let source = world.signal?.channel
        weak let property = world.property
        let recorder = Recorder(made)
        world.send(1)
        (world.signal, world.other, world.property, world.inputs) = (nil, nil, nil, [])
        #expect(source == nil)
        #expect(property == nil)
        // No value can arrive any more, so the operator's closure is released as well.
        #expect(held == nil)
        withExtendedLifetime((made, recorder)) {}
    }

    @Test func `An operator is not released while it is connected to its sources`() {
        // A full list of listeners drops unwanted operators. Here it is full between the first
        // and the second connection of an operator.
        let (signal, input) = Signal<Int>.pipe()
        let merged = (0..<100).map { _ in Recorder(Signal.merge(signal, signal)) }
        let combined = (0..<100).map { _ in Recorder(Signal.combineLatest(signal, signal).map(+)) }
        input.send(value: 1)
        #expect(merged.allSatisfy { $0.values == [1, 1] })
        #expect(combined.allSatisfy { $0.values == [2] })
    }

    @Test func `An operator does not hold a value that a newer one has replaced`() {
        let (signal, input) = Signal<World.Value>.pipe()
        let property = Property(initial: World.Value(), then: signal)
        let target = MutableProperty(World.Value())
        target <~ signal
        let operators: [BindingSource<World.Value>] = [
            property.map { $0 }, property.skipRepeats(===), signal.skipRepeats(===), target,
            signal.scan(World.Value()) { $1 }, property.sample(on: signal),
            signal.withLatest(from: target).map { $0.0 },
            Property.combineLatest(property, target).map { $0.1 },
            Signal.combineLatest(signal, signal, signal).map { $0.2 },
        ]
        var count = 0
        for result in operators { result.observeValues { _ in count += 1 } }
        weak var first: World.Value?
        do {
            let value = World.Value()
            first = value
            input.send(value: value)
        }
        #expect(first != nil)
        input.send(value: World.Value())
        #expect(first == nil)
        #expect(count == 2 * operators.count)
    }

    @Test func `Only a handler that holds its own source makes a cycle`() {
        weak var held: Property<Int>?
        let number = MutableProperty(0)
        let observation: Disposable
        do {
            let doubled = number.map { $0 * 2 }
            held = doubled
            observation = doubled.observeValues { _ in _ = doubled.value }
        }
        number.value = 1
        // The closure holds the property. The caller has to dispose of the observation.
        #expect(held != nil)
        observation.dispose()
        #expect(held == nil)
    }

    private func make(
        _ making: Making, _ world: World, _ held: Held
    ) throws -> BindingSource<Int> {
        making.make(
            try #require(world.signal), try #require(world.other), try #require(world.property),
            held)
    }
}
