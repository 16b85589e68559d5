import BusdProtocol

// Leaving many view models takes long, so it is done in pieces.
//
// `unsubscribe` with a pattern checks for each view model that matches, in address order, whether
// another subscription of the connection wants it, and is answered at the end. Until then, events
// arrive of what has not been left.
//
// A connection that is closing or closed hears nothing from that moment on
// (`Delivery.stopHearing`). Its memberships end in this turn and the next ones.

/// A connection that hears nothing any more.
struct Leaver {
    let slot: ConnectionSlot
    /// It still watches these.
    var models: [ModelID]
}

extension Bus {
    mutating func unsubscribe(
        _ pattern: Pattern, _ id: Request.ID?, _ slot: ConnectionSlot
    ) throws(WireError) {
        try takeOut(pattern, slot)
        let walk = Walk(pattern, lastNumber: roster.lastMark)
        withCatchUps(of: slot) { $0.leaving = CatchUps.Leaving(walk: walk, id: id) }
        // An address is one view model.
        goOnLeaving(slot, until: pattern.address == nil ? scheduler.visitEnd : .max)
    }

    /// Goes on until so much has been spent.
    mutating func goOnLeaving(_ slot: ConnectionSlot, until end: Int) {
        guard let catchUps = roster[slot].catchUps, catchUps.leaving != nil else { return }
        while let leaving = catchUps.leaving {
            guard spent < end else { return makeReady(slot) }
            let next = next(on: leaving.walk, most: 16, of: Walk.stride)
            for model in next.found {
                if roster[slot].watches[model] != nil { refreshWatch(slot, of: model) }
                catchUps.leaving?.walk.passed = roster[model].address.text
                guard spent < end else { return makeReady(slot) }
            }
            guard let last = next.last else {
                roster[slot].watches.giveBackRoom()
                withCatchUps(of: slot) { $0.leaving = nil }
                if leaving.id != nil { answer(leaving.id, slot) { _ in } }
                return
            }
            catchUps.leaving?.walk.passed = roster[last].address.text
        }
    }

    // MARK: Hearing nothing

    /// The connection is about to close. Few memberships end at once.
    mutating func stopWatching(_ slot: ConnectionSlot) {
        delivery.stopHearing(slot)
        roster[slot].isLeaving = true
        roster.leavers.append(Leaver(slot: slot, models: Array(roster[slot].watches.keys)))
        goOnLeaving(until: max(scheduler.turnEnd, spent + Cost.shortJob))
    }

    mutating func goOnLeaving(until end: Int) {
        while spent < end, var leaver = roster.leavers.popLast() {
            while spent < end, let model = leaver.models.popLast() { leave(leaver.slot, model) }
            guard leaver.models.isEmpty else { return roster.leavers.append(leaver) }
            delivery.stoppedWatching()
            roster.hasLeft(leaver.slot)
        }
    }
}
