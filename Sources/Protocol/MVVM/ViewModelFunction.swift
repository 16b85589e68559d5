/// A view model as a plain function, from signals to signals and properties. They hold all its
/// state. The function knows neither events nor addresses; `wire` connects it to them.
///
///     func sum(added: Signal<Int>, cleared: Signal<Void>)
///         -> (total: Property<Int>, passed100: Signal<Int>)
///     {
///         let changes: Signal<(Int) -> Int> = .merge(
///             added.map { number in { $0 + number } }, cleared.map { { _ in 0 } })
///         let total = changes.scan(0) { total, change in change(total) }
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
/// A forgotten connection is a compile error: an input, because a function is called with all its
/// parameters; a view event, because the `switch` must be exhaustive; an output, because each
/// element of the tuple has an event beside it.
public protocol ViewModelFunction {
    /// The name and the events of the kind.
    associatedtype Kind: ViewModelKind
    /// What `wire` gets from the daemon.
    associatedtype Services = Void

    /// When view models of this kind are made, and when they end.
    static var placement: Placement { get }

    /// Whether the event changes a value inside the function even if no output emits; see
    /// `HostedViewModel.changes(handling:)`. The default is false.
    static func changes(with event: Kind.ViewEvent) -> Bool

    /// Calls the function and connects it; `nil` if there is nothing at that address. On signals of
    /// the services, which outlive the function, use operators, `<~` and `bind`: they end with the
    /// function. An `observeValues` would not.
    static func wire(at address: Address, services: Services) -> Wiring<Kind>?
}

extension ViewModelFunction {
    public static func changes(with event: Kind.ViewEvent) -> Bool { false }
}

/// How the signals of a function are connected to the events of a view model.
public struct Wiring<Kind: ViewModelKind> {
    let start: (Output<Kind.ViewModelEvent>) -> Void
    let handle: (Kind.ViewEvent) -> Void

    /// Each value of an output, a signal or a property, becomes the event beside it. `handle` sends
    /// each view event into the function.
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
    if let value = source.currentValue { output.send(event(value)) }
}
