import BusdProtocol

// `bus/connections` and `bus/tap` show what happens now. Both are counted only while a client
// watches one of them. Else a `send`, a visit, a read and a flush ask one question, and a delivery
// none.

extension Bus {
    private var isMonitored: Bool { traffic.isOn || tap.isOn }

    // MARK: Time of the loop

    /// The time for `worked`; `nil`: it is not measured.
    var startOfWork: Int64? { traffic.isOn ? stopwatch() : nil }

    /// The loop has worked for the connection since then.
    mutating func worked(since start: Int64?, for slot: ConnectionSlot) {
        if let start, isHere(slot) { traffic.worked(stopwatch() &- start, for: slot) }
    }

    /// Writes the lines of the turn; see `Delivery.flush`.
    mutating func flushLines(
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) -> [(slot: ConnectionSlot, outcome: Delivery.FlushResult)] {
        guard traffic.isOn else { return delivery.flush(beginning: kept.leastShared, write) }
        // Taken out, so that the closure changes only a local variable.
        var traffic = Traffic()
        swap(&traffic, &self.traffic)
        defer { swap(&traffic, &self.traffic) }
        let stopwatch = stopwatch
        return delivery.flush(beginning: kept.leastShared) { slot, bytes in
            let start = stopwatch()
            let outcome = write(slot, bytes)
            traffic.worked(stopwatch() &- start, for: slot)
            if case .took(let count) = outcome { traffic.wrote(count, to: slot) }
            return outcome
        }
    }

    // MARK: Sends

    /// Handles a `send`, and notes it if a client watches.
    mutating func perform(
        _ send: Request.Send, _ id: Request.ID?, _ slot: ConnectionSlot
    ) throws(WireError) {
        guard isMonitored else {
            try self.send(send, id, slot)
            return
        }
        if tap.isOn {
            let row = tap.hasRoom(at: now) ? row(of: send, slot) : nil
            tap.begin(row, slot, at: row == nil ? 0 : stopwatch())
        }
        do throws(WireError) {
            let end = try self.send(send, id, slot)
            if let end { noteEnd(end.rawValue) }
        } catch {
            noteEnd(error.code.rawValue)
            noteSend(slot)
            throw error
        }
        if scheduler.isPostponed { noteWait(slot) } else { noteSend(slot) }
    }

    private mutating func noteSend(_ slot: ConnectionSlot) {
        if traffic.isOn { traffic.countSend(slot) }
    }

    /// The `send` at the front of the connection waits for its turn.
    mutating func noteWait(_ slot: ConnectionSlot) {
        if tap.isOn { tap.wait(slot, since: stopwatch()) }
    }

    private mutating func noteEnd(_ outcome: String) {
        guard tap.isOn else { return }
        let hadNews = tap.hasNews
        tap.end(outcome, at: now, tap.isOpen ? stopwatch() : 0)
        if !hadNews { scheduleTap() }
    }

    /// The `send` in progress waits for the log.
    mutating func noteHold(_ number: Int) {
        guard tap.isOn else { return }
        tap.hold(number)
        scheduleTap()
    }

    /// A `send` that waited for the log is answered.
    mutating func noteEnd(of number: Int, _ outcome: String) {
        guard tap.isOn else { return }
        tap.end(number, outcome, at: now, stopwatch())
        scheduleTap()
    }

    /// The row of a `send`. An event that the kind does not have is not named, because the name may
    /// be a misplaced payload.
    private mutating func row(of send: Request.Send, _ slot: ConnectionSlot) -> BusTap.Row {
        let kind = kind(of: send.to, for: slot)
        return BusTap.Row(
            connection: roster[slot].number, name: roster[slot].name,
            uid: roster[slot].peer.uid, to: send.to.text,
            event: kind.flatMap { kinds[$0].description().name(of: send.event) }, outcome: "",
            microseconds: 0)
    }

    /// Schedules a report if the tap has news.
    mutating func scheduleTap() {
        guard tap.hasNews, let model = reports.tap else { return }
        scheduleReport(to: model, at: tap.nextReport(after: now))
    }

    // MARK: Reports

    /// The rows of the busiest connections.
    var connectionsReport: BusConnections.ViewModelEvent {
        let span = traffic.span(at: stopwatch())
        let all = roster.slots.filter { roster.isHere($0) }
            .map { Activity(traffic.counts(of: $0), delivery.backlog(of: $0).length, $0, roster) }
            .sorted(by: >)
        let rows = all.prefix(BusConnections.mostRows).map { row(of: $0, span) }
        let omitted = all.count - rows.count
        return .connections(
            milliseconds: span / 1_000, connections: rows, omitted: omitted > 0 ? omitted : nil)
    }

    private func row(of activity: Activity, _ span: Int) -> BusConnections.Row {
        let (slot, counts) = (activity.slot, activity.counts)
        let oldest = delivery.backlog(of: slot).oldestEventTime.map { now - $0 } ?? .zero
        // Below 2^53, because a span is shorter than the life of a daemon.
        let tenths = min(counts.time, span) &* 1_000 / max(1, span)  // fits: it is at least 1
        return BusConnections.Row(
            connection: roster[slot].number, name: roster[slot].name,
            access: roster[slot].access.rawValue, pid: roster[slot].peer.pid,
            uid: roster[slot].peer.uid, sends: counts.sends, received: counts.received,
            written: counts.written, backlog: activity.backlog,
            oldest: Int(clamping: oldest.microseconds / 1_000), missed: outlet.missed(slot),
            share: Double(tenths) / 10)  // fits: a Double does
    }
}

/// How busy a connection is. Busier ones are greater, then older ones.
private struct Activity: Comparable {
    let counts: Traffic.Counts
    let backlog: Int
    let slot: ConnectionSlot
    let number: Int

    init(_ counts: Traffic.Counts, _ backlog: Int, _ slot: ConnectionSlot, _ roster: Roster) {
        (self.counts, self.backlog, self.slot) = (counts, backlog, slot)
        number = roster[slot].number
    }

    static func < (a: Self, b: Self) -> Bool {
        (a.counts, a.backlog, b.number) < (b.counts, b.backlog, a.number)
    }
}
