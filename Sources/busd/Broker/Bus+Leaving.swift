import Protocol

// To leave what a pattern matches is to ask of each view model whether another subscription of the
// connection wants it. Both may be many, so it is done in pieces, in address order: the line stays
// at the front, goes on when it is the connection's turn again, and is answered in the end. Until
// then events come of what has not been left.

extension Bus {
    /// Returns whether that was all. Else there is more to do when it is the connection's turn.
    mutating func unsubscribe(
        _ pattern: Pattern, _ slot: ConnectionSlot
    ) throws(WireError) -> Bool {
        if connections[slot].leaving == nil {
            // Nothing new is heard because of it.
            try takeOut(pattern, slot)
            guard !connections[slot].subscriptions.isEmpty else {
                hearNothing(slot)
                return true
            }
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
}
