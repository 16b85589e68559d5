import BusdProtocol

/// `counter/NAME`: how many people are in a hall.
public enum Counter: ViewModelKind {
    public static let name = "counter"

    public enum ViewEvent: WireEvent {
        case somebodyCame
        case somebodyLeft
        case hallResized(places: Int)

        /// All of them mean the same later, so they may wait for the daemon.
        public var canWait: Bool { true }

        public static let examples: [Self] = [
            .somebodyCame, .somebodyLeft, .hallResized(places: 50),
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

        // A view that comes back gets the newest of a value. It has missed a message.
        public var delivery: Delivery {
            switch self {
            case .count, .doorOpened: .latest
            case .turnedAway: .every
            }
        }
    }
}
