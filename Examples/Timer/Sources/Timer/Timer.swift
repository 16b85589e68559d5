import BusdProtocol

/// `timer/NAME`: counts down, and keeps a list of laps.
public enum Timer: ViewModelKind {
    public static let name = "timer"
    public static let laps = Limit("laps", most: 100)
    public static let limits = [laps]

    public enum ViewEvent: WireEvent {
        case lengthChanged(seconds: Int)
        case start
        case pause
        case lap
        case deleteLap(id: Int)

        public static let examples: [Self] = [
            .lengthChanged(seconds: 180), .start, .pause, .lap, .deleteLap(id: 1),
        ]

        // A lap that is sent later records another time.
        public var canWait: Bool {
            switch self {
            case .lengthChanged, .start, .pause: true
            case .lap, .deleteLap: false
            }
        }
    }

    public enum ViewModelEvent: WireEvent {
        case time(text: String, seconds: Int)
        case running(isRunning: Bool)
        /// The whole list: in the snapshot.
        case laps(laps: [Lap])
        /// Changes of the list, for views that have it.
        case lapsEdited(edits: [Edit<Lap>])
        case rang

        public static let examples: [Self] = [
            .time(text: "3:00", seconds: 180), .running(isRunning: true),
            .laps(laps: [Lap(id: 1, text: "2:15")]), .lapsEdited(edits: [.delete(at: 0)]), .rang,
        ]

        // A view that joins gets the newest of each value. It has missed the messages.
        public var delivery: Delivery {
            switch self {
            case .time, .running, .laps: .latest
            case .lapsEdited, .rang: .every
            }
        }
    }

    public struct Lap: Codable, Equatable, Sendable {
        public var id: Int
        /// The time that was left.
        public var text: String

        public init(id: Int, text: String) {
            self.id = id
            self.text = text
        }
    }
}

/// A client applies the edits to the list that it has.
extension Timer.ViewModelEvent: EditingEvent {
    public func edit(_ value: Self) -> Self? {
        guard case .lapsEdited(let edits) = self, case .laps(var laps) = value, laps.apply(edits)
        else { return nil }
        return .laps(laps: laps)
    }
}
