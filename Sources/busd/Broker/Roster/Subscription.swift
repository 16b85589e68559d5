import BusdProtocol

/// A subscription of a connection.
struct Subscription {
    let pattern: Pattern
    /// As in `as` of the request.
    let name: String?
    /// `nil`: all events.
    let only: Filter?
    let since: UTCTime
    private let charge: Charge

    init(
        _ pattern: Pattern, as name: String?, only: Filter?, since: UTCTime, _ account: Account
    ) {
        self.pattern = pattern
        self.name = name
        self.only = only
        self.since = since
        let texts = 3 * pattern.text.utf8.count + (name?.utf8.count ?? 0)
        charge = Charge(Self.ownBytes + texts, on: account)
    }

    /// Estimated memory in bytes, with the filter.
    var bytes: Int { charge.bytes + (only?.bytes ?? 0) }

    /// Estimated memory without texts and filter.
    private static let ownBytes = 384
}

/// The events of `only`.
final class Filter {
    /// Whether each event is wanted, by its number. An array, because it is read for each event and
    /// watcher.
    private let wanted: [Bool]
    private let charge: Charge

    /// - Parameter names: those that no event has are ignored.
    init(_ names: Set<ExactText>, of all: EventNumbers, _ account: Account) {
        let wanted = Set(names.compactMap { all[$0]?.index })
        self.wanted = (0..<(wanted.max() ?? -1) + 1).map(wanted.contains)
        charge = Charge(128 + self.wanted.count, on: account)
    }

    /// The union of two filters of one connection. Its memory is charged to the account of
    /// `filter`.
    init(_ filter: Filter, _ other: Filter) {
        wanted = (0..<max(filter.wanted.count, other.wanted.count)).map {
            filter.wants($0) || other.wants($0)
        }
        charge = Charge(128 + wanted.count, on: filter.charge.account)
    }

    func wants(_ number: EventNumber) -> Bool { wants(number.index) }

    private func wants(_ index: Int) -> Bool { index < wanted.count && wanted[index] }

    /// Whether the other filter wants all that this one wants.
    func isCovered(by other: Filter) -> Bool {
        wanted.indices.allSatisfy { !wanted[$0] || other.wants($0) }
    }

    /// Estimated memory in bytes.
    var bytes: Int { charge.bytes }
}
