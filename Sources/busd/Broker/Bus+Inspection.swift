package import BusdProtocol

// Tests of the whole bus read its state here, and set a few limits.

/// The state of a connection.
package struct ConnectionState {
    package let number: Int
    /// Number of view models that it watches.
    package let watchCount: Int
    /// Number of view models that it can watch without more memory.
    package let watchCapacity: Int
    /// Number of pending sends, with the answers behind them.
    package let pendingCount: Int
    package let catchUpCount: Int

    /// Bytes of a line without its end.
    package let unfinishedInput: Int
    /// Bytes of events that the socket has not taken.
    package let eventBytes: Int
    /// Bytes of answers that the socket has not taken, without those of this turn.
    package let answerBytes: Int
    /// Bytes that the socket has not taken, are in memory for it alone, and cannot be dropped.
    package let unreadBytes: Int

    /// Its waiting events are dropped before anything more is written.
    package let hasToDrop: Bool
    /// Its backlog has the place of a catch-up.
    package let isBehind: Bool
    /// Its `subscribe` with a pattern is in progress.
    package let isJoining: Bool
    /// Its `unsubscribe` is in progress.
    package let isLeaving: Bool
    /// The answer to its `list`, or to its `subscribe` with a pattern, is not complete.
    package let isBeingAnswered: Bool
}

extension Bus {
    /// The state of a connection; `nil`: it is closed.
    package func state(of slot: ConnectionSlot) -> ConnectionState? {
        guard isHere(slot) else { return nil }
        let connection = roster[slot]
        let backlog = delivery.backlog(of: slot)
        return ConnectionState(
            number: connection.number, watchCount: connection.watches.count,
            watchCapacity: connection.watches.capacity, pendingCount: pending.count(of: slot),
            catchUpCount: outlet.catchUps(of: slot)?.waiting.count ?? 0,
            unfinishedInput: intake.unfinished(of: slot), eventBytes: backlog.eventBytes,
            answerBytes: backlog.answerBytes, unreadBytes: backlog.keptBytes,
            hasToDrop: outlet.hasToDrop(slot), isBehind: outlet.isBehind(slot),
            isJoining: outlet.joiners.contains(slot),
            isLeaving: outlet.catchUps(of: slot)?.leaving != nil,
            isBeingAnswered: outlet.catchUps(of: slot)?.isBeingAnswered ?? false)
    }

    /// The states of all connections, in the order of their slots.
    package var states: [ConnectionState] { roster.slots.compactMap { state(of: $0) } }

    package var viewConnectionCount: Int { roster.viewConnectionCount }

    package var viewModelCount: Int { roster.modelCount }

    /// Whether a policy that comes into force has not reached the connection yet.
    package func isYetToEnforce(_ slot: ConnectionSlot) -> Bool {
        enforcement.map { $0.slot < slot || $0.slot == slot && $0.hiding == nil } ?? false
    }

    /// Whether a policy that comes into force has not reached the connection yet, or hides the
    /// address and has not taken it from the connection yet.
    package mutating func isYetToHide(_ address: Address, _ slot: ConnectionSlot) -> Bool {
        let isStillWatched = model(at: address).map { enforcement?.isYetToHide($0, slot) ?? false }
        return isYetToEnforce(slot) || isStillWatched ?? false
    }

    /// Cost of everything so far, in the units of `Cost`. Only differences within a turn count.
    package var costs: Int { spent }

    /// Whether the current snapshot of the view model is kept.
    package mutating func keepsSnapshot(of address: Address) -> Bool {
        guard let model = model(at: address) else { return false }
        return kept.find(model, roster[model].seq) != nil
    }

    /// Forgets all kept snapshots, and sets how long a snapshot must be to be kept.
    ///
    /// - Parameter least: bytes of the shortest snapshot that is kept.
    /// - Parameter leastShared: bytes of the shortest value that is shared.
    package mutating func keepSnapshots(from least: Int, sharingFrom leastShared: Int = 1 << 12) {
        kept = KeptSnapshots(least: least, leastShared: leastShared)
    }
}
