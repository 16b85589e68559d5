/// A view model that is a plain function, from signals to signals and properties.
///
///     func sum(added: Signal<Int>, cleared: Signal<Void>)
///         -> (total: Property<Int>, passed100: Signal<Int>)
///     {
///         let total = Signal.merge(added.map { .some($0) }, cleared.map { nil })
///             .scan(0) { total, number in number.map { total + $0 } ?? 0 }
///         return (Property(initial: 0, then: total), total.filter { $0 > 100 })
///     }
///
///     enum SumFunction: ViewModelFunction {
///         typealias Kind = Sum
///         static let placement = Placement.onDemand
///
///         static func wire(at address: Address, services: Void) -> Wiring<Sum>? {
///             let (added, add) = Signal<Int>.pipe()
///             let (cleared, clear) = Signal<Void>.pipe()
///             return Wiring(
///                 sum(added: added, cleared: cleared),
///                 to: { .total(value: $0) }, { .passed100(total: $0) }
///             ) { event in
///                 switch event {
///                 case .added(let number): add.send(value: number)
///                 case .cleared: clear.send()
///                 }
///             }
///         }
///     }
///
///     host.register(FunctionViewModel<SumFunction>.self)
///
/// What is forgotten is a compile error: an input, because a function is called with all its
/// parameters; a view event, because the `switch` must be exhaustive; an output, because the tuple
/// and the list of events must be equally long.
public protocol ViewModelFunction {
    associatedtype Kind: ViewModelKind
    associatedtype Services = Void

    /// How view models of this kind come to be.
    static var placement: Placement { get }

    /// Whether what it shows outlives the daemon.
    static var isDurable: Bool { get }

    /// Calls the function; `nil` where there is nothing at that address.
    static func wire(at address: Address, services: Services) -> Wiring<Kind>?
}

extension ViewModelFunction {
    public static var isDurable: Bool { false }
}

/// How the signals of a function are connected to the events of a view model.
public struct Wiring<Kind: ViewModelKind> {
    fileprivate let start: (Output<Kind.ViewModelEvent>) -> Void
    fileprivate let handle: (Kind.ViewEvent) -> Void

    /// Each of the outputs becomes the event beside it. `handle` sends each view event into the
    /// function.
    public init<each Value>(
        _ outputs: (repeat BindingSource<each Value>),
        to event: repeat @escaping (each Value) -> Kind.ViewModelEvent,
        handle: @escaping (Kind.ViewEvent) -> Void
    ) {
        start = { output in repeat connect(each outputs, each event, output) }
        self.handle = handle
    }
}

private func connect<Value, Event: WireEvent>(
    _ source: BindingSource<Value>, _ event: @escaping (Value) -> Event, _ output: Output<Event>
) {
    source.bind(output) { output, value in output.send(event(value)) }
    if let value = source.present { output.send(event(value)) }
}

/// Hosts a function like any other view model. The signals inside live as long as it does.
///
/// `start()` announces the properties, in the order of the function's outputs. Of what one view
/// event causes, that is heard first which follows directly, in the order in which the function
/// connected it; then what comes of combinations, those upstream first. Outputs of the same signal
/// are in the order of the function's outputs.
public final class FunctionViewModel<Function: ViewModelFunction>: HostedViewModel {
    public typealias Kind = Function.Kind
    public typealias Services = Function.Services

    public static var placement: Placement { Function.placement }
    public static var isDurable: Bool { Function.isDurable }

    public let output = Output<Kind.ViewModelEvent>()
    private let wiring: Wiring<Kind>

    public init?(at address: Address, services: Services) {
        guard let wiring = Function.wire(at: address, services: services) else { return nil }
        self.wiring = wiring
    }

    public func start() { wiring.start(output) }

    public func handle(event: Kind.ViewEvent) { wiring.handle(event) }
}
