/// Tells its listeners something, in the order in which they were bound. It holds them weakly.
public final class Signal<Value> {
    private struct Listener {
        weak var owner: AnyObject?
        let handle: (Value) -> Void
    }

    private var listeners: [Listener] = []

    public init() {}

    public func bind<Owner: AnyObject>(
        _ owner: Owner, to handle: @escaping (Owner, Value) -> Void
    ) {
        listeners.removeAll { $0.owner == nil }
        listeners.append(
            Listener(owner: owner) { [weak owner] value in
                if let owner { handle(owner, value) }
            })
    }

    public func send(_ value: Value) {
        for listener in listeners { listener.handle(value) }
    }
}
