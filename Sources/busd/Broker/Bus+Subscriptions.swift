import Protocol

// Joining and leaving. The answer to `subscribe` is followed at once by the snapshot and `live` of every
// view model that matches; nothing happens in between, so nothing is lost or doubled.

extension Bus {
    mutating func subscribe(
        _ request: Request.Subscribe, _ id: Request.ID?, _ slot: ConnectionSlot
    ) throws(WireError) {
        let place = connections[slot].subscriptions.firstIndex { $0.pattern == request.to }
        guard place != nil || connections[slot].subscriptions.count < limits.subscriptions else {
            throw WireError(
                .overloaded,
                "this connection has \(limits.subscriptions) subscriptions (limit subscriptions)")
        }
        if let address = request.to.address { _ = try find(address, makeFor: slot) }
        let subscription = Subscription(
            pattern: request.to, name: request.as, only: request.only)
        if let place {
            connections[slot].subscriptions[place] = subscription
        } else {
            connections[slot].subscriptions.append(subscription)
            retained(subscription)
        }
        viewsChanged()
        let matched = matches(request.to)
        for model in matched { refreshMembership(slot, of: model) }
        join(slot, matched, request, id)
    }

    private mutating func join(
        _ slot: ConnectionSlot, _ matched: [ModelID], _ request: Request.Subscribe,
        _ id: Request.ID?
    ) {
        let resumed = request.since.flatMap { resume($0, matched.first) }
        let addresses = matched.map { models[$0.slot].address.text }
        answer(id, slot) { out in
            out.member("to", request.to.text)
            out.member("matched", addresses)
            out.member("resumed", resumed != nil)
        }
        for model in matched {
            if let resumed {
                tellLines(of: model, after: resumed, to: slot)
                tellLive(model, to: slot, .answer)
            } else {
                tellSnapshot(of: model, to: slot, .answer)
            }
        }
        if request.to.address == nil { say(Line.live(request.to), .answer, to: slot) }
    }

    /// The `seq` after which events are told; `nil` where the snapshot has to do.
    private func resume(_ cursor: Cursor, _ model: ModelID?) -> Int? {
        guard let model, models[model.slot].mark == cursor.mark,
            models[model.slot].history.reaches(back: cursor.seq)
        else { return nil }
        return cursor.seq
    }

    mutating func unsubscribe(_ pattern: Pattern, _ slot: ConnectionSlot) throws(WireError) {
        guard
            let place = connections[slot].subscriptions.firstIndex(where: { $0.pattern == pattern })
        else {
            throw WireError(.badRequest, "there is no subscription to \(pattern)")
        }
        released(connections[slot].subscriptions.remove(at: place))
        viewsChanged()
        for model in connections[slot].models where pattern.matches(models[model.slot].address) {
            refreshMembership(slot, of: model)
        }
    }

    // MARK: Snapshots

    mutating func snapshot(of model: ModelID) -> Snapshot {
        if held.concerns(model), let present = models[model.slot].present {
            return host.snapshot(of: model, from: present)
        }
        let snapshot = host.snapshot(of: model) { report() }
        // Waking a view model may have made others.
        drain()
        notePresent(of: model)
        return snapshot
    }

    /// One update of all the values, then `live`.
    mutating func tellSnapshot(of model: ModelID, to slot: ConnectionSlot, _ origin: LineOrigin) {
        // The gap that was still to be told is told by this.
        connections[slot].stalls.removeAll { $0.model == model }
        connections[slot].special[model]?.isStalled = false
        settle(slot, model)
        for line in snapshotLines(of: model, for: slot) { say(line, origin, to: slot) }
        tellLive(model, to: slot, origin)
    }

    func filter(_ slot: ConnectionSlot, _ model: ModelID) -> Set<String>? {
        connections[slot].special[model]?.only
    }

    mutating func snapshotLines(of model: ModelID, for slot: ConnectionSlot) -> [[UInt8]] {
        var events = snapshot(of: model).events
        if let only = filter(slot, model) {
            events.removeAll { !only.contains(Snapshot.name(of: $0)) }
        }
        let (address, seq) = (models[model.slot].address, models[model.slot].seq)
        return events.enumerated().map { index, event in
            var out = JSONWriter()
            out.object { out in
                out.member("from", address.text)
                out.member("seq", seq)
                out.member("snapshot", true)
                if index < events.count - 1 { out.member("more", true) }
                out.key("event")
                out.raw(event)
            }
            return out.bytes
        }
    }

