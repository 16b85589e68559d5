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
}
