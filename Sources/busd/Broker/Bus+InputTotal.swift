import BusdProtocol

// What all clients together have sent and nobody has handled is bounded by `inputTotal`, twice.
//
// Lines that wait: who has some is not read from until they have been handled. That waits for
// nothing that other clients do, so nobody can hold another up.
//
// Lines that have not ended: they can't wait, because only reading on brings their end, and who
// never sends it would hold up all the others. So the longest are given up, and who has sent them
// is told: what comes is passed over up to the next LF.
//
// Who has sent little is read in any case, and keeps what has been read.

/// Bytes that have been sent, and not been handled.
struct InputTotal {
    var unfinished = 0
    var waiting = 0
}

extension Bus {
    /// Whenever bytes have come, or lines have been handled.
    mutating func countInput(of slot: ConnectionSlot) {
        let before = connections[slot].counted
        let (all, unfinished) = (
            connections[slot].input.count, connections[slot].input.unfinished
        )
        connections[slot].counted = InputTotal(
            unfinished: unfinished, waiting: unfinished == 0 ? all : 0)
        inputTotal.unfinished += connections[slot].counted.unfinished - before.unfinished
        inputTotal.waiting += connections[slot].counted.waiting - before.waiting
        if inputTotal.unfinished > limits.inputTotal { giveUpLongestLines() }
    }

    /// Whether not too much input waits.
    func mayReadOn(_ slot: ConnectionSlot) -> Bool {
        connections[slot].input.count <= limits.line + Limits.turnBytes
            && (inputTotal.waiting <= limits.inputTotal(of: connections[slot].access)
                || connections[slot].counted.waiting <= Limits.littleInput)
    }

    /// Bytes, at once.
    package var mostToRead: Int {
        inputTotal.waiting <= limits.inputTotal ? Limits.turnBytes : Limits.littleInput
    }

    /// Frees an eighth at once, so the search is rare. View clients lose theirs first.
    private mutating func giveUpLongestLines() {
        let holders = holders { $0.counted.unfinished }
        for (slot, bytes) in holders where bytes > Limits.littleInput {
            guard inputTotal.unfinished > limits.inputTotal / 8 * 7 else { return }
            connections[slot].input.giveUpUnfinished()
            connections[slot].counted.unfinished = 0
            inputTotal.unfinished -= bytes
            makeReady(slot)
        }
    }

    /// The connections that hold some bytes: those of the view socket first, then the largest.
    func holders(
        of bytes: (borrowing Connection) -> Int
    ) -> [(slot: ConnectionSlot, bytes: Int)] {
        let connections = connections.span
        var holders: [(slot: ConnectionSlot, bytes: Int, isView: Bool)] = []
        for slot in connections.indices where bytes(connections[slot]) > 0 {
            let isView = connections[slot].access == .view
            holders.append((slot, bytes(connections[slot]), isView))
        }
        holders.sort { $0.isView != $1.isView ? $0.isView : $0.bytes > $1.bytes }
        return holders.map { ($0.slot, $0.bytes) }
    }

    var givenUp: WireError {
        WireError(
            .overloaded,
            "lines of more than \(limits.inputTotal) bytes together have not ended, "
                + "and this was one of the longest (limit inputTotal)")
    }
}
