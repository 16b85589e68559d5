/// A value that changes over time, and can be read at any time.
///
/// A property that is derived from others follows them without keeping them alive: a source that
/// was released cannot change any more.
///
/// Inside a handler, `value` may already be a newer value, which waits to be handled.
public class Property<Value>: BindingSource<Value> {
    let cell: Cell<Value>

    /// The current value.
    public var value: Value { cell.value }

    init(_ value: Value, rank: Int) {
        cell = Cell(value, rank: rank)
        super.init(cell)
    }

    /// The value is `initial` until the signal emits, then the newest value of the signal.
    public convenience init(initial: Value, then signal: Signal<Value>) {
        self.init(initial, rank: signal.channel.rank)
        signal.feed(self) { $1.send($0, &$2) }
    }

    final override var currentValue: Value? { value }

    /// Every later value, without the current one.
    public final var signal: Signal<Value> { Signal(channel) }

    /// Calls `handle` with the current value at once, and with every later value for as long as
    /// `owner` lives.
    public final func bindAndFire<Owner: AnyObject>(
        _ owner: Owner, to handle: @escaping (Owner, Value) -> Void
    ) {
        bind(owner, to: handle)
        handle(owner, value)
    }
}
