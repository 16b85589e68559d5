import BusdProtocol
import BusdTestKit
import Testing

/// `sum/NAME`: adds numbers up.
private enum Sum: ViewModelKind {
    static let name = "sum"

    enum ViewEvent: WireEvent {
        case added(number: Int)
        case cleared

        static let examples: [Self] = [.added(number: 1), .cleared]
    }

    enum ViewModelEvent: WireEvent {
        case total(value: Int)
        case isLarge(isLarge: Bool)
        case grew(by: Int)

        var delivery: Delivery {
            switch self {
            case .total, .isLarge: .latest
            case .grew: .every
            }
        }

        static let examples: [Self] = [
            .total(value: 1), .isLarge(isLarge: false), .grew(by: 1),
        ]
    }
}

/// The function. `limit` stands for a value from outside.
private func sum(
    added: Signal<Int>, cleared: Signal<Void>, limit: Property<Int>
) -> (total: Property<Int>, isLarge: Property<Bool>, grew: Signal<Int>) {
    let steps = Signal.merge(added.map { Optional($0) }, cleared.map { nil })
    let total = Property(
        initial: 0, then: steps.scan(0) { total, step in step.map { total + $0 } ?? 0 })
    let isLarge = Property.combineLatest(total, limit).map { $0 > $1 }
    return (total, isLarge, added.filter { $0 > 0 })
}

/// The services of the function.
private final class World {
    let limit = MutableProperty(100)
    /// The function's signals hold it, so a test sees when they are released.
    weak var life: Life?

    final class Life {}
}

private enum SumFunction: ViewModelFunction {
    typealias Kind = Sum
    static let placement = Placement.onDemand

    static func wire(at address: Address, services: World) -> Wiring<Sum>? {
        guard address.name != "13" else { return nil }
        let life = World.Life()
        services.life = life
        let (added, add) = Signal<Int>.pipe()
        let (cleared, clear) = Signal<Void>.pipe()
        return Wiring(
            sum(
                added: added.map { number in withExtendedLifetime(life) { number } },
                cleared: cleared, limit: services.limit),
            to: { .total(value: $0) }, { .isLarge(isLarge: $0) }, { .grew(by: $0) }
        ) { event in
            switch event {
            case .added(let number): add.send(value: number)
            case .cleared: clear.send()
            }
        }
    }
}

private typealias SumViewModel = FunctionViewModel<SumFunction>

@Suite struct FunctionViewModelTests {
    private let world = World()

    private func model() throws -> SumViewModel {
        try #require(SumViewModel(at: .literal("sum/a"), services: world))
    }

    @Test func `A function announces its properties in the order of its outputs, then each change`()
        throws
    {
        let view = RecordingView(try model())
        view.expect(.total(value: 0), .isLarge(isLarge: false))
        view.send(.added(number: 70))
        // grew and total follow from the event itself, in the order in which the function connected
        // them; isLarge is a combination, and comes after.
        view.expect(.total(value: 70), .grew(by: 70))
        view.send(.added(number: 70))
        view.expect(.total(value: 140), .grew(by: 70), .isLarge(isLarge: true))
        view.send(.cleared)
        view.expect(.total(value: 0), .isLarge(isLarge: false))
        view.send(.added(number: -3))
        view.expect(.total(value: -3))
    }

    @Test func `A function gets changes of its services, too`() throws {
        let view = RecordingView(try model(), only: ["isLarge"])
        view.expect(.isLarge(isLarge: false))
        world.limit.value = -1
        view.expect(.isLarge(isLarge: true))
    }

    @Test func `A function keeps its values for a view that binds later`() throws {
        let model = try model()
        let first = RecordingView(model)
        first.send(.added(number: 7))
        first.forget()
        let second = RecordingView(model)
        second.expect(.total(value: 7), .isLarge(isLarge: false))
    }

    @Test func `Each view model of a function has its own state`() throws {
        let (one, other) = (RecordingView(try model()), RecordingView(try model()))
        one.send(.added(number: 7))
        one.forget()
        other.expect(.total(value: 0), .isLarge(isLarge: false))
    }

    @Test func `An event before the start counts`() throws {
        let model = try model()
        model.handle(event: .added(number: 7))
        let view = RecordingView(model)
        // As with any view model, a message from before the start is lost.
        view.expect(.total(value: 7), .isLarge(isLarge: false))
    }

    @Test func `No view model exists if the function returns nil`() {
        #expect(SumViewModel(at: .literal("sum/13"), services: world) == nil)
    }

    @Test func `A view model has the placement of its function`() {
        #expect(SumViewModel.placement == .onDemand)
    }

    @Test func `The signals of a function live as long as its view model`() throws {
        var view: RecordingView<SumViewModel>? = RecordingView(try model())
        view?.send(.added(number: 7))
        view?.forget()
        #expect(world.life != nil)
        view = nil
        #expect(world.life == nil)
    }

    @Test func `A service that a function listens to does not keep it alive`() throws {
        weak var output: AnyObject?
        do {
            let model = try model()
            output = model.output
            model.startOnce()
        }
        #expect(output == nil)
        world.limit.value = 1
        world.limit.value = 2
    }

    @Test func `A function takes events that its own outputs cause`() throws {
        let model = try model()
        let view = RecordingView(model)
        let echo = Recorder<Sum.ViewModelEvent>()
        model.output.bind(echo) { _, event in
            if event == .total(value: 1) { model.handle(event: .added(number: 10)) }
        }
        view.forget()
        view.send(.added(number: 1))
        // Each signal finishes the first event before it begins the second.
        view.expect(.total(value: 1), .grew(by: 1), .total(value: 11), .grew(by: 10))
    }
}

/// The smallest function.
@Suite struct SingleOutputFunctionTests {
    private enum One: ViewModelFunction {
        typealias Kind = Sum
        static let placement = Placement.onDemand

        static func wire(at address: Address, services: Void) -> Wiring<Sum>? {
            let (added, add) = Signal<Int>.pipe()
            return Wiring(added.scan(0, +), to: { .total(value: $0) }) { event in
                if case .added(let number) = event { add.send(value: number) }
            }
        }
    }

    @Test func `A function with one output is hosted like any other`() throws {
        let model = try #require(FunctionViewModel<One>(at: .literal("sum/a"), services: ()))
        let view = RecordingView(model)
        view.send(.added(number: 2))
        view.send(.added(number: 3))
        view.expect(.total(value: 2), .total(value: 5))
    }
}
