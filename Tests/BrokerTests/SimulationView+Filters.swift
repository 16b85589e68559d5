import BusdProtocol

// The events that the subscriptions of the client include.

extension SimulatedView {
    /// The union of the filters of subscriptions that match an address; `nil` if none matches. An
    /// inner `nil` wants all events.
    func filter(
        _ address: String, _ subscriptions: [Subscription]
    ) -> Set<String>?? {
        guard let address = Address(address) else { return nil }
        let matching = subscriptions.filter { $0.pattern.matches(address) }
        guard !matching.isEmpty else { return nil }
        let wanted = matching.compactMap(\.only)
        return .some(
            wanted.count < matching.count ? nil : wanted.reduce(into: Set()) { $0.formUnion($1) })
    }
    func filter(_ address: String) -> Set<String>?? { filter(address, subscriptions) }

    /// The current filter, and the possible filters after each request that has not been answered.
    /// A subscribe to an address may be refused, because there was no such view model.
    func filters(of address: String) -> [Set<String>?] {
        var possible = [subscriptions]
        var found = [filter(address) ?? nil]
        for request in pending {
            switch request.kind {
            case .subscribe(let pattern, let only, _):
                let refused = pattern.address == nil ? [] : possible
                for place in possible.indices { Self.add(pattern, only, to: &possible[place]) }
                possible += refused
            case .unsubscribe(let pattern):
                for place in possible.indices {
                    possible[place].removeAll { $0.pattern == pattern }
                }
            default: continue
            }
            for case .some(let only) in possible.map({ filter(address, $0) }) {
                found.append(only)
            }
        }
        return found
    }

    static func add(
        _ pattern: Pattern, _ only: Set<String>?, to subscriptions: inout [Subscription]
    ) {
        subscriptions.removeAll { $0.pattern == pattern }
        subscriptions.append(Subscription(pattern: pattern, only: only))
    }
}
