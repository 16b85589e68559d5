import BusdProtocol

// A `subscribe` with a pattern is answered, and shows everything that matches, in the steps of a
// catch-up (Bus+CatchingUp.swift).

extension Bus {
    /// Answers a `subscribe` with a pattern, and shows everything that matches.
    ///
    /// - Parameter count: the join adds at most this many memberships.
    mutating func beginJoin(
        _ pattern: Pattern, adding count: Int, _ id: Request.ID?, _ slot: ConnectionSlot
    ) {
        // A large dictionary takes long to grow. Of these, the connection may hear some already.
        let heard = roster[slot].watches.count
        roster[slot].reserve(min(count, max(0, roster.modelCount - heard)))
        let account = budget.subscriptions(of: roster[slot].access)
        let reserved = Charge(HeldMemory.membershipBytes * count, on: account)
        let listing = Listing(pattern, of: .addresses, id, lastNumber: roster.lastMark)
        roster.joiners.insert(slot)
        let isFree = delivery.backlog(of: slot).isEmpty
        let number = nextCatchUp(of: slot)
        withCatchUps(of: slot) { $0.begin(number, answer: listing, reserved: reserved) }
        waitForJoin(number, pattern, slot)
        let first = isFree ? step(of: number, slot) : nil
        queue(number, first?.lines ?? [], isComplete: first?.isComplete ?? false, slot)
    }

    /// What the connection hears already is not heard until the join shows it again.
    private mutating func waitForJoin(_ number: Int, _ pattern: Pattern, _ slot: ConnectionSlot) {
        spend(Cost.comparison * roster[slot].watches.count)
        for model in roster[slot].watches.keys
        where roster[model].isMatched(by: pattern) {
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
