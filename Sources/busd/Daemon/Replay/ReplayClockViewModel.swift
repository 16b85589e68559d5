import BusdHosting
import BusdProtocol

/// `bus/clock` of a replay.
final class ReplayClockViewModel: HostedViewModel, BusOwned {
    typealias Kind = BusClock

    static let placement = Placement.fixed(BusClock.address)

    let output = Output<BusClock.ViewModelEvent>()
    private let replay: Replay

    init(at address: Address, services: Replay) {
        replay = services
        show()
        replay.whenMoved = { [weak self] in self?.show() }
    }

    private func show() { output.send(replay.status) }

    func refusal(of event: BusClock.ViewEvent) -> Refusal? {
        guard case .goTo(let text) = event else { return nil }
        guard let position = ReplayPosition(text) else {
            return Refusal(.badEvent, "goTo needs \(ReplayPosition.forms)", at: "at")
        }
        return replay.problem(of: position).map { Refusal(.badEvent, $0, at: "at") }
    }

    func handle(event: BusClock.ViewEvent) { _ = changes(handling: event) }

    func changes(handling event: BusClock.ViewEvent) -> Bool {
        switch event {
        case .advance(let seconds): replay.advance(by: seconds.duration)
        case .pause: replay.pause()
        case .resume: replay.resume()
        case .goTo(let text): ReplayPosition(text).map { replay.go(to: $0) } ?? false
        }
    }
}
