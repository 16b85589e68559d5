import BusdProtocol
import Counter

/// Counts the people in a hall, and closes the door when the hall is full.
public final class CounterViewModel: HostedViewModel {
    public typealias Kind = Counter

    // The first client that asks for counter/NAME makes it.
    public static let placement = Placement.onDemand

    public let output = Output<Counter.ViewModelEvent>()
    private var people = 0
    private var places = 100
    private var isOpen: Bool { people < places }

    public init(at address: Address, services: Void) {}

    public func start() { announce() }

    public func handle(event: Counter.ViewEvent) {
        switch event {
        case .somebodyCame where isOpen: people += 1
        case .somebodyCame: output.send(.turnedAway)
        case .somebodyLeft: people = max(0, people - 1)
        case .hallResized(let places): self.places = max(0, places)
        }
        announce()
    }

    // An output passes on only values that have changed, so all of them can be sent.
    private func announce() {
        output.send(.count(text: "\(people) of \(places)", people: people))
        output.send(.doorOpened(isOpen: isOpen))
    }
}
