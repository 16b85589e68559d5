import BusdProtocol
import Kitchen

/// An order, as the store has it.
public struct Ticket: Thing {
    public static let kind = "ticket"

    public struct Seed: Codable, Sendable {
        public var table: Int
        public var dishes: [String]
    }

    /// The log has these names. They are permanent, and so is the effect of each action.
    public enum Action: Codable, Sendable {
        case ready(dish: Int)
        case undone
        case served
        case reopened
    }

    /// What the list of orders shows.
    public struct Summary: Codable, Equatable, Sendable {
        var table: Int
        var ready: Int
        var dishes: Int
        /// On the daemon's clock, in microseconds.
        var served: Int64?
    }

    private let table: Int
    private let texts: [String]
    /// The places of the dishes that are ready, in the order in which they were.
    private var ready: [Int] = []
    private var served: Int64?

    public init(_ seed: Seed) { (table, texts) = (seed.table, seed.dishes) }

    public mutating func apply(_ action: Action, at time: Instant) -> Bool {
        switch action {
        case .ready(let dish):
            guard texts.indices.contains(dish), !ready.contains(dish) else { return false }
            ready.append(dish)
        case .undone: return ready.popLast() != nil
        case .served:
            guard served == nil else { return false }
            served = time.microseconds
        case .reopened:
            guard let expiry = Self.expiry(of: summary), time < expiry else { return false }
            served = nil
        }
        return true
    }

    var dishes: [Order.Dish] {
        texts.indices.map { Order.Dish(text: texts[$0], isReady: ready.contains($0)) }
    }

    public var summary: Summary {
        Summary(table: table, ready: ready.count, dishes: texts.count, served: served)
    }

    /// A served order stays in the list for ten minutes.
    public static func expiry(of summary: Summary) -> Instant? {
        summary.served.map { Instant(microseconds: $0) + Deletion.span }
    }
}
