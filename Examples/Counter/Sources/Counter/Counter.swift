import Protocol

/// `counter/NAME`: how many people are in a hall.
public enum Counter: ViewModelKind {
    public static let name = "counter"

    public enum ViewEvent: WireEvent {
        case somebodyCame
        case somebodyLeft
        case hallResized(places: Int)

        public static let examples: [Self] = [
            .somebodyCame, .somebodyLeft, .hallResized(places: 50),
        ]
    }

    public enum ViewModelEvent: WireEvent {
        case count(text: String, people: Int)
        case doorOpened(isOpen: Bool)
        /// Somebody came to a closed door.
        case turnedAway

        public static let examples: [Self] = [
            .count(text: "3 of 50", people: 3), .doorOpened(isOpen: true), .turnedAway,
        ]

        // Values: a view that was away is told the newest. A message would be missed.
        public var delivery: Delivery {
            switch self {
            case .count, .doorOpened: .latest
            case .turnedAway: .every
            }
        }
    }
}
