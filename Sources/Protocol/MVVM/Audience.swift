/// The handlers of one sender, and the values that wait for them. It is one struct because each
/// access to a property of a class is checked at run time.
///
///     guard let (number, listeners) = audience.begin(value) else { return }
///     emit(value, number, listeners)
///     while !audience.queue.end() {
///         let (number, value) = audience.queue.next()
///         emit(value, number, audience.listeners)
///     }
@usableFromInline struct Audience<Listener, Value> {
    @usableFromInline var listeners: [Listener] = []
    @usableFromInline var queue = SerialQueue<Value>()

    @inlinable init() {}

    /// The number of the value and its handlers, if it can be sent now; otherwise it waits.
    @inlinable mutating func begin(_ value: Value) -> (number: Int, listeners: [Listener])? {
        guard let number = queue.begin(value) else { return nil }
        return (number, listeners)
    }
}
