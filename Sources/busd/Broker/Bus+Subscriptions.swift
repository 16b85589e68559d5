import BusdProtocol

// Subscriptions begin and end here, and arrivals are shown to their subscribers. After the answer
// to `subscribe` with an address, the snapshot and `live` are queued at once, with nothing in
// between, so no event is lost or doubled. A pattern may match many view models, so it takes the
// steps of a catch-up (Bus+Joining.swift).

extension Bus {
    // MARK: Arrivals

    /// A view model has arrived. It is shown to the connections that find it by a pattern.
    mutating func arrived(_ arrival: Outbox.Arrival) {
        guard model(at: arrival.address) == nil else { return }
        let id = roster.add(arrival, kinds[arrival.kind].traits, budget.history)
        guard !arrival.isOnDemand || host.make(id, arrival.kind, at: arrival.address) else {
            return roster.remove(id)
        }
        spend(Cost.arrival)
        compareArrival(of: id)
        used(id)
        showArrival(of: id)
    }

    private mutating func showArrival(of model: ModelID) {
        guard roster.patternShapeCount > 0 else { return }
        spend(Cost.look * roster.patternShapeCount)
        // Connections without a filter share one line.
        var common: Int?
        for (slot, interest) in roster.interests(for: roster[model].address)
        where roster[slot].watches[model] == nil && roster.may(.browse, model, slot).isAllowed {
            guard !outlet.isBehind(slot) else {
                if !isPreparing(model, slot) { showLater(model, slot) }
                continue
            }
            setInterest(interest, slot, of: model)
            guard case .everything = interest else {
                delivery.note(addArrival(of: model, for: slot), slot)
                continue
            }
            let line = common ?? addArrival(of: model, for: slot)
            common = line
            delivery.note(line, slot)
        }
    }

    /// Adds snapshot and `live` of a new view model to the log as one line, so a backlog drops both
    /// or none. Returns the number of the line.
    private mutating func addArrival(of model: ModelID, for slot: ConnectionSlot) -> Int {
        var text = Text()
        for line in snapshotLines(of: model, for: slot) { text.append(line: line) }
        text.append(Text(Line.live(roster[model].address, noteLive(model, to: slot))))
        return delivery.add(text, .arrival(model, at: now))
    }
}

extension Bus {
    mutating func subscribe(
        _ request: Request.Subscribe, _ id: Request.ID?, _ slot: ConnectionSlot
    ) throws(WireError) {
        let place = place(of: request.to, slot)
        guard place != nil || roster[slot].subscriptions.count < limits.subscriptions else {
            throw WireError(
                .overloaded,
                "this connection has \(limits.subscriptions) subscriptions: unsubscribe from "
                    + "one (limit subscriptions)")
        }
        let since = place.map { roster[slot].subscriptions[$0].since } ?? timeOfDay()
        let subscription = subscription(for: request, since: since, slot)
        // A subscription that is replaced has the same pattern, so the connection watches its
        // matches already.
        guard let count = place == nil ? mostMatched(by: request.to, slot) : 0 else {
            return scheduler.postpone()
        }
        try checkTotal(with: subscription, to: count, slot)
        if let address = request.to.address {
            try checkRoom(toShow: find(address, makeFor: slot), slot)
        }
        if let names = request.only { try checkNames(names) }
        if let model = request.to.address.flatMap({ model(at: $0) }) { wake(model) }
        roster.keep(subscription, at: place, slot)
        if place == nil { retained(subscription, of: slot) }
        viewsChanged()
        spend(Cost.subscription)
        if let address = request.to.address, let model = model(at: address) {
            refreshWatch(slot, of: model)
            join(slot, model, request, id)
        } else {
            beginJoin(request.to, adding: count, id, slot)
        }
    }