    private mutating func tellLive(
        _ model: ModelID, to slot: ConnectionSlot, _ origin: LineOrigin
    ) {
        connections[slot].special[model]?.lastSeq = models[model.slot].seq
        say(Line.live(models[model.slot].address, models[model.slot].cursor), origin, to: slot)
    }

    // MARK: Membership

    /// Which of the connection's subscriptions match decides whether it hears a view model, and what.
    mutating func refreshMembership(_ slot: ConnectionSlot, of model: ModelID) {
        let address = models[model.slot].address
        let matching = connections[slot].subscriptions.filter { $0.pattern.matches(address) }
        guard !matching.isEmpty else { return leave(slot, model) }
        if connections[slot].models.insert(model).inserted {
            models[model.slot].members.append(Member(connection: slot))
        }
        let wanted = matching.compactMap(\.only)
        let union = wanted.reduce(into: Set()) { $0.formUnion($1) }
        let only = wanted.count < matching.count ? nil : union
        var view = connections[slot].special[model] ?? SpecialView(lastSeq: models[model.slot].seq)
        view.only = only
        connections[slot].special[model] = view
        settle(slot, model)
    }

    /// Keeps `Member.isPlain` and `Connection.special` in step.
    mutating func settle(_ slot: ConnectionSlot, _ model: ModelID) {
        guard let view = connections[slot].special[model] else { return }
        if view.isPlain { connections[slot].special.removeValue(forKey: model) }
        if let place = models[model.slot].members.firstIndex(where: { $0.connection == slot }) {
            models[model.slot].members[place].isPlain = view.isPlain
        }
    }

    private mutating func leave(_ slot: ConnectionSlot, _ model: ModelID) {
        connections[slot].models.remove(model)
        connections[slot].special.removeValue(forKey: model)
        connections[slot].stalls.removeAll { $0.model == model }
        removeMember(slot, of: model)
    }

    /// The connection hears nothing more.
    mutating func endSubscriptions(of slot: ConnectionSlot) {
        guard !connections[slot].subscriptions.isEmpty else { return }
        for model in connections[slot].models { removeMember(slot, of: model) }
        for subscription in connections[slot].subscriptions { released(subscription) }
        connections[slot].subscriptions = []
        connections[slot].models = []
        connections[slot].special = [:]
        connections[slot].stalls = []
        viewsChanged()
    }

    private mutating func removeMember(_ slot: ConnectionSlot, of model: ModelID) {
        models[model.slot].members.removeAll { $0.connection == slot }
    }

    /// A subscription to this very address keeps a view model on demand.
    private mutating func retained(_ subscription: Subscription) {
        guard let id = subscription.pattern.address.flatMap(model(at:)) else { return }
        models[id.slot].exactMembers += 1
    }

    mutating func released(_ subscription: Subscription) {
        guard let id = subscription.pattern.address.flatMap(model(at:)) else { return }
        models[id.slot].exactMembers -= 1
        used(id)
    }

    // MARK: Coming and going

    /// A view model has come: whoever's pattern it matches joins it.
    mutating func arrived(_ arrival: Outbox.Arrival) {
        add(arrival)
        used(arrival.model)
        for slot in connections.indices where connections[slot].stage != .vacant {
            let isWanted = connections[slot].subscriptions.contains {
                $0.pattern.address == nil && $0.pattern.matches(arrival.address)
            }
            guard isWanted else { continue }
            refreshMembership(slot, of: arrival.model)
            tellSnapshot(of: arrival.model, to: slot, .notice)
        }
    }

    /// A view model has ended: whoever hears it is told, and a subscription to it alone ends too.
    mutating func ended(_ id: ModelID) {
        let (address, seq) = (models[id.slot].address, models[id.slot].seq)
        for member in models[id.slot].members {
            let slot = member.connection
            connections[slot].models.remove(id)
            connections[slot].special.removeValue(forKey: id)
            for place in connections[slot].stalls.indices
            where connections[slot].stalls[place].model == id {
                connections[slot].stalls[place].end = seq
            }
            let before = connections[slot].subscriptions.count
            connections[slot].subscriptions.removeAll { $0.pattern.address == address }
            if connections[slot].subscriptions.count != before { viewsChanged() }
            say(Line.gone(address), .notice, to: slot)
            if connections[slot].stage == .inputEnded { makeRunnable(slot) }
        }
        remove(id)
    }
}
