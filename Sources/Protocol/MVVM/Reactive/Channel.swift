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
class Channel<Value> {
    /// How many junctions a value has passed at most on its way here; see `Turn`.
    var rank: Int
    /// How many signals and properties stand for this channel.
    var handles = 0

    private var listeners: [Listener<Value>] = []
    private var waiting: [Value] = []
    private var isSending = false
    /// How many values have been sent so far, and how many of them have been told to all.
    private var (sent, told) = (0, 0)

    init(rank: Int = 0) { self.rank = rank }

    final var isHeard: Bool { listeners.contains { !$0.isGone } }
    final var isWanted: Bool { handles > 0 || isHeard }

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
        tell(value, &turn)
        while !waiting.isEmpty {
            let next = waiting
            waiting = []
            for value in next { tell(value, &turn) }
        }
        isSending = false
    }

    private func tell(_ value: Value, _ turn: inout Turn) {
        var someAreGone = false
        for listener in listeners where listener.first <= told {
            if listener.isGone { someAreGone = true } else { listener.hear?(value, &turn) }
        }
        told += 1
        if someAreGone { sweep() }
    }

    private func sweep() {
        // What the dropped ones held may come back here while it goes, so it goes after the change.
        let all = listeners
        listeners = all.filter { !$0.isGone }
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
        super.send(value, &turn)
    }
}
