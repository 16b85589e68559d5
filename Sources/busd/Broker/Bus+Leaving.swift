import BusdProtocol

// Removing a connection from the watchers of many view models takes long, so it is done in pieces.
//
// `unsubscribe` with a pattern visits the matching view models in address order. If the connection
// watches one that no other of its subscriptions matches, the watch ends; until then its events are
// still queued. The answer comes at the end, and nothing is written before. So, unlike `list` and
// `subscribe`, it needs no catch-up with a place in the backlog (`CatchUps.Leaving`).
//
// A connection that is closing or closed gets no events from that moment on
// (`Delivery.stopHearing`). Its watches end in this turn and the next ones (`Roster.leaver`).

extension Bus {
    mutating func unsubscribe(
        _ pattern: Pattern, _ id: Request.ID?, _ slot: ConnectionSlot
    ) throws(WireError) {
        try takeOut(pattern, slot)
        let walk = Walk(pattern, lastNumber: roster.lastNumber)
        withCatchUps(of: slot) { $0.leave(walk, id) }
        // A pattern that is an address matches one view model at most, so it needs no pieces.
        goOnLeaving(slot, until: pattern.address == nil ? scheduler.visitEnd : .max)
    }

    /// Continues the `unsubscribe` of the connection until the cost `end` is reached.
    mutating func goOnLeaving(_ slot: ConnectionSlot, until end: Int) {
        // By its new rights, the connection would not find the view models that are being hidden.
        guard let catchUps = outlet.catchUps(of: slot), catchUps.leaving != nil, !isHiding(slot)
        else { return }
        while let leaving = catchUps.leaving {
            guard spent < end else { return makeReady(slot) }
            let next = next(on: leaving.walk, for: slot, most: 16, of: Walk.stride)
            for model in next.found {
                if roster[slot].watches[model] != nil { refreshWatch(slot, of: model) }
                catchUps.passLeaving(roster[model].address.text)
                guard spent < end else { return makeReady(slot) }
            }
            guard let last = next.last else {
                roster.giveBackRoom(slot)
                withCatchUps(of: slot) { $0.endLeaving() }
                if leaving.id != nil { answer(leaving.id, slot) { _ in } }
                return
            }
            catchUps.passLeaving(roster[last].address.text)
        }
    }

    // MARK: Connections that close

    /// The connection is about to close, and gets no events from now on. A few watches end at once,
    /// the others in later turns.
    mutating func stopWatching(_ slot: ConnectionSlot) {
        delivery.stopHearing(slot)
        roster.startLeaving(slot)
        goOnLeaving(until: max(scheduler.turnEnd, spent + Cost.shortJob))
    }

    /// Continues to end the watches of leavers until the cost `end` is reached.
    mutating func goOnLeaving(until end: Int) {
        while spent < end, let slot = roster.leaver {
            while spent < end, let model = roster.nextToLeave() { leave(slot, model) }
            guard roster.hasLeftAll else { return }
            delivery.stoppedWatching()
            roster.hasLeft()
        }
    }
}
