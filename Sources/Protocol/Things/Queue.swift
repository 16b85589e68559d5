/// Elements in the order in which they were appended. The first element can be taken, in constant
/// time on average.
@frozen @usableFromInline package struct Queue<Element>: RandomAccessCollection {
    @usableFromInline var elements: [Element] = []
    /// Elements before this index have been taken. They are removed when they are more than half.
    @usableFromInline package var startIndex = 0

    @inlinable package init() {}

    @inlinable package var endIndex: Int { elements.count }

    @inlinable package subscript(index: Int) -> Element { elements[index] }

    @inlinable package mutating func append(_ element: Element) { elements.append(element) }

    /// `nil`: the queue is empty.
    @inlinable package mutating func takeFirst() -> Element? {
        guard let element = first else { return nil }
        startIndex += 1
        if isEmpty {
            // The memory of an unusual number of elements is freed.
            elements.removeAll(keepingCapacity: elements.capacity < 4_096)
            startIndex = 0
        } else if startIndex > elements.count / 2 {
            elements.removeFirst(startIndex)
            startIndex = 0
        }
        return element
    }
}

extension Queue: Sendable where Element: Sendable {}
