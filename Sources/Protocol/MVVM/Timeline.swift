/// The clock of the daemon and of tests: timers in the order in which they are due. It does not
/// move by itself. The loop moves it to the present time; a test, or `bus/clock`, moves it by hand.
public final class Timeline: Clock {
    private struct Entry {
        let due: Instant
        let number: UInt64
        let action: () -> Void
    }

    /// Private, so that `now` needs no run-time check for exclusive access.
    private var current: Instant
    public var now: Instant { current }
    /// Cancelled entries stay in the heap until they are due, but are no longer `pending`.
    private var heap = Heap<Entry> { a, b in
        a.due != b.due ? a.due < b.due : a.number < b.number
    }
    private var pending: Set<UInt64> = []
    /// The number of cancelled entries in the heap.
    private var cancelled = 0
    private var lastNumber: UInt64 = 0

    /// A clock that stands at `now`.
    public init(now: Instant = Instant(microseconds: 0)) { current = now }

    public func schedule(at instant: Instant, _ action: @escaping () -> Void) -> ScheduledAction {
        lastNumber += 1
        let number = lastNumber
        pending.insert(number)
        heap.push(Entry(due: instant, number: number, action: action))
        return ScheduledAction { [weak self] in self?.cancel(number) }
    }

    private func cancel(_ number: UInt64) {
        if pending.remove(number) != nil { cancelled += 1 }
    }

    /// When the next timer is due; `nil` while there is none.
    public var nextDue: Instant? {
        dropCancelled()
        return heap.first?.due
    }

    /// Sets the time to `instant`; no timer fires. An earlier time is ignored, because a clock
    /// never goes back.
    public func move(to instant: Instant) {
        current = max(current, instant)
    }

    /// Fires the next timer that is due by now, if there is one.
    public func fireNext() -> Bool {
        dropCancelled()
        guard let next = heap.first, next.due <= now else { return false }
        heap.pop()
        pending.remove(next.number)
        next.action()
        return true
    }

    /// Moves to `instant`. Each timer that is due by then fires at its own time.
    public func advance(to instant: Instant) {
        while let due = nextDue, due <= instant {
            move(to: due)
            _ = fireNext()
        }
        move(to: instant)
    }

    private func dropCancelled() {
        while cancelled > 0, let first = heap.first, !pending.contains(first.number) {
            heap.pop()
            cancelled -= 1
        }
    }
}
