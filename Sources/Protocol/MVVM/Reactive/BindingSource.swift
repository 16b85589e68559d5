/// A source of values: a `Signal` or a `Property`.
///
/// It is for one thread, and has no errors, schedulers or completion. Once its sender is released,
/// a source emits nothing. Its handlers are released when both the sender and the source are.
public class BindingSource<Value> {
    let channel: Channel<Value>

    init(_ channel: Channel<Value>) {
        self.channel = channel
        channel.handles += 1
    }

    deinit { channel.handles -= 1 }

    /// Whether it has a handler, or an operator with a result that is used.
    public final var hasListeners: Bool { channel.hasListeners }

    /// The current value of a property; `nil` for a signal.
    var currentValue: Value? { nil }

    /// Calls `handle` with every later value, for as long as `owner` lives. The owner is held
    /// weakly.
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

    /// Calls `handle` with every later value, until the observation is disposed of or the sender is
    /// released. If the source outlives the objects that `handle` needs, use `bind` with an owner.
    /// A handler that holds its own source keeps both alive.
    @discardableResult
    public final func observeValues(_ handle: @escaping (Value) -> Void) -> Disposable {
        let listener = channel.listen(while: { true }) { value, _ in
            handle(value)
            return true
        }
        return Disposable { [weak listener] in listener?.dispose() }
    }

    /// Connects an operator to its result, for as long as the result is wanted. `step` gets each
    /// value, and the channel for what it makes of the value.
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

/// Ends an observation when `dispose()` is called. Dropping it does not end the observation.
public struct Disposable {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    /// The handler gets no more values, not even those that were sent and still wait. Its captures
    /// are released at once. A second call does nothing.
    public func dispose() { end() }
}
