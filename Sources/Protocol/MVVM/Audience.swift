/// Who hears the values of one sender, and what waits until they have heard the one before. Each
/// look at a property of a class is checked at run time, so what is used together is in one.
///
///     guard let (number, listeners) = audience.begin(value) else { return }
///     tell(value, number, listeners)
///     while !audience.queue.end() {
///         let (number, value) = audience.queue.next()
///         tell(value, number, audience.listeners)
///     }
@usableFromInline struct Audience<Listener, Value> {
    @usableFromInline var listeners: [Listener] = []
    @usableFromInline var queue = SerialQueue<Value>()

    @inlinable init() {}

    /// The number of the value and who may hear it, if it is to be told now; else it waits.
    @inlinable mutating func begin(_ value: Value) -> (number: Int, listeners: [Listener])? {
        guard let number = queue.begin(value) else { return nil }
        return (number, listeners)
    }
}
