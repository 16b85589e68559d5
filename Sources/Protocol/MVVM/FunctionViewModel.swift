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
