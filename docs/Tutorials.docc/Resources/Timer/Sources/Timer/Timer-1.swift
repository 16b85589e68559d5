import BusdProtocol

/// `timer/NAME`: counts down, and keeps a list of laps.
public enum Timer: ViewModelKind {
    public static let name = "timer"

    public enum ViewEvent: WireEvent {
        case lengthChanged(seconds: Int)
        case start
        case pause
        case lap
        case deleteLap(id: Int)

        public static let examples: [Self] = [
            .lengthChanged(seconds: 180), .start, .pause, .lap, .deleteLap(id: 1),
        ]

    }
}
