import BusdProtocol

/// The listeners of a connection, in the order in which they were added.
struct Listeners {
    private struct Listener {
        weak var owner: AnyObject?
        let address: Address?
        let hear: (BusConnection.Event) -> Void
    }

    private var all: [Listener] = []

    mutating func add<Owner: AnyObject>(
        _ owner: Owner, address: Address?, _ hear: @escaping (Owner, BusConnection.Event) -> Void
    ) {
        all.removeAll { $0.owner == nil }
        all.append(
            Listener(owner: owner, address: address) { [weak owner] event in
                if let owner { hear(owner, event) }
            })
    }

    mutating func remove(_ owner: AnyObject) {
        all.removeAll { $0.owner == nil || $0.owner === owner }
    }

    func contains(_ address: Address) -> Bool {
        all.contains { $0.owner != nil && $0.address == address }
    }

    func notify(_ event: BusConnection.Event) {
        for listener in all { listener.hear(event) }
    }
}
