import BusdProtocol

// A catch-up is put off while clients have left too much output unread (`limits.outputTotal`).

extension Bus {
    /// Whether a catch-up may show the view model now. While too much is unread, a view model with
    /// a long snapshot waits. A kept snapshot is in memory already, so it waits only if the limit
    /// is exceeded by more than a quarter. The catch-up is retried when there is room, and every
    /// 250 ms.
    mutating func mayShow(_ model: ModelID, _ slot: ConnectionSlot) -> Bool {
        let excess = budget.excess(for: roster[slot].access)
        let most = budget.mostUnread(of: roster[slot].access)
        guard excess > 0, isHere(model), outlet.catchUps(of: slot)?.pace != .due,
            roster[model].stream?.shownLength ?? 0 >= kept.least,
            excess > most / 4 || kept.find(model, roster[model].seq) == nil
        else { return true }
        outlet.putOff(slot)
        setDeadline(.catchUp, of: slot, at: now + Self.longestPutOff)
        return false
    }

    static let longestPutOff: Duration = .milliseconds(250)

    /// Retries the catch-ups that were put off, if there is room. It does not wait for the
    /// deadline, because clients can read while the clock is stopped (`bus/clock`).
    mutating func resumePutOff() {
        for slot in outlet.putOff where budget.excess(for: roster[slot].access) <= 0 {
            retryCatchUp(slot)
        }
        // The bytes behind a catch-up cannot be read before it is complete. If they alone exceed
        // the limit, one catch-up continues; otherwise all would wait for each other.
        let stuck = outlet.putOff.reduce(0) { $0 + delivery.backlog(of: $1).keptBytes }
        guard let slot = outlet.putOff.min(),
            budget.excess(for: roster[slot].access) <= stuck
        else { return }
        outlet.mustGoOn(slot)
        retryCatchUp(slot)
    }
}
