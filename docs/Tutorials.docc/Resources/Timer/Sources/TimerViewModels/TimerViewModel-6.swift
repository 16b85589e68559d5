import BusdProtocol
import Timer

/// Counts down from a length, and rings at the end.
public final class TimerViewModel: HostedViewModel {
    public typealias Kind = Timer
    public typealias Services = any HasClock & HasChime

    // The first client that asks for timer/NAME makes it.
    public static let placement = Placement.onDemand

    public let output = Output<Timer.ViewModelEvent>()
    private let address: Address
    private let clock: any Clock
    private let chime: any Chime
    private var length = 180
    private var secondsLeft = 180
    /// `nil` while the timer is paused.
    private var tick: ScheduledAction?
    private var laps: [Timer.Lap] = []
    private var lastLap = 0

    public init(at address: Address, services: Services) {
        self.address = address
        clock = services.clock
        chime = services.chime
    }

    public func start() {
        showTime()
        output.send(.laps(laps: laps))
    }

    public func handle(event: Timer.ViewEvent) {
        switch event {
        case .lengthChanged(let seconds): setLength(seconds)
        case .start: run()
        case .pause: pause()
        case .lap: addLap()
        case .deleteLap(let id): deleteLap(id)
        }
    }

    // MARK: Time

    private func setLength(_ seconds: Int) {
        guard tick == nil, 1...86_400 ~= seconds else { return }
        length = seconds
        secondsLeft = seconds
        showTime()
    }

    private func run() {
        guard tick == nil else { return }
        if secondsLeft == 0 { secondsLeft = length }
        scheduleTick(at: clock.now + .seconds(1))
        showTime()
    }

    private func pause() {
        tick = nil
        showTime()
    }

    private func scheduleTick(at instant: Instant) {
        tick = clock.schedule(at: instant) { [weak self] in self?.secondPassed(at: instant) }
    }

    private func secondPassed(at instant: Instant) {
        secondsLeft -= 1
        if secondsLeft > 0 {
            // A second after the last tick, not after now: the loop may be late.
            scheduleTick(at: instant + .seconds(1))
        } else {
            tick = nil
            chime.ring(for: address)
            output.send(.rang)
        }
        showTime()
    }

    // An output passes on only values that have changed, so all of them can be sent.
    private func showTime() {
        output.send(.time(text: text, seconds: secondsLeft))
        output.send(.running(isRunning: tick != nil))
    }

    private var text: String {
        let seconds = secondsLeft % 60
        return "\(secondsLeft / 60):" + (seconds < 10 ? "0" : "") + "\(seconds)"
    }

    // MARK: The list

    public func refusal(of event: Timer.ViewEvent) -> Refusal? {
        guard event == .lap, laps.count >= Timer.laps.most else { return nil }
        return .overloaded("there are \(Timer.laps.most) laps: delete one", limit: Timer.laps)
    }

    private func addLap() {
        lastLap += 1
        let lap = Timer.Lap(id: lastLap, text: text)
        edit(.insert(at: 0, row: lap))
    }

    private func deleteLap(_ id: Int) {
        guard let place = laps.firstIndex(where: { $0.id == id }) else { return }
        edit(.delete(at: place))
    }

    private func edit(_ edit: Edit<Timer.Lap>) {
        guard laps.apply([edit]) else { return }
        output.send(.lapsEdited(edits: [edit]), current: .laps(laps: laps))
    }
}
