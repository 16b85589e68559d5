import BusdProtocol

// Who hears which view model, and what of it. Both sides know of each other, so that one who comes
// or goes costs the same however many the others are.

/// What a connection wants to hear of a view model.
enum Wish {
    case nothing
    case everything
    case only(Filter)

    /// Takes in what a subscription that matches wants; `nil` is everything.
    mutating func add(_ only: Filter?) {
        switch (self, only) {
        case (.everything, _), (_, nil): self = .everything
        case (.nothing, let only?): self = .only(only)
        case (.only(let known), let only?):
            guard !only.names.isSubset(of: known.names) else { return }
            self = .only(Filter(known, only))
        }
    }
}

extension Bus {
    /// Which of the connection's subscriptions match decides whether it hears a view model, and
    /// what.
    mutating func refreshMembership(_ slot: ConnectionSlot, of model: ModelID) {
        fulfil(wish(of: slot, for: model), slot, of: model)
    }

    mutating func fulfil(_ wish: Wish, _ slot: ConnectionSlot, of model: ModelID) {
        switch wish {
        case .nothing: leave(slot, model)
        case .everything: hear(model, nil, slot)
        case .only(let filter): hear(model, filter, slot)
        }
    }

    private mutating func wish(of slot: ConnectionSlot, for model: ModelID) -> Wish {
        var wish = Wish.nothing
        var (compared, filters) = (0, 0)
        // Mostly it is the last that has just come, and wants everything.
        for subscription in connections[slot].subscriptions.reversed() {
            compared += 1
            guard models[model.slot].isMatched(by: subscription.pattern) else { continue }
            wish.add(subscription.only)
            if subscription.only != nil { filters += 1 }
            if case .everything = wish { break }
        }
        spend(Cost.comparison * compared + Cost.filter * filters)
        return wish
    }

    private mutating func hear(
        _ model: ModelID, _ only: Filter?, _ slot: ConnectionSlot
    ) {
        addMember(slot, of: model)
        guard only != nil || connections[slot].special[model] != nil else { return }
        var view = connections[slot].special[model] ?? SpecialView(lastSeq: models[model.slot].seq)
        view.only = only
        connections[slot].special[model] = view
        settle(slot, model)
    }

    /// Keeps `Member`, `FilteredMember` and `Connection.special` in step.
    mutating func settle(_ slot: ConnectionSlot, _ model: ModelID) {
        guard let view = connections[slot].special[model] else { return }
        if let only = view.only, view.stall == nil {
            startFiltering(model, by: only, slot)
        } else {
            stopFiltering(model, slot)
        }
        if view.isPlain { connections[slot].special.removeValue(forKey: model) }
        if let place = connections[slot].models[model] {
            noteRun()
            models[model.slot].stream?.changeMembers { $0[place].isPlain = view.isPlain }
        }
    }

    mutating func leave(_ slot: ConnectionSlot, _ model: ModelID) {
        endStall(of: model, at: models[model.slot].seq, slot)
        stopFiltering(model, slot)
        connections[slot].special.removeValue(forKey: model)
        removeMember(slot, of: model)
    }

    private mutating func addMember(_ slot: ConnectionSlot, of model: ModelID) {
        guard connections[slot].models[model] == nil else { return }
        noteRun()
        let stream = models[model.slot].awake()
        connections[slot].models[model] = stream.members.count
        stream.changeMembers { $0.append(Member(connection: slot)) }
        subscribed.count(1, connections[slot].access)
    }

    mutating func removeMember(_ slot: ConnectionSlot, of model: ModelID) {
        spend(Cost.leave)
        guard let place = connections[slot].models.removeValue(forKey: model),
            let stream = models[model.slot].stream
        else { return }
        subscribed.count(-1, connections[slot].access)
        vacate(place, of: stream, model)
        watchRest(of: model)
    }

    /// The last takes the place that becomes free.
    private mutating func vacate(_ place: Int, of stream: Stream, _ model: ModelID) {
        noteRun()
        let moved = stream.changeMembers { members -> Member? in
            guard let last = members.popLast(), place < members.count else { return nil }
            members[place] = last
            return last
        }
        if let moved { connections[moved.connection].models[model] = place }
    }
}
