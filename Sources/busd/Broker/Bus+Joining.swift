import BusdProtocol

// `subscribe` with a pattern may match thousands of view models. So its answer, the snapshots and
// the last `live` are written in the steps of a catch-up (Bus+CatchingUp.swift). If nothing waits
// for the socket, the first step is taken at once; a short join needs no other one.
//
// A join is prepared first: each match that the connection watches already begins to wait for it,
// because no event of it may be queued behind the place of the join. This may take several visits,
// and the join gets its place at the end. Until a match waits, its events are queued as before; a
// match that arrives meanwhile is shown by the join.

extension Bus {
    /// Answers a `subscribe` with a pattern, and shows every view model that matches.
    ///
    /// - Parameter count: most memberships that the join adds. A membership is a pair of a
    ///   connection and a view model that it watches.
    mutating func beginJoin(
        _ pattern: Pattern, adding count: Int, _ id: Request.ID?, _ slot: ConnectionSlot
    ) {
        // Large dictionaries take long to grow. The connection may watch some of the matches
        // already.
        let heard = roster[slot].watches.count
        roster.reserve(min(count, max(0, roster.modelCount - heard)), slot)
        let account = budget.subscriptions(of: roster[slot].access)
        let reserved = Charge(HeldMemory.membershipBytes * count, on: account)
        let listing = Listing(pattern, of: .addresses, id, lastNumber: .max)
        outlet.beginJoin(slot)
        let number = catchUps(of: slot).lastNumber + 1
        withCatchUps(of: slot) {
            $0.begin(number, answer: listing, reserved: reserved)
            $0.prepare(mostWaits: heard)
        }
        goOnPreparing(slot, until: scheduler.visitEnd)
    }

    /// Lets the matches that the connection watches already wait until the join shows them again,
    /// until the cost `end` is reached. When all wait, the join begins.
    mutating func goOnPreparing(_ slot: ConnectionSlot, until end: Int) {
        guard let catchUps = outlet.catchUps(of: slot), let walk = catchUps.preparation else {
            return
        }
        // Few watches are compared with the pattern; many, in pieces of a walk through its matches.
        let count = roster[slot].watches.count
        let cost = (Cost.comparison + Cost.wait) * count  // fits: they are in memory
        if spent + cost <= end {
            spend(Cost.comparison * count)
            for model in roster[slot].watches.keys
            where walk.isBefore(roster[model]) && roster.finds(model, by: walk.pattern, slot) {
                waitForJoin(model, slot)
            }
            return endPreparing(slot)
        }
        while let walk = catchUps.preparation {
            guard spent < end else { return makeReady(slot) }
            let next = next(on: walk, for: slot, most: 64, of: Walk.stride)
            for model in next.found {
                if roster[slot].watches[model] != nil { waitForJoin(model, slot) }
                catchUps.passPreparation(roster[model].address.text)
                guard spent < end else { return makeReady(slot) }
            }
            guard let last = next.last else { return endPreparing(slot) }
            catchUps.passPreparation(roster[last].address.text)
        }
    }

    private mutating func waitForJoin(_ model: ModelID, _ slot: ConnectionSlot) {
        guard let number = outlet.catchUps(of: slot)?.request else { return }
        spend(Cost.wait)
        let wasShown = endWait(of: model, slot)
        let seq = roster[model].seq
        let previous = wasShown ? lastQueued(model, slot) : nil
        withCatchUps(of: slot) {
            $0.add(model, to: number, start: seq, previous: previous, isItem: false)
        }
        setWatchState(slot, of: model)
    }

    /// Whether a join that is being prepared will show the view model.
    func isPreparing(_ model: ModelID, _ slot: ConnectionSlot) -> Bool {
        outlet.catchUps(of: slot)?.preparation?.pattern.matches(roster[model].address) ?? false
    }

    private mutating func endPreparing(_ slot: ConnectionSlot) {
        let isFree = delivery.backlog(of: slot).isEmpty
        guard let number = placeJoin(slot) else { return }
        let first = isFree ? step(of: number, slot) : nil
        queue(number, first?.lines ?? [], isComplete: first?.isComplete ?? false, slot)
    }

    /// Ends the preparation. Returns the number of the catch-up, whose place has to be queued now;
    /// `nil`: none is being prepared.
    private mutating func placeJoin(_ slot: ConnectionSlot) -> Int? {
        guard let catchUps = outlet.catchUps(of: slot), let number = catchUps.request,
            catchUps.isBeingPrepared(number)
        else { return nil }
        catchUps.endPreparation(lastNumber: roster.lastNumber)
        queueTurn(of: slot)
        return number
    }

    /// The connection ends its subscriptions. If the join has not begun, it begins now, so that
    /// its answer is completed.
    mutating func stopPreparing(_ slot: ConnectionSlot) {
        if let number = placeJoin(slot) { queue(number, [], isComplete: false, slot) }
    }
}
