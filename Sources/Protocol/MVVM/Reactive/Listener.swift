/// What hears the values of a channel: a handler, or an operator on the way to its result.
@usableFromInline final class Listener<Value> {
    /// The number of the first value that it hears: what was sent before it came may still wait.
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

    /// Returns whether it is still there.
    @usableFromInline func hear(_ value: Value, _ turn: inout Turn) -> Bool {
        handle?(value, &turn) ?? false
    }

    func dispose() {
        // What the handler holds may come back here while it goes, so it goes after the change.
        let last = handle
        handle = nil
        withExtendedLifetime(last) {}
    }
}
