import BusdProtocol

/// `bill/NAME`: what each guest at a table pays.
public enum Bill: ViewModelKind {
    public static let name = "bill"

    public enum ViewEvent: WireEvent {
        case priceChanged(cents: Int)
        case tipChanged(percent: Int)
        case guestsChanged(count: Int)

        public static let examples: [Self] = [
            .priceChanged(cents: 4_200), .tipChanged(percent: 15), .guestsChanged(count: 3),
        ]
    }

    public enum ViewModelEvent: WireEvent {
        case share(text: String)
        case guests(count: Int)
        /// A good tip was chosen.
        case waiterSmiled

        public static let examples: [Self] = [
            .share(text: "16.10"), .guests(count: 3), .waiterSmiled,
        ]

        public var delivery: Delivery {
            switch self {
            case .share, .guests: .latest
            case .waiterSmiled: .every
            }
        }
    }
}
