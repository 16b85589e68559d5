/// A source of values: a `Signal` or a `Property`.
///
/// It has one thread, and no errors, schedulers or completion. Without its sender a source is
/// silent, and its handlers are released with it.
public class BindingSource<Value> {
    let channel: Channel<Value>

    init(_ channel: Channel<Value>) {
        self.channel = channel
        channel.handles += 1
    }

    deinit { channel.handles -= 1 }

    /// Somebody hears its values.
    public final var isHeard: Bool { channel.isHeard }

    /// The value of a property; a signal has none.
    var present: Value? { nil }

    /// Hears every value from now on, for as long as `owner` lives. The owner is held weakly.
    public final func bind<Owner: AnyObject>(
        _ owner: Owner, to handle: @escaping (Owner, Value) -> Void
    ) {
        let weak = Weak(owner)
        channel.listen(while: { weak.object != nil }) { value, _ in
            guard let owner = weak.object else { return false }
            handle(owner, value)
            return true
        }
    }

    /// Hears every value from now on, until it is disposed of or the sender goes. On a source that
    /// outlives what `handle` needs, `bind` with an owner is the better way. A handler that holds
    /// the source which it hears keeps both alive.
    @discardableResult
    public final func observeValues(_ handle: @escaping (Value) -> Void) -> Disposable {
        let listener = channel.listen(while: { true }) { value, _ in
            handle(value)
            return true
        }
        return Disposable { [weak listener] in listener?.dispose() }
    }

    /// Goes on into the result of an operator for as long as that is wanted: `step` is told each
    /// value, and where to send what comes of it.
    final func feed<Result>(
        _ result: BindingSource<Result>,
        _ step: @escaping (Value, Channel<Result>, inout Turn) -> Void
    ) {
        let next = result.channel
        channel.listen(while: { next.isWanted }) { value, turn in
            guard next.isWanted else { return false }
            step(value, next, &turn)
            return true
        }
    }
}

/// A weak reference that closures share.
private final class Weak<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}

/// Ends an observation. Dropping it does not.
public struct Disposable {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    /// Nothing more is heard, also not what has been sent and still waits. What the handler holds
    /// is released at once. A second time it does nothing.
    public func dispose() { end() }
}
