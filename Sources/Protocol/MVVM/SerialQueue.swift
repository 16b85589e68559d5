/// Serialises values: a value that is sent while another is handled waits until all handlers have
/// handled the first.
///
///     guard let number = queue.begin(value) else { return }
///     emit(value, number)
///     while !queue.end() {
///         let (number, value) = queue.next()
///         emit(value, number)
///     }
///
/// Inlinable, so it is specialised for the values of each caller.
public struct SerialQueue<Value> {
    /// The number of values sent so far, including those that wait.
    @inlinable public var sent: Int { begun + waiting.count - dequeued }
    @usableFromInline var begun = 0
    @usableFromInline var waiting: [Value] = []
    /// The number of elements of `waiting` that `next` has returned.
    @usableFromInline var dequeued = 0
    @usableFromInline var isEmitting = false

    /// A queue without values.
    @inlinable public init() {}

    /// The number of the value, from 0, if it can be handled now; `nil`: it waits.
    @inlinable public mutating func begin(_ value: Value) -> Int? {
        guard !isEmitting else {
            waiting.append(value)
            return nil
        }
        isEmitting = true
        begun += 1
        return begun - 1
    }

    /// Returns whether no value waits. If one waits, call `next`.
    @inlinable public mutating func end() -> Bool {
        isEmitting = dequeued < waiting.count
        return !isEmitting
    }

    /// The next value. May only be called after `end` has returned false.
    @inlinable public mutating func next() -> (number: Int, value: Value) {
        let value = waiting[dequeued]
        dequeued += 1
        begun += 1
        if dequeued == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            dequeued = 0
        }
        return (begun - 1, value)
    }
}
