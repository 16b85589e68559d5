import BusdProtocol

// After a new policy, a connection is sent `gone` for each view model that it may not look at any
// more, and its subscription to the address ends. A view model that it may look at now arrives.
// Pending sends finish.

extension Bus {
    /// The policy is in force from now on, for all connections.
    mutating func enforce(_ policy: Policy) {
        let door = roster.door(under: policy)
        var changes: [RightsChange.Users: RightsChange] = [:]
        var affected: [(slot: ConnectionSlot, change: RightsChange)] = []
        for slot in roster.slots where roster.isHere(slot) && roster[slot].stage == .open {
            let users = RightsChange.Users(
                before: roster.door.rights(of: slot), after: door.rights(of: slot))
            let change = changes[users] ?? change(for: users)
            changes[users] = change
            if !change.isEmpty { affected.append((slot, change)) }
        }
        // By the rights that it had, a connection gives back what it holds.
        for (slot, change) in affected { lose(change, slot) }
        roster.replaceDoor(by: door)
        for (slot, change) in affected { win(change.won, slot) }
    }

    private mutating func change(for users: RightsChange.Users) -> RightsChange {
        let (roster, change) = (roster, RightsChange())
        guard users.before !== users.after else { return change }
        roster.forEach(from: "", to: Pattern.everything.end) { id in
            let couldLook = roster.mayLook(users.before, id)
            let mayLook = roster.mayLook(users.after, id)
            if couldLook, !mayLook { change.lost.append((id, GoneLines(roster[id]))) }
            if mayLook, !couldLook { change.won.append(id) }
            return true
        }
        spend(Cost.comparison * roster.modelCount)
        return change
    }

    /// The connection may not look at some view models any more.
    private mutating func lose(_ change: RightsChange, _ slot: ConnectionSlot) {
        let isJoining = outlet.joiners.contains(slot)
        for index in change.lost(of: roster[slot].watches, all: isJoining) {
            let model = change.lost[index].model
            let isWatched = roster[slot].watches[model] != nil
            let isNamed = hasNamed(roster[model], slot)
            let wasShown = isWatched && endWait(of: model, slot)
            if isWatched { endWatch(of: model, slot) }
            guard isNamed || wasShown, delivery.isHearing(slot) else { continue }
            // If it can be looked at again, it arrives behind its `gone`.
            outlet.catchUps(of: slot)?.leaveOut([model])
            delivery.noteRun()
            delivery.note(change.lost[index].lines.number(isNamed: isNamed, in: &delivery), slot)
        }
    }

    /// Ends the watch, and the subscription to the address.
    private mutating func endWatch(of model: ModelID, _ slot: ConnectionSlot) {
        let address = roster[model].address
        if let place = roster[slot].subscriptions.firstIndex(where: {
            $0.pattern.address == address
        }) {
            released(roster.removeSubscription(at: place, slot), of: slot)
            viewsChanged()
        }
        leave(slot, model)
        if isHalfClosed(slot) { makeReady(slot) }
    }

    /// The connection may look at these view models now. A new catch-up shows those that a pattern
    /// of it matches. Earlier ones do not: the subscription may be younger than their place.
    private mutating func win(_ models: [ModelID], _ slot: ConnectionSlot) {
        guard !models.isEmpty else { return }
        outlet.catchUps(of: slot)?.leaveOut(models)
        guard models.contains(where: { isSubscribed(to: $0, slot) }) else { return }
        let catchUp = nextCatchUp(of: slot)
        withCatchUps(of: slot) { catchUps in
            catchUps.begin(catchUp)
            catchUps.showArrivals(from: 0, in: catchUp)
        }
        queue(catchUp, [], isComplete: false, slot)
    }
}

/// The effect of a new policy on users that have equal rights before it, and equal rights after it.
private final class RightsChange {
    struct Users: Hashable {
        let before, after: Rights?

        static func == (a: Self, b: Self) -> Bool { a.before === b.before && a.after === b.after }

        func hash(into hasher: inout Hasher) {
            hasher.combine(before.map { ObjectIdentifier($0) })
            hasher.combine(after.map { ObjectIdentifier($0) })
        }
    }

    /// View models that they may not look at any more, in address order, with the lines that say
    /// so.
    var lost: [(model: ModelID, lines: GoneLines)] = []
    private lazy var places = Dictionary(
        uniqueKeysWithValues: lost.enumerated().map { ($1.model, $0) })
    /// View models that they may look at now, in address order.
    var won: [ModelID] = []

    var isEmpty: Bool { lost.isEmpty && won.isEmpty }

    /// The places in `lost` of what the connection watches, or all places.
    func lost(of watches: [ModelID: Int], all: Bool) -> [Int] {
        all ? Array(lost.indices) : watches.keys.compactMap { places[$0] }.sorted()
    }
}
