/// A property that is changed from outside: by its `value`, or by `<~`.
public final class MutableProperty<Value>: Property<Value> {
    public override var value: Value {
        get { cell.value }
        set { cell.send(newValue) }
    }

    public init(_ value: Value) { super.init(value, rank: 0) }
}

infix operator <~ : BindingPrecedence

precedencegroup BindingPrecedence {
    associativity: right
    // `property <~ a ?? b` binds what the right side says.
    lowerThan: NilCoalescingPrecedence
    higherThan: AssignmentPrecedence
}

/// The target takes the value of the source, if that is a property, and every value from then on,
/// for as long as the target is held or listened to.
///
/// Bind a property before it is combined with others: then a combination of the target and of what
/// the source is made of speaks once for each event, else it may speak twice.
public func <~ <Value>(target: MutableProperty<Value>, source: BindingSource<Value>) {
    target.cell.rank = max(target.cell.rank, source.channel.rank)
    source.feed(target) { $1.send($0, &$2) }
    if let value = source.present { target.value = value }
}
