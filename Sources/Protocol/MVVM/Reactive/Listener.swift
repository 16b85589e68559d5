/// Gets the values of a channel, for a handler or for an operator.
@usableFromInline final class Listener<Value> {
    /// Number of the first value for this listener. Values sent before it was added may still wait.
    @usableFromInline let first: Int
    private var handle: ((Value, inout Turn) -> Bool)?
    private let isWanted: () -> Bool

    init(
        first: Int, isWanted: @escaping () -> Bool, hear: @escaping (Value, inout Turn) -> Bool
    ) {
        self.first = first
        self.isWanted = isWanted
        handle = hear
    }

    var isGone: Bool { handle == nil || !isWanted() }

    /// Returns whether the listener is still wanted.
    @usableFromInline func hear(_ value: Value, _ turn: inout Turn) -> Bool {
        handle?(value, &turn) ?? false
    }

    func dispose() {
        // Releasing the handler may re-enter this listener through its captures. So it is released
        // after the change.
        let last = handle
        handle = nil
        withExtendedLifetime(last) {}
    }
}
