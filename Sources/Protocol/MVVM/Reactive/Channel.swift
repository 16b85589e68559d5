/// What a source and its sender share: the listeners, in the order in which they came.
///
/// A channel owns its listeners, and the listener of an operator owns the channel of the operator's
/// result. So every reference goes downstream, the way the values go, and there is no cycle among
/// them. Signals and properties are handles on a channel. One that has neither a handle nor a
/// listener is not wanted, and the channels above it drop it: with their next value, or when their
/// arrays of listeners would have to grow.
///
/// All listeners hear all values in one order: a value that is sent while another is being heard
/// waits until every listener has heard that one.
@usableFromInline class Channel<Value> {
    /// How many junctions a value has passed at most on its way here; see `Turn`.
    final var rank: Int
    /// How many signals and properties stand for this channel.
    final var handles = 0

    @usableFromInline final var audience = Audience<Listener<Value>, Value>()

    init(rank: Int = 0) { self.rank = rank }

    final var isHeard: Bool { audience.listeners.contains { !$0.isGone } }
    final var isWanted: Bool { handles > 0 || isHeard }

    /// Hears every value from now on, for as long as it `isWanted`; `hear` returns whether it is.
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

    func send(_ value: Value, _ turn: inout Turn) { tell(value, &turn) }

    /// Tells a value that follows from nothing else: a turn of its own.
    @inlinable final func tell(_ value: Value) {
        var turn = Turn()
        tell(value, &turn)
        turn.finish()
    }

    @inlinable final func tell(_ value: Value, _ turn: inout Turn) {
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
        var someAreGone = false
        for listener in listeners where listener.first <= number {
            if !listener.hear(value, &turn) { someAreGone = true }
        }
        if someAreGone { sweep() }
    }

    @usableFromInline final func sweep() {
        // What the dropped ones held may come back here while it goes, so it goes after the change.
        let all = audience.listeners
        audience.listeners = all.filter { !$0.isGone }
    }
}

/// A channel that keeps its newest value: what is behind a property.
final class Cell<Value>: Channel<Value> {
    private(set) var value: Value

    init(_ value: Value, rank: Int) {
        self.value = value
        super.init(rank: rank)
    }

    override func send(_ value: Value, _ turn: inout Turn) {
        self.value = value
        tell(value, &turn)
    }

    /// A change that follows from nothing else.
    func send(_ value: Value) {
        self.value = value
        tell(value)
    }
}
