package import BusdProtocol

// The time comes from the loop, or by hand through `bus/clock`. Timers of view models and deadlines
// of the bus fire in the order in which they are due.

extension Bus {
    /// An on-demand view model ends after this time without use, unless it is busy. A durable view
    /// model sleeps after this time without events and views.
    static let longestIdleness: Duration = .seconds(60)
    /// Most idle view models that are looked at when the time moves. Thousands may be due at once.
    private static let mostIdle = 128
    /// Most others that are noted for later turns, before the rest is left for the next `tick`.
    private static let mostPostponed = 4_096
    /// Between two `ping`s to a half-closed subscriber.
    static let pingInterval: Duration = .seconds(15)
    /// How long a peer may take to read its goodbye.
    package static let longestGoodbye: Duration = .seconds(2)

    /// The next time at which `tick` has something to do.
    package var nextDue: Instant? {
        // Mutating for the same reason as `hasPending`.
        mutating get {
            switch (deadlines.next, timeline.nextDue) {
            case (let a?, let b?): min(a, b)
            case (let a, let b): a ?? b
            }
        }
    }

    /// Sets the time. Everything that became due since the last call fires now, with the new time.
    package mutating func tick(_ instant: Instant) {
        timeline.move(to: instant)
        var idle = Self.mostIdle
        // The shell calls again at once if more is due.
        fireDue(cause: nil, &idle, mostPostponed: Self.mostPostponed)
    }

    /// Advances the time in steps: each timer fires at its own moment.
    package mutating func advance(by span: Duration) { advance(by: span, cause: nil, most: .max) }

    /// Advances the time of a replay in steps, too, but fires a limited number of timers in order.
    package mutating func follow(_ instant: Instant) { advance(by: instant - now, cause: nil) }

    /// Most timers that one `send` to `bus/clock` fires at their own moments; the others fire at
    /// its end.
    static let mostFiredInOrder = 2_000

    mutating func advance(by span: Duration, cause: Cause?, most: Int = mostFiredInOrder) {
        let target = now + span
        var (fired, idle) = (0, Self.mostIdle)
        while fired < most, let due = nextDue, due <= target {
            timeline.move(to: due)
            fired += fireDue(cause: cause, &idle)
        }
        timeline.move(to: target)
        fireDue(cause: cause, &idle)
    }

    /// Fires due timers and deadlines, in order. Returns how many fired.
    ///
    /// - Parameter idle: how many idle view models are looked at now, the others in later turns;
    ///   less one for each.
    @discardableResult
    private mutating func fireDue(
        cause: Cause?, _ idle: inout Int, mostPostponed: Int = .max
    ) -> Int {
        var fired = 0
        while let due = nextDue, due <= now, -idle < mostPostponed {
            if timeline.nextDue == due {
                _ = timeline.fireNext()
            } else if let purpose = deadlines.take(dueBy: now) {
                act(on: purpose, &idle)
            }
            drain(cause: cause)
            fired += 1
        }
        return fired
    }

    private mutating func act(on purpose: Deadlines.Purpose, _ idle: inout Int) {
        switch purpose {
        case .connection(let purpose, let slot, let number):
            if roster.isHere(slot, number) { act(on: purpose, slot) }
        case .idle(let model):
            idle -= 1
            if idle >= 0 { checkIdleness(of: model) } else { deadlines.postpone(idle: model) }
        case .report(let model):
            if isHere(model) { sendReport(to: model) }
        case .keptSnapshots: kept.removeAll()
        }
    }

    private mutating func act(on purpose: Deadlines.ConnectionPurpose, _ slot: ConnectionSlot) {
        deadlines.passed(purpose, of: slot)
        switch purpose {
        case .age: lookAtAge(of: slot)
        case .catchUp: retryCatchUp(slot)
        case .ping: ping(slot)
        case .goodbye: close(slot)
        }
    }

    /// Sets a deadline of the connection, unless it is set already.
    mutating func setDeadline(
        _ purpose: Deadlines.ConnectionPurpose, of slot: ConnectionSlot, at due: Instant
    ) {
        deadlines.set(purpose, of: slot, number: roster[slot].number, at: due)
    }

