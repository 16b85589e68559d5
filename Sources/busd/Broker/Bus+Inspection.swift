package import BusdProtocol

// Tests of the whole bus see this much of its parts, and set this much.

/// The state of a connection.
package struct ConnectionState {
    package let number: Int
    /// View models that it watches.
    package let watchCount: Int
    /// View models for which the memory of its watches suffices.
    package let watchCapacity: Int
    /// Sends that are not in the log yet, and answers behind them.
    package let pendingCount: Int
    package let catchUpCount: Int

    /// Bytes of a line that has not ended.
    package let unfinishedInput: Int
    /// Bytes of events that the socket has not taken.
    package let eventBytes: Int
    /// Bytes of answers that the socket has not taken, without those of this turn.
    package let answerBytes: Int
    /// Bytes of all other lines that the socket has not taken.
    package let unreadBytes: Int

    /// Its events are dropped before anything is written.
    package let hasToDrop: Bool
    package let isBehind: Bool
    /// Its `subscribe` is being answered.
    package let isJoining: Bool
    /// Its `unsubscribe` is being answered.
    package let isLeaving: Bool
    /// Its `list` or another long answer is being written.
    package let isBeingAnswered: Bool
}

extension Bus {
    /// `nil`: the connection is closed.
    package func state(of slot: ConnectionSlot) -> ConnectionState? {
        guard isHere(slot) else { return nil }
        let connection = roster[slot]
        let backlog = delivery.backlog(of: slot)
        return ConnectionState(
            number: connection.number, watchCount: connection.watches.count,
            watchCapacity: connection.watches.capacity, pendingCount: connection.pendingCount,
            catchUpCount: connection.catchUps?.waiting.count ?? 0,
            unfinishedInput: connection.input.unfinished, eventBytes: backlog.eventBytes,
            answerBytes: backlog.answerBytes, unreadBytes: backlog.keptBytes,
            hasToDrop: connection.hasToDrop, isBehind: connection.isBehind,
            isJoining: roster.joiners.contains(slot),
            isLeaving: connection.catchUps?.leaving != nil,
            isBeingAnswered: connection.isBeingAnswered)
    }

    /// Of all connections.
    package var states: [ConnectionState] { roster.slots.compactMap(state) }

    package var viewConnectionCount: Int { roster.viewConnectionCount }

    /// Whether a snapshot of the view model as it is now is kept.
    package func keepsSnapshot(of address: Address) -> Bool {
        guard let model = model(at: address) else { return false }
        return kept.find(model, roster[model].seq) != nil
    }

    /// Forgets kept snapshots, and keeps those from now on that are long enough.
    ///
    /// - Parameter least: bytes of a snapshot worth keeping.
    /// - Parameter leastShared: bytes of a value worth sharing.
    package mutating func keepSnapshots(from least: Int, sharingFrom leastShared: Int = 1 << 12) {
        kept = KeptSnapshots()
        kept.least = least
        kept.leastShared = leastShared
    }
}
