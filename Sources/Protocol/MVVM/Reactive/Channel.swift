/// The listeners of a source, in the order in which they were added. A source and its sender share
/// one channel.
///
/// A channel owns its listeners, and the listener of an operator owns the channel of the operator's
/// result. So every reference points downstream, as the values flow, and there are no cycles.
/// Signals and properties are handles on a channel. A channel with neither a handle nor a listener
/// is not wanted. The channels upstream drop it with their next value, or when their arrays of
/// listeners would have to grow.
///
/// All listeners get all values in the same order: a value that is sent inside a listener waits
/// until all listeners have handled the value before it.
@usableFromInline class Channel<Value> {
    /// The largest number of junctions on any path of a value to this channel; see `Turn`.
    final var rank: Int
    /// The number of signals and properties on this channel.
    final var handles = 0

    @usableFromInline final var audience = Audience<Listener<Value>, Value>()

    init(rank: Int = 0) { self.rank = rank }

    final var hasListeners: Bool { audience.listeners.contains { !$0.isGone } }
    final var isWanted: Bool { handles > 0 || hasListeners }

    /// Calls `hear` with every later value, for as long as `isWanted`. `hear` returns whether the
    /// listener is still wanted.
    @discardableResult
    final func listen(
        while isWanted: @escaping () -> Bool,
        _ hear: @escaping (Value, inout Turn) -> Bool
    ) -> Listener<Value> {
        if audience.listeners.count == audience.listeners.capacity { sweep() }
        let listener = Listener(first: audience.queue.sent, isWanted: isWanted, hear: hear)
        audience.listeners.append(listener)
        return listener
    }

    func send(_ value: Value, _ turn: inout Turn) { emit(value, &turn) }

    /// Sends a value that no other value has caused: it begins a turn.
    @inlinable final func emit(_ value: Value) {
        var turn = Turn()
        emit(value, &turn)
        turn.finish()
    }

    @inlinable final func emit(_ value: Value, _ turn: inout Turn) {
        guard let (number, listeners) = audience.begin(value) else { return }
        hear(value, number, listeners, &turn)
        while !audience.queue.end() {
            let (number, value) = audience.queue.next()
            hear(value, number, audience.listeners, &turn)
        }
    }

    @inlinable final func hear(
        _ value: Value, _ number: Int, _ listeners: [Listener<Value>], _ turn: inout Turn
    ) {
        var hasDeadListener = false
        for listener in listeners where listener.first <= number {
            if !listener.hear(value, &turn) { hasDeadListener = true }
        }
        if hasDeadListener { sweep() }
    }

    @usableFromInline final func sweep() {
        // Releasing a listener also releases its captures, whose deinitialisers may re-enter this
        // method. So `all` keeps the listeners until the array has been replaced.
        let all = audience.listeners
        audience.listeners = all.filter { !$0.isGone }
    }
}

/// The channel of a property. It keeps the newest value.
final class Cell<Value>: Channel<Value> {
    private(set) var value: Value

    init(_ value: Value, rank: Int) {
        self.value = value
        super.init(rank: rank)
    }

    override func send(_ value: Value, _ turn: inout Turn) {
        self.value = value
        emit(value, &turn)
    }

    /// Sends a value that no other value has caused.
    func send(_ value: Value) {
        self.value = value
        emit(value)
    }
}
