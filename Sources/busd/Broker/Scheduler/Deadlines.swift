import BusdProtocol

/// The moments at which the bus acts by itself, the earliest first. A deadline is never cancelled:
/// when it is due, the bus checks whether there is still something to do. `number` is that of the
/// connection, because another one may have its slot by then.
struct Deadlines {
    enum Purpose: Hashable {
        /// Drops the events of a slow view that have waited too long.
        case slowView(ConnectionSlot, number: Int)
        /// Retries a catch-up that was put off.
        case catchUp(ConnectionSlot, number: Int)
        /// Sends a `ping` to a half-closed subscriber.
        case ping(ConnectionSlot, number: Int)
        /// Closes a connection that has not read its `bye`.
        case goodbye(ConnectionSlot, number: Int)
        /// Ends an on-demand view model that is not used, or lets a durable one sleep.
        case idle(ModelID)
        /// Gives `bus/views` or `bus/statistics` its next report.
        case report(ModelID)
        /// Removes the kept snapshots.
        case keptSnapshots
    }

    private struct Entry {
        let due: Instant
        /// Orders deadlines with the same `due`.
        let number: Int
        let purpose: Purpose
    }

    private var heap = Heap<Entry> { a, b in
        a.due != b.due ? a.due < b.due : a.number < b.number
    }
    private var lastNumber = 0

    var next: Instant? { heap.first?.due }

    mutating func set(_ purpose: Purpose, at due: Instant) {
        lastNumber += 1
        heap.push(Entry(due: due, number: lastNumber, purpose: purpose))
    }

    /// Takes out the next purpose that is due.
    mutating func take(dueBy now: Instant) -> Purpose? {
        guard let first = heap.first, first.due <= now else { return nil }
        return heap.pop()?.purpose
    }
}
