import BusdProtocol

/// `counter/NAME`: how many people are in a hall.
public enum Counter: ViewModelKind {
    public static let name = "counter"
    public static let halls = Limit("halls", most: 1_000)
    public static let limits = [halls]

    public enum ViewEvent: WireEvent {
        case guestEntered
        case guestLeft
        case hallResized(places: Int)

        /// Each event means the same later, so a client may keep it while the daemon is away.
        public var canWait: Bool { true }

        public static let examples: [Self] = [
            .guestEntered, .guestLeft, .hallResized(places: 50),
        ]
    }

    public enum ViewModelEvent: WireEvent {
        case count(text: String, people: Int)
        case doorOpened(isOpen: Bool)
        /// A guest came to a closed door.
        case turnedAway

        public static let examples: [Self] = [
            .count(text: "3 of 50", people: 3), .doorOpened(isOpen: true), .turnedAway,
        ]

        // A view that joins gets the newest of each value. It has missed the messages.
        public var delivery: Delivery {
            switch self {
            case .count, .doorOpened: .latest
            case .turnedAway: .every
            }
        }
    }
}
