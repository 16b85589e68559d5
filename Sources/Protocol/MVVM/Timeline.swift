/// The clock of the daemon and of tests: timers in the order in which they are due. It does not move by
/// itself. The loop moves it to the present; a test, or `bus/clock`, moves it by hand.
public final class Timeline: Clock {
    private struct Entry {
        let due: Instant
        let number: UInt64
        let action: () -> Void

        func isBefore(_ other: Entry) -> Bool {
            due != other.due ? due < other.due : number < other.number
        }
    }

    public private(set) var now: Instant
    /// A binary heap, the next entry first. What was cancelled stays until it is due, and is no longer
    /// among the `pending`.
    private var heap: [Entry] = []
    private var pending: Set<UInt64> = []
    private var lastNumber: UInt64 = 0

    public init(now: Instant = Instant(microseconds: 0)) { self.now = now }

    public func schedule(at instant: Instant, _ action: @escaping () -> Void) -> Timer {
        lastNumber += 1
        let number = lastNumber
        pending.insert(number)
        push(Entry(due: instant, number: number, action: action))
        return Timer { [weak self] in self?.pending.remove(number) }
    }

    /// When the next timer is due; `nil` while there is none.
    public var nextDue: Instant? {
        dropCancelled()
        return heap.first?.due
    }

    /// The present is `instant`; no timer fires. The past is ignored: a clock never goes back.
    public func move(to instant: Instant) {
        now = max(now, instant)
    }

    /// Fires the next timer that is due by now, if there is one.
    public func fireNext() -> Bool {
        dropCancelled()
        guard let next = heap.first, next.due <= now else { return false }
        popFirst()
        pending.remove(next.number)
        next.action()
        return true
    }

    /// Moves to `instant` by way of each timer that is due until then, and fires it at its own time.
    public func advance(to instant: Instant) {
        while let due = nextDue, due <= instant {
            move(to: due)
            _ = fireNext()
        }
        move(to: instant)
    }

    private func dropCancelled() {
        while let first = heap.first, !pending.contains(first.number) { popFirst() }
    }

    private func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private func popFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[smallest]) {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
