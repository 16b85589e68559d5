/// Serialises values: a value that is sent while another is handled waits until all handlers have
/// handled the first.
///
///     guard let number = queue.begin(value) else { return }
///     tell(value, number)
///     while !queue.end() {
///         let (number, value) = queue.next()
///         tell(value, number)
///     }
///
/// Inlinable, so it is specialised for the values of each caller.
public struct SerialQueue<Value> {
    /// The number of values sent so far, including those that wait.
    @inlinable public var sent: Int { begun + waiting.count - taken }
    @usableFromInline var begun = 0
    @usableFromInline var waiting: [Value] = []
    /// The number of elements of `waiting` that `next` has returned.
    @usableFromInline var taken = 0
    @usableFromInline var isTelling = false

    @inlinable public init() {}

    /// The number of the value, from 0, if it can be handled now; `nil`: it waits.
    @inlinable public mutating func begin(_ value: Value) -> Int? {
        guard !isTelling else {
            waiting.append(value)
            return nil
        }
        isTelling = true
        begun += 1
        return begun - 1
    }

    /// Returns whether no value waits. If one waits, call `next`.
    @inlinable public mutating func end() -> Bool {
        isTelling = taken < waiting.count
        return !isTelling
    }

    /// The next value. May only be called after `end` has returned false.
    @inlinable public mutating func next() -> (number: Int, value: Value) {
        let value = waiting[taken]
        taken += 1
        begun += 1
        if taken == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            taken = 0
        }
        return (begun - 1, value)
    }
}
