import BusdProtocol

/// The smallest view model that says what it hears.
final class EchoForTests: HostedViewModel {
    typealias Kind = Echo
    static let placement = Placement.onDemand

    let output = Output<Echo.ViewModelEvent>()

    init(at address: Address, services: Void) {}

    func handle(event: Echo.ViewEvent) {
        switch event {
        case .say(let text): output.send(.said(text: text))
        }
    }
}
