/// A binary heap: the first element is available in O(1), adding and removing takes O(log n).
/// Inlinable, so it is specialised for the elements of each caller.
@frozen
public struct Heap<Element> {
    @usableFromInline var elements: [Element] = []
    @usableFromInline let comesBefore: (Element, Element) -> Bool

    /// An empty heap. `comesBefore` is a strict order.
    @inlinable
    public init(by comesBefore: @escaping (Element, Element) -> Bool) {
        self.comesBefore = comesBefore
    }

    /// The element before which no other comes; `nil`: the heap is empty.
    @inlinable public var first: Element? { elements.first }

    /// Adds an element.
    @inlinable
    public mutating func push(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard comesBefore(elements[child], elements[parent]) else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns `first`.
    @inlinable
    @discardableResult
    public mutating func pop() -> Element? {
        guard !elements.isEmpty else { return nil }
        elements.swapAt(0, elements.count - 1)
        let first = elements.removeLast()
        if elements.capacity > 1_024, elements.count < elements.capacity / 8 { shrink() }
        var parent = 0
        while true {
            var next = parent
            for child in (2 * parent + 1)...(2 * parent + 2)
            where child < elements.count && comesBefore(elements[child], elements[next]) {
                next = child
            }
            guard next != parent else { return first }
            elements.swapAt(parent, next)
            parent = next
        }
    }

    /// Releases the memory of a heap that was much larger.
    @usableFromInline
    mutating func shrink() {
        var few: [Element] = []
        few.reserveCapacity(2 * elements.count)
        few.append(contentsOf: elements)
        elements = few
    }
}
