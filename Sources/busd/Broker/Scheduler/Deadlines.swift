import BusdProtocol

/// The moments at which the bus acts by itself, the earliest first. A deadline is never cancelled:
/// when it is due, the bus checks whether there is still something to do.
struct Deadlines {
    /// A connection has at most one deadline of each.
    enum ConnectionPurpose: UInt8 {
        /// Drops the events of a slow view that have waited too long.
        case age = 1
        /// Retries a catch-up that was put off.
        case catchUp = 2
        /// Sends a `ping` to a half-closed subscriber.
        case ping = 4
        /// Closes a connection that has not read its `bye`.
        case goodbye = 8
    }

    enum Purpose {
        /// `number`: of the connection, because another one may have its slot by then.
        case connection(ConnectionPurpose, ConnectionSlot, number: Int)
        /// Ends an on-demand view model that is not used, or lets a durable one sleep.
        case idle(ModelID)
        /// Gives a view model that shows the bus its next report.
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
    /// View models with a passed deadline `idle` that the bus has not looked at yet: thousands may
    /// be due at the same moment.
    private var idle: [ModelID] = []
    /// Those before this index have been taken.
    private var nextIdle = 0
    /// By connection slot: the raw values of the purposes with a deadline.
    private var purposes: [UInt8] = []

    var next: Instant? { heap.first?.due }

    mutating func set(_ purpose: Purpose, at due: Instant) {
        lastNumber += 1
        heap.push(Entry(due: due, number: lastNumber, purpose: purpose))
    }

    // MARK: Idle view models

    /// The bus looks at the view model later.
    mutating func postpone(idle model: ModelID) { idle.append(model) }

    /// The next view model that was postponed.
    mutating func takeIdle() -> ModelID? {
        guard nextIdle < idle.count else { return nil }
        defer {
            nextIdle += 1
            if nextIdle == idle.count { (idle, nextIdle) = ([], 0) }
        }
        return idle[nextIdle]
    }

    var hasIdle: Bool { !idle.isEmpty }

    // MARK: Connections

    /// The deadlines of the last connection in the slot do not count any more.
    mutating func admit(_ slot: ConnectionSlot) {
        if slot == purposes.count { purposes.append(0) } else { purposes[slot] = 0 }
    }

    func isSet(_ purpose: ConnectionPurpose, of slot: ConnectionSlot) -> Bool {
        purposes[slot] & purpose.rawValue != 0
    }

    /// Sets a deadline of the connection, unless it is set already.
    mutating func set(
        _ purpose: ConnectionPurpose, of slot: ConnectionSlot, number: Int, at due: Instant
    ) {
        guard !isSet(purpose, of: slot) else { return }
        purposes[slot] |= purpose.rawValue
        set(.connection(purpose, slot, number: number), at: due)
    }

    /// The deadline of the connection was due.
    mutating func passed(_ purpose: ConnectionPurpose, of slot: ConnectionSlot) {
        purposes[slot] &= ~purpose.rawValue
    }

    // MARK: Time

    /// Takes out the next purpose that is due.
    mutating func take(dueBy now: Instant) -> Purpose? {
        guard let first = heap.first, first.due <= now else { return nil }
        return heap.pop()?.purpose
    }
}
