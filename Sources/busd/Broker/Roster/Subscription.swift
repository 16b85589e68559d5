import BusdProtocol

/// A subscription of a connection.
struct Subscription {
    let pattern: Pattern
    let name: String?
    let only: Filter?
    private let charge: Charge

    init(_ pattern: Pattern, as name: String?, only: Filter?, _ account: Account) {
        self.pattern = pattern
        self.name = name
        self.only = only
        let texts = 3 * pattern.text.utf8.count + (name?.utf8.count ?? 0)
        charge = Charge(Self.ownBytes + texts, on: account)
    }

    /// Bytes that one takes, about.
    var bytes: Int { charge.bytes + (only?.bytes ?? 0) }

    private static let ownBytes = 384
}

/// The event names of `only`.
final class Filter {
    /// Only names of existing events, so there are few.
    let names: Set<ExactText>
    /// Indexed by event number; read for each event and watcher.
    private let numbers: [Bool]
    private let charge: Charge

    init(_ names: Set<ExactText>, of all: [ExactText: Int], _ account: Account) {
        self.names = names.filter { all[$0] != nil }
        let wanted = Set(self.names.compactMap { all[$0] })
        numbers = (0...(wanted.max() ?? 0)).map(wanted.contains)
        charge = Charge(128 + 48 * self.names.count + numbers.count, on: account)
    }

    /// Wants the events that `filter` or `other` wants, both of one connection. The bytes count
    /// where those of `filter` count.
    init(_ filter: Filter, _ other: Filter) {
        names = filter.names.union(other.names)
        numbers = (0..<max(filter.numbers.count, other.numbers.count)).map {
            filter.wants($0) || other.wants($0)
        }
        charge = Charge(128 + 48 * names.count + numbers.count, on: filter.charge.account)
    }

    func wants(_ number: Int) -> Bool { number < numbers.count && numbers[number] }

    /// Bytes that it takes, about.
    var bytes: Int { charge.bytes }
}
