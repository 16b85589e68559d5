/// A value that changes over time, and can be read at any time.
///
/// A property that was made of others follows them for as long as they are changed by somebody: it
/// keeps none of them alive, and needs not to.
///
/// While a change is being heard, `value` may already be a newer one that waits to be heard.
public class Property<Value>: BindingSource<Value> {
    let cell: Cell<Value>

    /// The value as it stands.
    public var value: Value { cell.value }

    init(_ value: Value, rank: Int) {
        cell = Cell(value, rank: rank)
        super.init(cell)
    }

    /// `initial` until the signal has a value, then always its newest one.
    public convenience init(initial: Value, then signal: Signal<Value>) {
        self.init(initial, rank: signal.channel.rank)
        signal.feed(self) { $1.send($0, &$2) }
    }

    final override var present: Value? { value }

    /// The changes, without the present value.
    public final var signal: Signal<Value> { Signal(channel) }

    /// Hears the value as it stands, and every change from now on, for as long as `owner` lives.
    public final func bindAndFire<Owner: AnyObject>(
        _ owner: Owner, to handle: @escaping (Owner, Value) -> Void
    ) {
        bind(owner, to: handle)
        handle(owner, value)
    }
}
