import BusdProtocol

// A catch-up waits while too much is unread.

extension Bus {
    /// While too much is unread, a view model whose next snapshot is long waits, unless that
    /// snapshot is in memory. It is tried again when there is room, and every 250 ms.
    mutating func mayShow(_ model: ModelID, _ slot: ConnectionSlot) -> Bool {
        let excess = budget.excess(for: connections[slot].access)
        let most = budget.mostUnread(of: connections[slot].access)
        guard excess > 0, isHere(model), !connections[slot].isCatchUpDue,
            models[model.slot].stream?.shownLength ?? 0 >= kept.least,
            excess > most / 4 || kept.find(model, models[model.slot].seq) == nil
        else { return true }
        connections[slot].isCatchUpPutOff = true
        if putOff.insert(slot).inserted {
            deadlines.set(
                .catchUp(slot, number: connections[slot].number), at: now + Self.longestPutOff)
        }
        return false
    }

    static let longestPutOff: Duration = .milliseconds(250)

    /// Lets catch-ups go on that were put off, if there is room. Clients can read while the clock
    /// stands still, so no deadline is awaited.
    mutating func resumePutOff() {
        for slot in putOff where budget.excess(for: connections[slot].access) <= 0 {
            retryCatchUp(slot)
        }
        // Bytes behind such a catch-up cannot be read before it. If only these are too much, one
        // catch-up goes on, or all would wait for each other.
        let stuck = putOff.reduce(0) { $0 + delivery.backlog(of: $1).keptBytes }
        guard let slot = putOff.min(),
            budget.excess(for: connections[slot].access) <= stuck
        else { return }
        connections[slot].isCatchUpDue = true
        retryCatchUp(slot)
    }
}

typealias Lines = [(text: Text, kind: Queued)]

/// The lines of one step.
struct Piece {
    var lines: Lines = []
    /// Bytes of all lines.
    private(set) var length = 0
    /// Bytes that are enough.
    let most: Int

    init(most: Int) { self.most = most }

    mutating func add(_ more: Lines) {
        for line in more where !line.text.isEmpty {
            lines.append(line)
            length += line.text.length
        }
    }
}
