import BusdProtocol

// Who is served when. Whoever has something to be done waits in one of two queues: for what is
// soon done, or for what may take long. Each turn serves the first, then the second, until it has
// cost enough, and keeps a part for the second: so neither waits for the other.
//
// What is soon done is most of what is asked, and to read what there is to do at all. Everybody is
// served there first; who is found to ask for more (a pattern, a long list, a long line) goes on in
// the other queue. So thousands who come at once with what takes long are looked at in some turns,
// and then wait for each other, whereas who asks little, or has just come, waits for none of them.
// In both queues the order is fair (`FairQueue`), and where many wait each has a small part of the
// turn: a client that sends a million requests delays nobody, nor do a thousand that send a few.

/// What may be waited for.
enum Job {
    case short
    case long
}

extension Bus {
    /// The part of a turn that is kept for what takes long, where somebody waits for it.
    private var longPart: Int { max(1, turnCost / 4) }

    /// Some connection has to be served, or view models of a connection have ended with it.
    package var hasWork: Bool {
        mutating get {
            !runnable.isEmpty || !shortJobs.isEmpty || !longJobs.isEmpty || !outbox.isEmpty
                || !leavers.isEmpty || isApplying
        }
    }

    /// Serves connections until the turn has cost enough.
    ///
    /// - Parameter attend: tells the bus what has happened to the connection's socket.
    package mutating func work(_ attend: (ConnectionSlot, inout Bus) -> Void = { _, _ in }) {
        let isBusy = hasWork
        if isApplying { applyLanded() }
        shortJobs.beginTurn()
        longJobs.beginTurn()
        queueRunnable()
        let end = spent + turnCost
        serveShort(until: longJobs.isEmpty ? end : end - longPart, attend)
        serveLong(until: max(end, spent + longPart), attend)
        goOnLeaving(until: max(end, spent + longPart))
        // Who goes on has come before those of the next turn.
        queueRunnable()
        if shortJobs.isEmpty { shortJobs.forgive() }
        if longJobs.isEmpty { longJobs.forgive() }
        if isBusy { wipeStack() }
        drain()
        reportStatistics()
    }

    mutating func makeRunnable(_ slot: ConnectionSlot) {
        guard !connections[slot].isRunnable else { return }
        connections[slot].isRunnable = true
        runnable.append(slot)
    }

    private mutating func queueRunnable() {
        for slot in runnable where isHere(slot) {
            if connections[slot].hasLongJob {
                longJobs.push(slot, notBefore: connections[slot].longServedUntil)
            } else {
                shortJobs.push(slot, notBefore: connections[slot].servedUntil)
            }
        }
        runnable.removeAll(keepingCapacity: true)
    }

    private mutating func serveShort(
        until end: Int, _ attend: (ConnectionSlot, inout Bus) -> Void
    ) {
        job = .short
        turnEnd = end
        while spent < turnEnd, let (slot, start) = shortJobs.pop() {
            let cost = serve(slot, beside: shortJobs.count, attend)
            connections[slot].servedUntil = shortJobs.charge(price(cost, slot), from: start)
        }
    }

    private mutating func serveLong(
        until end: Int, _ attend: (ConnectionSlot, inout Bus) -> Void
    ) {
        job = .long
        turnEnd = end
        while spent < turnEnd, let (slot, start) = longJobs.pop() {
            let cost = serve(slot, beside: longJobs.count, attend)
            connections[slot].longServedUntil = longJobs.charge(price(cost, slot), from: start)
        }
    }

    /// What a connection is charged. Clients of the view socket may be thousands, and together they
    /// count as one client of the control socket, up to 64 of them.
    private func price(_ cost: Int, _ slot: ConnectionSlot) -> Int {
        guard connections[slot].access == .view else { return cost }
        return cost * min(64, max(1, admission.viewCount))  // fits: a turn costs less than 2^32
    }

    /// Returns what it cost.
    private mutating func serve(
        _ slot: ConnectionSlot, beside others: Int, _ attend: (ConnectionSlot, inout Bus) -> Void
    ) -> Int {
        guard isHere(slot), connections[slot].isRunnable else { return 0 }
        // It was in line already when it became so.
        guard job == .long || !connections[slot].hasToDrop else {
            waitForLongJobs(slot)
            return 0
        }
        let before = spent
        attend(slot, &self)
        guard isHere(slot) else { return spent - before }
        if connections[slot].hasToDrop { dropNow(slot) }
        connections[slot].isRunnable = false
        connections[slot].isAtLongJob = false
        let part = turnCost / (others + 1)  // fits: it is 1 at least
        visitEnd = min(turnEnd, spent + max(1, part))
        guard !isStopping else { return spent - before }
        goOnLeaving(slot, until: visitEnd)
        handleLines(of: slot)
        document.forget()
        if isHere(slot) { connections[slot].input.wipeDropped() }
        return spent - before
    }

    /// What the bus has done so far in this turn, in the units of `Cost`.
    var spent: Int { otherCosts + turn.length + Cost.delivery * deliveries }

    /// Counts what can be seen neither in what was written nor in what was delivered.
    mutating func spend(_ cost: Int) { otherCosts += cost }

    // MARK: What takes long

    /// The request at the front takes long, and this is not the part of the turn for it, or is no
    /// longer.
    mutating func putOff(_ slot: ConnectionSlot) {
        spend(Cost.request)
        connections[slot].isAtLongJob = true
    }

    /// What is at the front takes long, and this is not the part of the turn for it, or is no
    /// longer.
    mutating func waitForLongJobs(_ slot: ConnectionSlot) {
        setReading(slot)
        connections[slot].isAtLongJob = true
        // What it has cost is counted before it is queued again.
        guard job == .short else { return makeRunnable(slot) }
        connections[slot].isRunnable = true
        longJobs.push(slot, notBefore: connections[slot].longServedUntil)
    }

    /// To read a line may take long.
    func isForNow(lineOf bytes: Int) -> Bool {
        job == .long || Cost.byteIn * bytes <= Cost.shortJob
    }

    mutating func isForNow(_ request: Request) -> Bool { job == .long || !mayTakeLong(request) }

    private mutating func mayTakeLong(_ request: Request) -> Bool {
        switch request.operation {
        case .hello, .ping, .help: false
        case .describe: true
        case .list(let pattern), .unsubscribe(let pattern): pattern.address == nil
        case .get(let address): isLongToShow(address)
        case .subscribe(let subscribe):
            subscribe.since != nil || isLongToShow(subscribe.to.address)
        // It looks for itself.
        case .send: false
        }
    }

    private mutating func isLongToShow(_ address: Address?) -> Bool {
        guard let address, let model = model(at: address) else { return true }
        let length = models[model.slot].stream?.shownLength ?? 0
        return length + Cost.encodedByte * length > Cost.shortJob
    }
}

extension Connection {
    /// It is known that what is to be done for it may take long.
    fileprivate var hasLongJob: Bool {
        isAtLongJob || hasToDrop || catchUps != nil
            || Cost.transfer(backlog.length) > Cost.shortJob
    }
}
