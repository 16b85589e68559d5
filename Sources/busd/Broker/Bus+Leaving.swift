import BusdProtocol

// Leaving many view models takes long, so it is done in pieces.
//
// `unsubscribe` with a pattern checks for each view model that matches, in address order, whether
// another subscription of the connection wants it. The line stays at the front of the input
// meanwhile, and is answered at the end. Until then, events arrive of what has not been left.
//
// A connection that is closing or closed hears nothing from that moment on
// (`Connection.isHearing`). Its memberships end in this turn and the next ones.

/// A connection that hears nothing any more.
struct Leaver {
    let slot: ConnectionSlot
    /// It is still a member of these.
    var models: [ModelID]
}

extension Bus {
    /// Returns whether that was all. Else there is more to do when it is the connection's turn.
    mutating func unsubscribe(
        _ pattern: Pattern, _ slot: ConnectionSlot
    ) throws(WireError) -> Bool {
        if connections[slot].leaving == nil {
            // Nothing new is heard because of it.
            try takeOut(pattern, slot)
            if connections[slot].subscriptions.isEmpty { forgetUntold(slot) }
            connections[slot].leaving = Walk(pattern, lastNumber: lastMark)
        }
        // What is meant by its address is one view model.
        leave(slot, until: pattern.address == nil ? visitEnd : .max)
        guard connections[slot].leaving == nil else { return false }
        connections[slot].giveBackRoom()
        return true
    }

    /// Goes on until so much has been spent.
    private mutating func leave(_ slot: ConnectionSlot, until end: Int) {
        while spent < end, let walk = connections[slot].leaving {
            let next = next(on: walk, most: 16, of: Walk.stride)
            for model in next.found {
                if connections[slot].models[model] != nil { refreshMembership(slot, of: model) }
                connections[slot].leaving?.passed = models[model.slot].address.text
                guard spent < end else { return }
            }
            if let last = next.last {
                connections[slot].leaving?.passed = models[last.slot].address.text
            } else {
                connections[slot].leaving = nil
            }
        }
    }

    // MARK: Hearing nothing

    /// The connection is about to close. Few memberships end at once.
    mutating func hearNothing(_ slot: ConnectionSlot) {
        noteRun()
        connections[slot].isLeaving = true
        leavers.append(Leaver(slot: slot, models: Array(connections[slot].models.keys)))
        goOnLeaving(until: max(turnEnd, spent + Cost.shortJob))
    }

    mutating func goOnLeaving(until end: Int) {
        while spent < end, var leaver = leavers.popLast() {
            while spent < end, let model = leaver.models.popLast() { leave(leaver.slot, model) }
            guard leaver.models.isEmpty else { return leavers.append(leaver) }
            connections[leaver.slot].isLeaving = false
            if connections[leaver.slot].stage == .vacant { retired(leaver.slot) }
        }
    }
}
