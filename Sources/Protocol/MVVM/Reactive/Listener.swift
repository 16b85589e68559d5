/// What hears the values of a channel: a handler, or an operator on the way to its result.
final class Listener<Value> {
    /// The number of the first value that it hears: what was sent before it came may still wait.
    let first: Int
    private(set) var hear: ((Value, inout Turn) -> Void)?
    private let isWanted: () -> Bool

    init(
        first: Int, isWanted: @escaping () -> Bool, hear: @escaping (Value, inout Turn) -> Void
    ) {
        self.first = first
        self.isWanted = isWanted
        self.hear = hear
    }

    var isGone: Bool { hear == nil || !isWanted() }

    func dispose() {
        // What the handler holds may come back here while it goes, so it goes after the change.
        let last = hear
        hear = nil
        withExtendedLifetime(last) {}
    }
}
