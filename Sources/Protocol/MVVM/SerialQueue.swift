/// What is told one after the other: a value that is sent while another is being told waits until
/// all have heard that one.
///
///     guard queue.begin(value) else { return }
///     tell(value)
///     while let next = queue.next() { tell(next) }
///
/// Whoever uses it gets code for its own values (`@inlinable`).
public struct SerialQueue<Value> {
    /// How many values have been sent so far, those that wait included.
    @inlinable public var sent: Int { begun + waiting.count - taken }
    /// The number of the value that is being told, or was told last; they count from 0.
    @inlinable public var number: Int { begun - 1 }

    @usableFromInline var begun = 0
    @usableFromInline var waiting: [Value] = []
    /// How many of those that wait have been told.
    @usableFromInline var taken = 0
    @usableFromInline var isTelling = false

    @inlinable public init() {}

    /// Returns whether the value is to be told now; else it waits.
    @inlinable public mutating func begin(_ value: Value) -> Bool {
        guard !isTelling else {
            waiting.append(value)
            return false
        }
        isTelling = true
        begun += 1
        return true
    }

    /// The value that is to be told next; `nil` when all have been told.
    @inlinable public mutating func next() -> Value? {
        guard taken < waiting.count else {
            isTelling = false
            return nil
        }
        let value = waiting[taken]
        taken += 1
        begun += 1
        if taken == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            taken = 0
        }
        return value
    }
}
