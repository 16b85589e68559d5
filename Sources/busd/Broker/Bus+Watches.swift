import BusdProtocol

// Which connection watches which view model, and with which filter. Connection and view model refer
// to each other (`Connection.watches`, `Stream.watchers`), so adding or removing a watch takes
// constant time.

/// The events of a view model that a connection wants.
enum Interest {
    case nothing
    case everything
    case only(Filter)

    /// Adds the events of a subscription that matches; `nil`: all events.
    mutating func add(_ only: Filter?) {
        switch (self, only) {
        case (.everything, _), (_, nil): self = .everything
        case (.nothing, let only?): self = .only(only)
        case (.only(let known), let only?):
            guard !only.isCovered(by: known) else { return }
            self = .only(Filter(known, only))
        }
    }
}

extension Bus {
    /// Derives from the connection's subscriptions whether it watches the view model, and with
    /// which filter.
    mutating func refreshWatch(_ slot: ConnectionSlot, of model: ModelID) {
        setInterest(interest(of: slot, for: model), slot, of: model)
    }

    mutating func setInterest(_ interest: Interest, _ slot: ConnectionSlot, of model: ModelID) {
        switch interest {
        case .nothing: leave(slot, model)
        case .everything: watch(model, nil, slot)
        case .only(let filter): watch(model, filter, slot)
        }
    }

    private mutating func interest(of slot: ConnectionSlot, for model: ModelID) -> Interest {
        var interest = Interest.nothing
        var (compared, filters) = (0, 0)
        // Usually the newest subscription is the cause, and wants everything.
        for subscription in roster[slot].subscriptions.reversed() {
            compared += 1
            guard roster.finds(model, by: subscription.pattern, slot) else { continue }
            interest.add(subscription.only)
            if subscription.only != nil { filters += 1 }
            if case .everything = interest { break }
        }
        spend(Cost.comparison * compared + Cost.filter * filters)
        return interest
    }

    /// Whether the connection finds the view model by one of its subscriptions.
    func isSubscribed(to model: ModelID, _ slot: ConnectionSlot) -> Bool {
        roster[slot].subscriptions.contains { roster.finds(model, by: $0.pattern, slot) }
    }

    private mutating func watch(_ model: ModelID, _ only: Filter?, _ slot: ConnectionSlot) {
        spend(Cost.watch)
        addWatch(slot, of: model)
        guard let index = roster[slot].watches[model], let stream = roster[model].stream
        else { return }
        let known = stream.filter(at: index)
        let last = known?.lastSeq ?? stream.lastSeq
        stream.setFilter(only.map { WatchFilter(only: $0, lastSeq: last) }, at: index)
        setWatchState(slot, of: model)
    }

    /// Sets which events of the view model the connection gets now: all, those of its filter, or
    /// none while it is behind.
    mutating func setWatchState(_ slot: ConnectionSlot, of model: ModelID) {
        guard let index = roster[slot].watches[model], let stream = roster[model].stream
        else { return }
        let isBehind = outlet.catchUps(of: slot)?.wait(of: model) != nil
        let state: Watcher.State =
            isBehind ? .behind : stream.filter(at: index) == nil ? .live : .filtered
        guard stream.watchers[index].state != state else { return }
        delivery.noteRun()
        stream.setState(state, at: index)
    }

    /// The connection does not watch the view model any more.
    mutating func leave(_ slot: ConnectionSlot, _ model: ModelID) {
        spend(Cost.leave)
        endWait(of: model, slot)
        guard let index = roster.unwatch(slot, model),
            let stream = roster[model].stream
        else { return }
        budget.countMemberships(-1, roster[slot].access)
        delivery.noteRun()
        if let moved = stream.removeWatcher(at: index) {
            roster.watch(moved, model, at: index)
        }
        watchersChanged(of: model)
        watchRest(of: model)
    }

    private mutating func addWatch(_ slot: ConnectionSlot, of model: ModelID) {
        guard roster[slot].watches[model] == nil else { return }
        delivery.noteRun()
        roster.watch(slot, model, at: roster.awake(model).addWatcher(slot))
        budget.countMemberships(1, roster[slot].access)
        watchersChanged(of: model)
    }

    // MARK: Positions

    /// The `seq` of the last event queued for a connection that is not behind.
    func lastQueued(_ model: ModelID, _ slot: ConnectionSlot) -> Int {
        watchFilter(slot, model)?.lastSeq ?? roster[model].seq
    }

    /// The connection is shown the view model up to its newest event.
    mutating func noteShown(_ model: ModelID, _ slot: ConnectionSlot) {
        guard let index = roster[slot].watches[model] else { return }
        roster[model].stream?.advance(at: index)
    }

    private func watchFilter(_ slot: ConnectionSlot, _ model: ModelID) -> WatchFilter? {
        roster[slot].watches[model].flatMap { roster[model].stream?.filter(at: $0) }
    }

    /// The events that the connection gets; `nil`: all.
    func filter(_ slot: ConnectionSlot, _ model: ModelID) -> Filter? {
        watchFilter(slot, model)?.only
    }
}