    /// Upper bound for the number of matches; 0 for an address; `nil`: the next visit continues to
    /// count. View models that a policy hides never count, so that no limit reveals them.
    private mutating func mostMatched(by pattern: Pattern, _ slot: ConnectionSlot) -> Int? {
        guard pattern.address == nil else { return 0 }
        guard roster.door.rights(of: slot) != nil else {
            return roster.count(from: pattern.stem, to: pattern.end)
        }
        var (walk, count) =
            intake.tally(of: slot) ?? (Walk(pattern, lastNumber: roster.lastNumber), 0)
        repeat {
            let next = next(on: walk, for: slot, of: Walk.stride)
            count += next.found.count
            guard let last = next.last else { return count }
            walk.pass(roster[last].address.text)
        } while spent < scheduler.visitEnd
        intake.keep((walk, count), of: slot)
        return nil
    }

    /// The index of the subscription to this pattern.
    private func place(of pattern: Pattern, _ slot: ConnectionSlot) -> Int? {
        roster[slot].subscriptions.firstIndex { $0.pattern == pattern }
    }

    private func subscription(
        for request: Request.Subscribe, since: UTCTime, _ slot: ConnectionSlot
    ) -> Subscription {
        let total = budget.subscriptions(of: roster[slot].access)
        return Subscription(
            request.to, as: request.as,
            only: request.only.map { Filter($0, of: host.eventNumbers, total) }, since: since,
            total)
    }

    /// Refuses a name that no event of any kind has: the view would wait for it forever.
    private func checkNames(_ names: Set<ExactText>) throws(WireError) {
        let known = host.eventNumbers
        // text: sorted as bytes
        guard let unknown = names.filter({ known[$0] == nil }).min() else { return }
        let name = unknown.text.clipped
        throw WireError(
            .unknownEvent, "no kind has an event `\(name)`", path: "only",
            suggestions: Suggestions.near(name, among: known.names))
    }

    /// All subscriptions together take at most `subscriptionTotal` bytes, those of the view socket
    /// at most half of it. A connection with few subscriptions is exempt.
    private func checkTotal(
        with new: Subscription, to count: Int, _ slot: ConnectionSlot
    ) throws(WireError) {
        let more = HeldMemory.membershipBytes * count
        let access = roster[slot].access
        guard budget.areSubscriptionsOver(with: more, access) else { return }
        var own = HeldMemory.membershipBytes * roster[slot].watches.count + more + new.bytes
        for subscription in roster[slot].subscriptions { own += subscription.bytes }
        guard own > Limits.littleSubscribed else { return }
        throw WireError(
            .overloaded,
            "all subscriptions together take more than \(budget.mostSubscribed(of: access)) "
                + "bytes: unsubscribe from some (limit subscriptionTotal)")
    }

    private mutating func join(
        _ slot: ConnectionSlot, _ model: ModelID, _ request: Request.Subscribe,
        _ id: Request.ID?
    ) {
        let resumed = request.since.flatMap { resume($0, model, slot) }
        answer(id, slot) { out in
            out.member("to", request.to.text)
            out.member("matched", [request.to.text])
            out.member("resumed", resumed != nil)
        }
        // A gap that waits in a catch-up ends at the present `seq`.
        endWaitEarly(model, slot)
        if let resumed {
            enqueueMissed(of: model, after: resumed, to: slot)
        } else {
            for line in snapshotLines(of: model, for: slot) { enqueue(line, .answer, to: slot) }
        }
        let position = noteLive(model, to: slot)
        let live = Line.live(roster[model].address, position)
        enqueue(live, .joined(model, seq: position.cursor.seq), to: slot)
    }

    /// The `seq` after which the kept events are sent; `nil`: the snapshot is sent instead. A
    /// connection that does not read holds all of these events in memory, so they are limited (1
    /// MiB by default).
    private mutating func resume(
        _ cursor: Cursor, _ model: ModelID, _ slot: ConnectionSlot
    ) -> Int? {
        let stream = roster.awake(model)
        guard self.cursor(of: model).mark == cursor.mark, stream.reaches(back: cursor.seq)
        else { return nil }
        let length = stream.length(after: cursor.seq)
        guard length <= limits.outputTotal / 32,
            budget.excess(for: roster[slot].access) + length <= 0
        else { return nil }
        return cursor.seq
    }

    // MARK: Ending

