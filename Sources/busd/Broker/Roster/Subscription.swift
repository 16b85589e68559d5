import BusdProtocol

/// A subscription of a connection.
struct Subscription {
    let pattern: Pattern
    /// As in `as` of the request.
    let name: String?
    /// `nil`: all events.
    let only: Filter?
    private let charge: Charge

    init(_ pattern: Pattern, as name: String?, only: Filter?, _ account: Account) {
        self.pattern = pattern
        self.name = name
        self.only = only
        let texts = 3 * pattern.text.utf8.count + (name?.utf8.count ?? 0)
        charge = Charge(Self.ownBytes + texts, on: account)
    }

    /// Estimated memory in bytes, with the filter.
    var bytes: Int { charge.bytes + (only?.bytes ?? 0) }

    /// Estimated memory without texts and filter.
    private static let ownBytes = 384
}

/// The event names of `only`.
final class Filter {
    /// Contains only names of existing events, so there are few.
    let names: Set<ExactText>
    /// Whether each event is wanted, by its number. An array, because it is read for each event and
    /// watcher.
    private let numbers: [Bool]
    private let charge: Charge

    init(_ names: Set<ExactText>, of all: [ExactText: Int], _ account: Account) {
        self.names = names.filter { all[$0] != nil }
        let wanted = Set(self.names.compactMap { all[$0] })
        numbers = (0...(wanted.max() ?? 0)).map(wanted.contains)
        charge = Charge(128 + 48 * self.names.count + numbers.count, on: account)
    }

    /// The union of two filters of one connection. Its memory is charged to the account of
    /// `filter`.
    init(_ filter: Filter, _ other: Filter) {
        names = filter.names.union(other.names)
        numbers = (0..<max(filter.numbers.count, other.numbers.count)).map {
            filter.wants($0) || other.wants($0)
        }
        charge = Charge(128 + 48 * names.count + numbers.count, on: filter.charge.account)
    }

    func wants(_ number: Int) -> Bool { number < numbers.count && numbers[number] }

    /// Estimated memory in bytes.
    var bytes: Int { charge.bytes }
}
