import BusdProtocol

// What may be much is shown in pieces: a join of many view models (Bus+Joining.swift), a long list
// of them (Bus+Listing.swift), and those that came while a view was too slow (Bus+Arrivals.swift).
// A piece is as much as the turn may cost and somebody may leave unread; the next is made when the
// socket has taken it.
//
// The next piece has a place of its own in the backlog. What is said meanwhile is put in line
// behind, and the requests of the connection wait. So nothing comes between two pieces, and who
// does not read holds one at the most.

extension Bus {
    typealias Lines = [(text: Text, kind: Backlog.Entry.Kind)]

    /// Bytes of a piece, of which the last line or row may be beyond.
    var mostOfPiece: Int {
        unreadBytes > limits.outputTotal ? limits.output / 64 : limits.output / 4
    }

    /// Puts the first piece of something in line, and keeps a place for the next where that is not
    /// all. What was said before has been queued.
    mutating func queueFirst(_ lines: Lines, of slot: ConnectionSlot) {
        let isDone = connections[slot].showing == nil
        withBacklog(of: slot) { backlog in
            for line in lines { backlog.append(line.text, line.kind) }
            if !isDone { backlog.appendShowing(.request) }
        }
        awaitWritable(slot)
    }

    /// Shows more, where all that stood before has been taken. When the daemon ends, only an answer
    /// is completed.
    mutating func goOnShowing(_ slot: ConnectionSlot) {
        guard let shown = connections[slot].backlog.shownAtFront,
            !isStopping || connections[slot].isBeingAnswered
        else { return }
        let lines: Lines
        let isDone: Bool
        switch shown {
        case .request:
            lines = nextPiece(of: slot)
            isDone = connections[slot].showing == nil
        case .arrivals:
            guard !connections[slot].isBlocked else { return }
            lines = nextArrivals(of: slot)
            isDone = connections[slot].untold == nil
        }
        guard isDone || !lines.isEmpty else { return }
        withBacklog(of: slot) { $0.fillShowing(lines, isDone: isDone) }
        awaitWritable(slot)
    }

    /// Adds what `show` says of a view model. Returns false where the piece has enough.
    mutating func add(
        _ model: ModelID, to piece: inout Piece, _ slot: ConnectionSlot,
        _ show: (inout Bus, inout Lines) -> Void
    ) -> Bool {
        guard piece.lines.isEmpty || piece.count < piece.most && spent < turnEnd else {
            return false
        }
        let before = piece.lines.count
        show(&self, &piece.lines)
        let length = piece.lines[before...].reduce(0) { $0 + $1.text.length }
        piece.count += length
        spend(Cost.join + length)
        return true
    }

    /// While too much is unread, a gap, join or arrival whose next snapshot is long waits, unless
    /// that snapshot is in memory. It is tried again when there is room, and every 250 ms.
    mutating func mayShow(_ model: ModelID, _ slot: ConnectionSlot) -> Bool {
        let most = limits.outputTotal(of: connections[slot].access)
        let excess = unreadBytes - most
        guard excess > 0, isHere(model),
            models[model.slot].stream?.shownLength ?? 0 >= kept.least,
            excess > most / 4 || kept.find(model, models[model.slot].seq) == nil
        else { return true }
        connections[slot].isShowingPutOff = true
        if putOff.insert(slot).inserted {
            deadlines.set(
                .showing(slot, number: connections[slot].number), at: now + Self.longestPutOff)
        }
        return false
    }

    static let longestPutOff: Duration = .milliseconds(250)

    /// Shows snapshots that were put off, if there is room. Clients can read while the clock stands
    /// still, so no deadline is awaited.
    mutating func showPutOff() {
        for slot in putOff where unreadBytes <= limits.outputTotal(of: connections[slot].access) {
            showAgain(slot)
        }
    }

    mutating func showAgain(_ slot: ConnectionSlot) {
        putOff.remove(slot)
        connections[slot].isShowingPutOff = false
        if !connections[slot].isBlocked { writeLater(slot) }
    }

    private mutating func nextPiece(of slot: ConnectionSlot) -> Lines {
        switch connections[slot].showing {
        case .join: nextLines(of: slot)
        case .list(let listing): nextRows(of: listing, to: slot)
        case nil: []
        }
    }
}

/// Snapshots of some view models, one at least.
struct Piece {
    var lines: Bus.Lines = []
    /// Bytes.
    var count = 0
    let most: Int

    init(most: Int) { self.most = most }
}