    /// Removes the subscription. The connection still watches its view models: the caller ends or
    /// refreshes these watches.
    mutating func takeOut(_ pattern: Pattern, _ slot: ConnectionSlot) throws(WireError) {
        guard let place = place(of: pattern, slot) else {
            throw WireError(.badRequest, "this connection has no subscription to \(pattern)")
        }
        spend(Cost.subscription)
        released(roster.removeSubscription(at: place, slot), of: slot)
        viewsChanged()
    }

    /// Ends all subscriptions of the connection. It gets no events any more.
    mutating func endSubscriptions(of slot: ConnectionSlot) {
        guard
            !roster[slot].subscriptions.isEmpty || !roster[slot].watches.isEmpty
                || outlet.catchUps(of: slot) != nil, delivery.isHearing(slot)
        else { return }
        endAllWaitsEarly(slot)
        stopWatching(slot)
        for place in roster[slot].subscriptions.indices.reversed() {
            released(roster.removeSubscription(at: place, slot), of: slot)
        }
        viewsChanged()
    }

    /// A subscription to an address, not to a pattern, keeps an on-demand view model alive, if the
    /// connection may keep it (`Door`).
    private mutating func retained(_ subscription: Subscription, of slot: ConnectionSlot) {
        guard let address = subscription.pattern.address, let id = model(at: address),
            roster.may(.keep, id, slot).isAllowed
        else { return }
        roster.awake(id).retain()
    }

    /// A subscription has ended; see `retained`.
    mutating func released(_ subscription: Subscription, of slot: ConnectionSlot) {
        guard let address = subscription.pattern.address else {
            return spend(Cost.look)
        }
        guard let id = model(at: address) else { return }
        if roster.may(.keep, id, slot).isAllowed {
            roster.awake(id).release()
            used(id)
        }
        watchRest(of: id)
    }

    /// A view model has ended. Each connection that was shown it, or got its address in an answer,
    /// is sent `gone`. Subscriptions to its address end; subscriptions to patterns stay.
    mutating func ended(_ id: ModelID) {
        let model = roster[id]
        delivery.noteRun()
        var lines = GoneLines(model)
        for slot in outlet.joiners where roster[slot].watches[id] == nil {
            if hasNamed(model, slot) {
                delivery.note(lines.number(isNamed: true, in: &delivery), slot)
            }
        }
        for watcher in model.watchers {
            let slot = watcher.connection
            let isNamed = hasNamed(model, slot)
            let wasShown = endWait(of: id, slot)
            if roster.unwatch(slot, id) != nil {
                budget.countMemberships(-1, roster[slot].access)
            }
            if roster.removeSubscription(to: model.address, slot) { viewsChanged() }
            if isNamed || wasShown, delivery.isHearing(slot) {
                delivery.note(lines.number(isNamed: isNamed, in: &delivery), slot)
            }
            if isHalfClosed(slot) { makeReady(slot) }
        }
        roster.remove(id)
        host.remove(id)
    }

    /// Whether `matched` of an answer to the connection has named the view model, which is not
    /// shown yet.
    func hasNamed(_ model: borrowing Model, _ slot: ConnectionSlot) -> Bool {
        outlet.catchUps(of: slot)?.hasNamed(model) == true
            && (roster.may(.browse, model.id, slot).isAllowed
                || enforcement?.isYetToHide(model.id, slot) ?? false)
    }
}

/// The lines of the turn log that report a view model as gone. Each is added when it is first
/// needed.
struct GoneLines {
    private let model: ModelID
    private let text: Text
    /// Line number, for connections that were shown the view model.
    private var plain: Int?
    /// Line number, for connections with an answer that names the view model. A
    /// backlog always keeps this line.
    private var named: Int?

    init(_ model: borrowing Model) {
        self.model = model.id
        text = Text(Line.gone(model.address))
    }

    mutating func number(isNamed: Bool, in delivery: inout Delivery) -> Int {
        if let known = isNamed ? named : plain { return known }
        let new = delivery.add(text, .gone(model, isNamed: isNamed))
        if isNamed { named = new } else { plain = new }
        return new
    }
}
