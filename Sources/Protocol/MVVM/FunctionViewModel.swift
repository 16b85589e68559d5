/// Hosts a function like any other view model. The signals inside live as long as it does.
///
/// `start()` sends the properties, in the order of the function's outputs. After a view event, its
/// direct consequences are sent first, in the order in which the function connected them. Results
/// of combinations follow, upstream first. Outputs of the same signal keep the order of the
/// function's outputs.
public final class FunctionViewModel<Function: ViewModelFunction>: HostedViewModel {
    public typealias Kind = Function.Kind
    public typealias Services = Function.Services

    public static var placement: Placement { Function.placement }

    public let output = Output<Kind.ViewModelEvent>()
    private let wiring: Wiring<Kind>

    public init?(at address: Address, services: Services) {
        guard let wiring = Function.wire(at: address, services: services) else { return nil }
        self.wiring = wiring
    }

    public func start() { wiring.start(output) }

    public func handle(event: Kind.ViewEvent) { wiring.handle(event) }

    public func changes(handling event: Kind.ViewEvent) -> Bool {
        wiring.handle(event)
        return Function.changes(with: event)
    }
}
