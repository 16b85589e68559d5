import BusdProtocol

/// `orders`: the orders of a kitchen, the newest first. Each has a view model of its own, `Order`.
public enum Orders: ViewModelKind {
    public static let name = "orders"
    public static let orders = Limit("orders", most: 500)
    public static let dishes = Limit("dishes", most: 20)
    /// Bytes of the name of a dish.
    public static let dishText = Limit("dishText", most: 100)
    public static let limits = [orders, dishes, dishText]

    public struct Row: Codable, Equatable, Sendable {
        /// The number of the order. Its view model is at `order/` and the number.
        public var id: String
        public var table: Int
        public var ready: Int
        public var dishes: Int
        /// Served: for ten minutes, `reopen` takes this back.
        public var isServed: Bool

        public init(id: String, table: Int, ready: Int, dishes: Int, isServed: Bool) {
            (self.id, self.table, self.ready) = (id, table, ready)
            (self.dishes, self.isServed) = (dishes, isServed)
        }
    }

    public enum ViewEvent: WireEvent {
        case place(table: Int, dishes: [String])
        case serve(order: String)
        case reopen(order: String)

        /// Each event means the same later, so a client may keep it while the daemon is away.
        public var canWait: Bool { true }

        public static let examples: [Self] = [
            .place(table: 4, dishes: ["soup", "bread"]), .serve(order: "1"), .reopen(order: "1"),
        ]
    }

    public enum ViewModelEvent: WireEvent {
        /// All orders: in the snapshot.
        case orders(orders: [Row])
        /// Changes of the orders, for views that have them.
        case ordersEdited(edits: [Edit<Row>])

        public var delivery: Delivery {
            switch self {
            case .orders: .latest
            case .ordersEdited: .every
            }
        }

        private static let row = Row(id: "1", table: 4, ready: 1, dishes: 2, isServed: false)
        public static let examples: [Self] = [
            .orders(orders: [row]), .ordersEdited(edits: Edit.examples(row)),
        ]
    }
}

extension Orders.ViewModelEvent: EditingEvent {
    public func edit(_ value: Self) -> Self? {
        guard case .ordersEdited(let edits) = self, case .orders(var orders) = value,
            orders.apply(edits)
        else { return nil }
        return .orders(orders: orders)
    }
}
