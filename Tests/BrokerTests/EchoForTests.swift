import BusdEcho
import BusdProtocol

/// A minimal view model: it emits each text that it gets.
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
