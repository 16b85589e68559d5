import Protocol

// From the turn's log to the sockets.
//
// What is long and goes to thousands (who is looking, told to all who look) would be gigabytes of
// one turn. It is in memory once: so each socket gets its beginning, as if there were no more room,
// and the rest when it is the connection's turn.

extension Bus {
    /// The turn is over: each connection's lines go to its socket, in one write.
    package mutating func flush(
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        drain()
        commitChanges()
        noteRun()
        let slots = dirty
        dirty.removeAll(keepingCapacity: true)
        var written = 0
        for slot in slots where isHere(slot) {
            var most = Int.max
            if written > mostFlushed,
                let start = turn.startOfLastShared(in: connections[slot].stretches)
            {
                most = start + kept.leastShared
            }
            flush(slot, most) { slot, bytes in
                written += bytes.count
                return write(slot, bytes)
            }
        }
        turn.removeAll()
        dropFromLargest()
    }

    /// Writes no more than so many bytes now, and what is left when it is the connection's turn.
    private mutating func flush(
        _ slot: ConnectionSlot, _ most: Int,
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        guard most < .max, !connections[slot].isBlocked else { return flush(slot, write) }
        connections[slot].isBlocked = true
        flush(slot) { write($0, UnsafeRawBufferPointer(rebasing: $1.prefix(most))) }
        guard isHere(slot) else { return }
        connections[slot].isBlocked = !connections[slot].backlog.isEmpty
        if connections[slot].isBlocked { effects.append(.write(slot)) }
    }

    private mutating func flush(
        _ slot: ConnectionSlot, _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        switch connections[slot].writeTurn(turn, { write(slot, $0) }) {
        case .written: break
        case .finished: finish(slot)
        case .left(let taken):
            queueTurn(of: slot, after: taken)
            finish(slot)
        case .failed: close(slot)
        }
    }
}
