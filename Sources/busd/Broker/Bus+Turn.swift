import BusdProtocol

// A turn serves ready connections in the order of the `Scheduler`. A visit attends to the
// connection's socket, drops events that are too old or too many, continues an `unsubscribe`, and
// handles lines. Everything has a cost (`Cost`), because the bus reads no clock: a turn or a visit
// ends when it has cost enough.

extension Bus {
    /// A connection is ready, the outbox has events, a closed connection is still a watcher of view
    /// models, idle view models wait to be looked at, committed entries to be applied, or a policy
    /// to be in force.
    package var hasWork: Bool {
        mutating get {
            !scheduler.isEmpty || !outbox.isEmpty || roster.leaver != nil || pending.hasMore
                || deadlines.hasIdle || enforcement != nil
        }
    }

    /// Serves connections until the turn has cost enough.
    ///
    /// - Parameter attend: reports the news of the connection's socket to the bus.
    package mutating func work(_ attend: (ConnectionSlot, inout Bus) -> Void = { _, _ in }) {
        let isBusy = hasWork
        if pending.hasMore { applyCommitted() }
        scheduler.beginTurn(at: spent)
        while let slot = scheduler.next(at: spent) {
            let price = price(of: slot)
            let start = startOfWork
            serve(slot, attend)
            worked(since: start, for: slot)
            scheduler.endVisit(at: spent, price: price)
        }
        // These make progress in a full turn too.
        goOnLeaving(until: max(scheduler.turnEnd, spent + Cost.shortJob))
        goOnIdling(until: max(scheduler.turnEnd, spent + Cost.shortJob))
        goOnEnforcing(until: max(scheduler.turnEnd, spent + Cost.shortJob))
        scheduler.endTurn()
        if isBusy { wipeStack() }
        drain()
    }

    /// Whether the shell calls `work` again before `flush`, so that more lines share a write: only
    /// one connection is active, and it has more requests. False if the sockets may have no room
    /// for more lines, or if the connection waits for something that the flush does.
    package var isTurnUnfinished: Bool {
        mutating get {
            guard !isStopping, !libraries.hasPending, let slot = scheduler.lone(at: spent),
                delivery.backlog(of: slot).isEmpty, mayAnswer(slot)
            else { return false }
            let share = Self.linesOfAllSockets / max(1, connectionCount)  // fits: at least 1
            return delivery.length < min(Self.longestTurn, share)
        }
    }

    /// Bytes of lines after which the turn of a lone connection ends, if there are few connections.
    private static let longestTurn = 1 << 16
    /// Divided by the number of connections, this is the limit if there are many: the more
    /// connections, the smaller are their socket buffers.
    private static let linesOfAllSockets = 12 << 20

    private mutating func serve(
        _ slot: ConnectionSlot, _ attend: (ConnectionSlot, inout Bus) -> Void
    ) {
        guard scheduler.affords(costToAttend(slot)) else { return scheduler.postpone() }
        attend(slot, &self)
        guard isHere(slot) else { return }
        if outlet.dropsNow(slot) { dropIfStillSlow(slot) }
        scheduler.beginWork()
        goOnPreparing(slot, until: scheduler.visitEnd)
        guard !isStopping else { return }
        goOnLeaving(slot, until: scheduler.visitEnd)
        guard goOnDeciding(slot, until: scheduler.visitEnd) else { return makeReady(slot) }
        handleLines(of: slot)
        intake.forget()
        if isHere(slot) { intake.wipe(slot) }
    }

    /// Queues the connection for a visit.
    mutating func makeReady(_ slot: ConnectionSlot) {
        scheduler.ready(slot, cost: costToAttend(slot))
    }

    /// The factor for the costs of the connection. Clients of the view socket may be thousands, so
    /// up to 64 of them together get as much time as one client of the control socket.
    private func price(of slot: ConnectionSlot) -> Int {
        roster[slot].access == .view ? min(64, max(1, roster.viewConnectionCount)) : 1
    }

    /// Limits what a turn may cost; tests use small turns.
    package mutating func limitTurns(to cost: Int) { scheduler.limitTurns(to: cost) }

    // MARK: Costs

    /// Cost of everything so far.
    var spent: Int { scheduler.costs + delivery.cost }

    /// Adds a cost. Bytes of the turn log and deliveries are counted by `Delivery.cost`.
    mutating func spend(_ cost: Int) { scheduler.spend(cost) }

    /// Estimated cost of a request before it is performed: 0 if it is short, `Cost.unknown` if it
    /// may be long.
    mutating func cost(of request: Request, _ slot: ConnectionSlot) -> Int {
        switch request.operation {
        // `send` checks its cost itself.
        case .hello, .ping, .help, .send: 0
        case .describe: Cost.unknown
        case .list(let pattern), .unsubscribe(let pattern):
            pattern.address == nil ? Cost.unknown : 0
        case .get(let address): costToShow(address, slot)
        case .subscribe(let subscribe):
            subscribe.since == nil ? costToShow(subscribe.to.address, slot) : Cost.unknown
        }
    }

    /// To encode and copy a snapshot, estimated from the length of the last one.
    private mutating func costToShow(_ address: Address?, _ slot: ConnectionSlot) -> Int {
        guard let address, let model = model(at: address, for: slot) else { return Cost.unknown }
        let length = roster[model].stream?.shownLength ?? 0
        return length + Cost.encodedByte * length
    }

    /// To write the backlog. Unknown if events have to be dropped, or if a catch-up may continue.
    private func costToAttend(_ slot: ConnectionSlot) -> Int {
        outlet.hasToDrop(slot) || outlet.catchUps(of: slot) != nil
            ? Cost.unknown : Cost.transfer(delivery.backlog(of: slot).length)
    }
}