    // MARK: View models on demand

    /// The connection uses the view model, which keeps an on-demand one alive.
    mutating func used(_ id: ModelID, by slot: ConnectionSlot) {
        if roster.may(.keep, id, slot).isAllowed { used(id) }
    }

    mutating func used(_ id: ModelID) {
        guard roster[id].isOnDemand else { return }
        let stream = roster.awake(id)
        stream.noteUsed(at: now)
        watchIdleness(of: id, stream)
    }

    private mutating func watchIdleness(of id: ModelID, _ stream: Stream) {
        guard !stream.isWatchedForIdleness else { return }
        stream.watchForIdleness()
        deadlines.set(.idle(id), at: stream.lastUsed + Self.longestIdleness)
    }

    /// Looks at postponed idle view models, until the cost `end` is reached.
    mutating func goOnIdling(until end: Int) {
        while spent < end, let model = deadlines.takeIdle() {
            checkIdleness(of: model)
            drain()
        }
    }

    private mutating func checkIdleness(of id: ModelID) {
        guard isHere(id) else { return }
        spend(Cost.rest)
        guard roster[id].isOnDemand else { return checkRest(of: id) }
        let stream = roster.awake(id)
        _ = stream.lookAtIdleness()
        guard stream.exactWatchers == 0 else { return }
        // A pending `send` may be refused, and then its state is needed as it was.
        if pending.concerns(id) { return used(id) }
        if stream.lastUsed + Self.longestIdleness <= now {
            if host.isBusy(id) { return used(id) }
            outbox.append(ended: id)
        } else {
            watchIdleness(of: id, stream)
        }
    }

    // MARK: Half-closed connections

    /// All requests of a half-closed connection are finished and answered. It is closed, or, if it
    /// has subscriptions, gets a `ping` at intervals.
    mutating func finishInput(_ slot: ConnectionSlot) {
        if roster[slot].subscriptions.isEmpty {
            roster.startClosing(slot)
            delivery.closeAfterWriting(slot)
            closeIfWritten(slot)
            drain()
        } else {
            setDeadline(.ping, of: slot, at: now + Self.pingInterval)
        }
    }

    private mutating func ping(_ slot: ConnectionSlot) {
        guard isHalfClosed(slot) else { return }
        // Behind a backlog, a ping would only wait.
        if delivery.backlog(of: slot).isEmpty { enqueue(Line.ping, .notice, to: slot) }
        setDeadline(.ping, of: slot, at: now + Self.pingInterval)
    }

    // MARK: Goodbye

    /// Closes a connection in stage `closing` if all its lines are written.
    mutating func closeIfWritten(_ slot: ConnectionSlot) {
        if roster[slot].stage == .closing, delivery.isWritten(slot) { close(slot) }
    }

    /// Sends `bye`. The connection closes when its lines are written, or after `longestGoodbye`.
    mutating func sendGoodbye(_ slot: ConnectionSlot, _ code: Line.Goodbye, _ message: String) {
        guard roster[slot].stage != .closing else { return }
        endSubscriptions(of: slot)
        enqueue(Line.bye(code, message), .notice, to: slot)
        roster.startClosing(slot)
        delivery.closeAfterWriting(slot)
        setReading(slot)
        setDeadline(.goodbye, of: slot, at: now + Self.longestGoodbye)
    }

    /// The daemon is about to end: no more requests are handled. Pending sends are finished, then
    /// the shell calls `sendGoodbyes`.
    package mutating func stopTaking() { if phase == .running { phase = .stopping } }

    /// The daemon ends: sends `bye` to every connection.
    package mutating func sendGoodbyes(because reason: String = "the daemon is stopping") {
        guard phase != .closing else { return }
        drain()
        phase = .closing
        for slot in roster.slots where roster.isHere(slot) {
            sendGoodbye(slot, .closing, reason)
        }
    }

    /// `bye` was sent to every connection, and all are closed.
    package var hasSentGoodbyes: Bool { phase == .closing && connectionCount == 0 }
}
