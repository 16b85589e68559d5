public import BusdProtocol

/// `echo/NAME`: sends each text back.
public final class EchoViewModel: HostedViewModel {
    public typealias Kind = Echo
    public typealias Services = Void

    public static let placement = Placement.onDemand

    public let output = Output<Echo.ViewModelEvent>()

    public init(at address: Address, services: Void) {}

    public func handle(event: Echo.ViewEvent) {
        switch event {
        case .say(let text): output.send(.said(text: text))
        }
    }
}
