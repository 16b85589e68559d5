import BusdProtocol

/// The moments at which the bus has to look at something by itself, the next one first.
struct Deadlines {
    enum Purpose: Hashable {
        /// Whether events have waited too long for a slow view.
        case slowView(ConnectionSlot, number: Int)
        /// A catch-up that was put off goes on.
        case catchUp(ConnectionSlot, number: Int)
        /// A sign of life for a half-closed subscriber.
        case ping(ConnectionSlot, number: Int)
        /// A peer that does not read its goodbye.
        case goodbye(ConnectionSlot, number: Int)
        /// A view model, on demand or durable, that nobody may have used for a while.
        case idle(ModelID)
        /// A view model that tells of the bus itself.
        case report(ModelID)
        /// Snapshots that are kept for a moment.
        case keptSnapshots
    }

    private struct Entry {
        let due: Instant
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
