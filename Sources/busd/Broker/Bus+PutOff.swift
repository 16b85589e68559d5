import BusdProtocol

// A catch-up waits while too much is unread.

extension Bus {
    /// While too much is unread, a view model with a long snapshot waits, unless the snapshot is in
    /// memory. It is retried when there is room, and every 250 ms.
    mutating func mayShow(_ model: ModelID, _ slot: ConnectionSlot) -> Bool {
        let excess = budget.excess(for: roster[slot].access)
        let most = budget.mostUnread(of: roster[slot].access)
        guard excess > 0, isHere(model), !roster[slot].isCatchUpDue,
            roster[model].stream?.shownLength ?? 0 >= kept.least,
            excess > most / 4 || kept.find(model, roster[model].seq) == nil
        else { return true }
        roster[slot].isCatchUpPutOff = true
        if roster.putOff.insert(slot).inserted {
            deadlines.set(
                .catchUp(slot, number: roster[slot].number), at: now + Self.longestPutOff)
        }
        return false
    }

    static let longestPutOff: Duration = .milliseconds(250)

    /// Lets catch-ups go on that were put off, if there is room. Clients can read while the clock
    /// stands still, so no deadline is awaited.
    mutating func resumePutOff() {
        for slot in roster.putOff where budget.excess(for: roster[slot].access) <= 0 {
            retryCatchUp(slot)
        }
        // Bytes behind such a catch-up cannot be read before it. If only these are too much, one
        // catch-up goes on, or all would wait for each other.
        let stuck = roster.putOff.reduce(0) { $0 + delivery.backlog(of: $1).keptBytes }
        guard let slot = roster.putOff.min(),
            budget.excess(for: roster[slot].access) <= stuck
        else { return }
        roster[slot].isCatchUpDue = true
        retryCatchUp(slot)
    }
}
