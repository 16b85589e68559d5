import BusdProtocol

/// Events and a view model for tests: two values and a message.
enum Tally: WireEvent {
    case count(value: Int)
    case title(text: String)
    case rang(times: Int)

    var delivery: Delivery {
        switch self {
        case .count, .title: .latest
        case .rang: .every
        }
    }

    static let examples: [Self] = [.count(value: 1), .title(text: "Laps"), .rang(times: 2)]
}

enum Tap: WireEvent {
    case tapped
    case renamed(text: String)

    static let examples: [Self] = [.tapped, .renamed(text: "Laps")]
}

final class CounterViewModel: ViewModel {
    let output = Output<Tally>()
    private(set) var starts = 0
    private var count = 0

    func start() {
        starts += 1
        output.send(.count(value: count))
        output.send(.title(text: "Laps"))
    }

    func handle(event: Tap) {
        switch event {
        case .tapped:
            count += 1
            output.send(.count(value: count))
            output.send(.rang(times: count))
        case .renamed(let text): output.send(.title(text: text))
        }
    }
}

/// A view that records the events it gets.
final class ListView: View {
    let output = Output<Tap>()
    private(set) var shown: [Tally] = []
    private(set) var setUps = 0
    var whenSetUp: () -> Void = {}
    var whenShown: (Tally) -> Void = { _ in }

    func setupBindings() {
        setUps += 1
        whenSetUp()
    }

    func handle(event: Tally) {
        shown.append(event)
        whenShown(event)
    }
}

/// Records the events of an output.
final class Listener {
    var received: [Tally] = []

    func listen(to output: Output<Tally>) {
        output.bind(self) { $0.received.append($1) }
    }
}
