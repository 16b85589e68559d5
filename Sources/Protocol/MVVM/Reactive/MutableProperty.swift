/// A property that can be set, through its `value` or with `<~`.
public final class MutableProperty<Value>: Property<Value> {
    public override var value: Value {
        get { cell.value }
        set { cell.send(newValue) }
    }

    /// A property that has this value until it is set.
    public init(_ value: Value) { super.init(value, rank: 0) }
}

infix operator <~ : BindingPrecedence

precedencegroup BindingPrecedence {
    associativity: right
    // In `property <~ a ?? b`, the operator `??` comes first.
    lowerThan: NilCoalescingPrecedence
    higherThan: AssignmentPrecedence
}

/// The target gets every later value of the source, and the current value if the source is a
/// property. The binding lasts for as long as the target is held or listened to.
///
/// Bind the target before you combine it with other properties. Otherwise a combination of the
/// target with a property that `source` depends on may emit twice per event.
public func <~ <Value>(target: MutableProperty<Value>, source: BindingSource<Value>) {
    target.cell.rank = max(target.cell.rank, source.channel.rank)
    source.feed(target) { $1.send($0, &$2) }
    if let value = source.currentValue { target.value = value }
}
