/// What a source and its sender share: the listeners, in the order in which they came.
///
/// The model of the whole room: a channel owns its listeners, and the listener of an operator owns
/// the channel of the operator's result. So every reference goes downstream, the way the values go,
/// and there can be no cycle among them. `Signal` and `Property` are handles on a channel: one that
/// nobody has a handle on and nobody listens to is not wanted, and its source drops it, at the
/// latest when the source's array of listeners would have to grow or its next value has been told.
///
/// All listeners hear all values in one order: a value that is sent while another is being heard
/// waits until every listener has heard that one.
class Channel<Value> {
    /// Larger than the rank of every junction upstream; see `Turn`.
    var rank: Int
    /// How many signals and properties stand for this channel.
    var handles = 0

    private var listeners: [Listener<Value>] = []
    private var waiting: [Value] = []
    /// Values so far, those that wait included.
    private var sent = 0
    private var isSending = false

    init(rank: Int = 0) { self.rank = rank }

    final var isWanted: Bool { handles > 0 || listeners.contains { !$0.isGone } }

    /// Hears every value from now on, for as long as it `isWanted`.
    @discardableResult
    final func listen(
        while isWanted: @escaping () -> Bool,
        _ hear: @escaping (Value, inout Turn) -> Void
    ) -> Listener<Value> {
        if listeners.count == listeners.capacity { sweep() }
        let listener = Listener(first: sent, isWanted: isWanted, hear: hear)
        listeners.append(listener)
        return listener
    }

    /// Sends a value that follows from nothing else: a turn of its own.
    final func send(_ value: Value) {
        var turn = Turn()
        send(value, &turn)
        turn.finish()
    }

    func send(_ value: Value, _ turn: inout Turn) {
        sent += 1
        guard !isSending else { return waiting.append(value) }
        isSending = true
        tell(value, number: sent - 1, &turn)
        var next = 0
        while next < waiting.count {
            let (value, number) = (waiting[next], sent - waiting.count + next)
            next += 1
            tell(value, number: number, &turn)
        }
        if next > 0 { waiting.removeAll(keepingCapacity: true) }
        isSending = false
    }

    private func tell(_ value: Value, number: Int, _ turn: inout Turn) {
        var someAreGone = false
        for listener in listeners where listener.first <= number {
            if listener.isGone { someAreGone = true } else { listener.hear?(value, &turn) }
        }
        if someAreGone { sweep() }
    }

    private func sweep() {
        // What the dropped ones held may come back here while it goes, so it goes after the change.
        let all = listeners
        listeners = all.filter { !$0.isGone }
    }
}

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
        let last = hear
        hear = nil
        withExtendedLifetime(last) {}
    }
}

/// A channel that keeps its newest value: what is behind a property.
final class Cell<Value>: Channel<Value> {
    private(set) var value: Value

    init(_ value: Value, rank: Int = 0) {
        self.value = value
        super.init(rank: rank)
    }

    override func send(_ value: Value, _ turn: inout Turn) {
        self.value = value
        super.send(value, &turn)
    }
}
