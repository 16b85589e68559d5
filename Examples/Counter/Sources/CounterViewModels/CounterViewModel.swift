import BusdProtocol
import Counter

/// Counts the people in a hall, and closes the door when the hall is full.
public final class CounterViewModel: DurableViewModel {
    public typealias Kind = Counter

    // The first client that asks for counter/NAME makes it.
    public static let placement = Placement.onDemand

    public let output = Output<Counter.ViewModelEvent>()
    private let name: ExactText
    private let halls: Library<Hall>

    public init(at address: Address, services halls: Library<Hall>) {
        name = ExactText(address.name)
        self.halls = halls
    }

    deinit { halls.unfollow(name) }

    // The events of this view model change one hall.
    public var subject: Subject { halls.subject(name) }

    public func start() {
        show(halls[name] ?? Hall())
        halls.follow(name).bind(self) { $0.show($1 ?? Hall()) }
    }

    public func refusal(of event: Counter.ViewEvent) -> Refusal? {
        guard !halls.contains(name), halls.count >= Counter.halls.most else { return nil }
        return .overloaded(
            "there are \(Counter.halls.most) halls: use one of them", limit: Counter.halls)
    }

    public func handle(event: Counter.ViewEvent) {
        switch event {
        case .guestEntered:
            halls.propose(.came, to: name) { [weak self] outcome in
                if case .noEffect = outcome { self?.output.send(.turnedAway) }
            }
        case .guestLeft: halls.propose(.left, to: name)
        case .hallResized(let places): halls.propose(.resized(places: places), to: name)
        }
    }

    // An output passes on only values that have changed, so all of them can be sent.
    private func show(_ hall: Hall) {
        output.send(.count(text: "\(hall.people) of \(hall.places)", people: hall.people))
        output.send(.doorOpened(isOpen: hall.isOpen))
    }
}
