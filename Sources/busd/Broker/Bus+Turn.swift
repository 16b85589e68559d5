import BusdProtocol

// A turn serves the connections that are ready, in the order of the `Scheduler`.

extension Bus {
    /// A connection is ready, a closed connection still watches view models, or the log has
    /// entries to apply.
    package var hasWork: Bool {
        mutating get {
            !scheduler.isEmpty || !outbox.isEmpty || !roster.leavers.isEmpty || pending.hasMore
        }
    }

    /// Serves connections until the turn has cost enough.
    ///
    /// - Parameter attend: reads from the connection's socket and reports the result.
    package mutating func work(_ attend: (ConnectionSlot, inout Bus) -> Void = { _, _ in }) {
        let isBusy = hasWork
        if pending.hasMore { applyCommitted() }
        scheduler.beginTurn(at: spent)
        while let slot = scheduler.next(at: spent) {
            let price = price(of: slot)
            serve(slot, attend)
            scheduler.endVisit(at: spent, price: price)
        }
        goOnLeaving(until: scheduler.turnEnd)
        scheduler.endTurn()
        if isBusy { wipeStack() }
        drain()
        reportStatistics()
    }

    /// A lone connection has more requests. They are worked before the flush too, so that more
    /// lines share a write, unless the sockets have no room for more lines or the connection has to
    /// wait for something that the flush does.
    package var isTurnUnfinished: Bool {
        mutating get {
            guard !isStopping, !libraries.hasPending, let slot = scheduler.lone(at: spent),
                delivery.backlog(of: slot).isEmpty, mayAnswer(slot)
            else { return false }
            let share = Self.linesOfAllSockets / max(1, connectionCount)  // fits: at least 1
            return delivery.length < min(Self.longestTurn, share)
        }
    }

    /// Bytes of lines after which even the turn of a lone connection ends.
    private static let longestTurn = 1 << 16
    /// The same divided by all connections: the kernel keeps less for one of many.
    private static let linesOfAllSockets = 12 << 20

    private mutating func serve(
        _ slot: ConnectionSlot, _ attend: (ConnectionSlot, inout Bus) -> Void
    ) {
        guard scheduler.affords(costToAttend(slot)) else { return scheduler.postpone() }
        attend(slot, &self)
        guard isHere(slot) else { return }
        if roster[slot].hasToDrop { dropIfStillSlow(slot) }
        scheduler.beginWork()
        guard !isStopping else { return }
        goOnLeaving(slot, until: scheduler.visitEnd)
        handleLines(of: slot)
        document.forget()
        if isHere(slot) { roster[slot].input.wipeDropped() }
    }

    mutating func makeReady(_ slot: ConnectionSlot) {
        scheduler.ready(slot, cost: costToAttend(slot))
    }

    /// Clients of the view socket may be thousands. Together they count as one client of the
    /// control socket, up to 64 of them.
    private func price(of slot: ConnectionSlot) -> Int {
        roster[slot].access == .view ? min(64, max(1, roster.viewConnectionCount)) : 1
    }

    /// Limits what a turn may cost; tests use small turns.
    package mutating func limitTurns(to cost: Int) { scheduler.turnCost = cost }

    // MARK: Costs

    /// What everything has cost so far.
    var spent: Int { scheduler.costs + delivery.cost }

    /// Counts a cost that neither the turn log nor the deliveries show.
    mutating func spend(_ cost: Int) { scheduler.spend(cost) }

    /// What a request costs at most, as far as that can be known before it is performed.
    mutating func cost(of request: Request) -> Int {
        switch request.operation {
        // A `send` looks for itself.
        case .hello, .ping, .help, .send: 0
        case .describe: Cost.unknown
        case .list(let pattern), .unsubscribe(let pattern):
            pattern.address == nil ? Cost.unknown : 0
        case .get(let address): costToShow(address)
        case .subscribe(let subscribe):
            subscribe.since == nil ? costToShow(subscribe.to.address) : Cost.unknown
        }
    }

    private mutating func costToShow(_ address: Address?) -> Int {
        guard let address, let model = model(at: address) else { return Cost.unknown }
        let length = roster[model].stream?.shownLength ?? 0
        return length + Cost.encodedByte * length
    }

    /// What it costs to write what waits and to drop what is too old.
    private func costToAttend(_ slot: ConnectionSlot) -> Int {
        roster[slot].hasToDrop || roster[slot].catchUps != nil
            ? Cost.unknown : Cost.transfer(delivery.backlog(of: slot).length)
    }
}
