import BusdProtocol

// `subscribe` with a pattern may match thousands of view models. So its answer, the snapshots and
// the last `live` are written in the steps of a catch-up (Bus+CatchingUp.swift). If nothing waits
// for the socket, the first step is taken at once; a short join needs no other one.

extension Bus {
    /// Answers a `subscribe` with a pattern, and shows every view model that matches.
    ///
    /// - Parameter count: most memberships that the join adds. A membership is a pair of a
    ///   connection and a view model that it watches.
    mutating func beginJoin(
        _ pattern: Pattern, adding count: Int, _ id: Request.ID?, _ slot: ConnectionSlot
    ) {
        // A large dictionary takes long to grow. The connection may watch some of the matches
        // already.
        let heard = roster[slot].watches.count
        roster.reserve(min(count, max(0, roster.modelCount - heard)), slot)
        let account = budget.subscriptions(of: roster[slot].access)
        let reserved = Charge(HeldMemory.membershipBytes * count, on: account)
        let listing = Listing(pattern, of: .addresses, id, lastNumber: roster.lastNumber)
        outlet.beginJoin(slot)
        let isFree = delivery.backlog(of: slot).isEmpty
        let number = nextCatchUp(of: slot)
        withCatchUps(of: slot) { $0.begin(number, answer: listing, reserved: reserved) }
        waitForJoin(number, pattern, slot)
        let first = isFree ? step(of: number, slot) : nil
        queue(number, first?.lines ?? [], isComplete: first?.isComplete ?? false, slot)
    }

    /// The matches that the connection watches already wait until the join shows them again. None
    /// of their events is queued before.
    private mutating func waitForJoin(_ number: Int, _ pattern: Pattern, _ slot: ConnectionSlot) {
        spend(Cost.comparison * roster[slot].watches.count)
        for model in roster[slot].watches.keys
        where roster.finds(model, by: pattern, slot) {
            let wasShown = endWait(of: model, slot)
            let seq = roster[model].seq
            let previous = wasShown ? lastQueued(model, slot) : nil
            withCatchUps(of: slot) {
                $0.add(model, to: number, start: seq, previous: previous, isItem: false)
            }
            setWatchState(slot, of: model)
        }
    }
}
