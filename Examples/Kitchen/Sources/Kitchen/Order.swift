import BusdProtocol

/// `order/NUMBER`: the dishes of an order.
public enum Order: ViewModelKind {
    public static let name = "order"

    public struct Dish: Codable, Equatable, Sendable {
        public var text: String
        public var isReady: Bool

        public init(text: String, isReady: Bool) { (self.text, self.isReady) = (text, isReady) }
    }

    public enum ViewEvent: WireEvent {
        /// The dish at this place, from 0, is ready.
        case ready(dish: Int)
        /// The dish that was ready last is not ready.
        case undo

        public static let examples: [Self] = [.ready(dish: 0), .undo]

        // Later, another dish may be the last one.
        public var canWait: Bool { self != .undo }
    }

    public enum ViewModelEvent: WireEvent {
        case dishes(dishes: [Dish])
        case dishesEdited(edits: [Edit<Dish>])

        public var delivery: Delivery {
            switch self {
            case .dishes: .latest
            case .dishesEdited: .every
            }
        }

        private static let dish = Dish(text: "soup", isReady: true)
        public static let examples: [Self] = [
            .dishes(dishes: [dish]), .dishesEdited(edits: Edit.examples(dish)),
        ]
    }
}

extension Order.ViewModelEvent: EditingEvent {
    public func edit(_ value: Self) -> Self? {
        guard case .dishesEdited(let edits) = self, case .dishes(var dishes) = value,
            dishes.apply(edits)
        else { return nil }
        return .dishes(dishes: dishes)
    }
}
