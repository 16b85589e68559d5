/// What is told one after the other: a value that is sent while another is being told waits until
/// all have heard that one.
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
    /// How many values have been sent so far, those that wait included.
    @inlinable public var sent: Int { begun + waiting.count - taken }
    @usableFromInline var begun = 0
    @usableFromInline var waiting: [Value] = []
    /// How many of those that wait have been told.
    @usableFromInline var taken = 0
    @usableFromInline var isTelling = false

    @inlinable public init() {}

    /// The number of the value, from 0, if it is to be told now; else it waits.
    @inlinable public mutating func begin(_ value: Value) -> Int? {
        guard !isTelling else {
            waiting.append(value)
            return nil
        }
        isTelling = true
        begun += 1
        return begun - 1
    }

    /// Returns whether all has been told; else there is a `next`.
    @inlinable public mutating func end() -> Bool {
        isTelling = taken < waiting.count
        return !isTelling
    }

    /// What is to be told next. To ask after the `end` is a bug.
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
