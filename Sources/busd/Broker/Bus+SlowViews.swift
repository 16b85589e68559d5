import BusdProtocol

// A view that reads slowly never slows the bus, is never closed for it, and costs bounded memory
// (PROTOCOL.md, section 6).
//
// What a socket does not take waits in the connection's backlog. If that is too much, or has waited
// too long, its events and arrivals are dropped, and a catch-up takes the place of the first
// (Bus+CatchingUp.swift). Answers are never dropped; a client that does not read them is not read
// from (Bus+Input.swift).

extension Bus {
    static let oldestEventAge: Duration = .seconds(2)

    // MARK: Into the backlog

    /// Queues the connection's lines of this turn, of which the socket took `taken` bytes.
    mutating func queueTurn(of slot: ConnectionSlot, after taken: Int = 0, isBlocked: Bool = true) {
        guard delivery.queueTurn(of: slot, after: taken) else { return }
        charge(slot)
        if isBlocked { awaitWritable(slot) }
        if isTooMuch(slot) { dropSoon(slot) }
        setReading(slot)
        watchAge(of: slot)
    }

    mutating func awaitWritable(_ slot: ConnectionSlot) {
        guard !roster[slot].isBlocked else { return }
        roster[slot].isBlocked = true
        effects.append(.awaitWritable(slot))
    }

    /// The socket may take more when it is the connection's turn again.
    mutating func writeLater(_ slot: ConnectionSlot) {
        roster[slot].isBlocked = true
        effects.append(.write(slot))
    }

    // MARK: Out of the backlog

    /// The socket takes bytes again.
    package mutating func writable(
        _ slot: ConnectionSlot,
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        guard isHere(slot) else { return }
        roster[slot].isBlocked = false
        if roster[slot].hasToDrop { dropIfStillSlow(slot) }
        while catchUp(slot), !delivery.backlog(of: slot).isEmpty {
            let (outcome, offered) = delivery.backlog(of: slot).withWritable {
                (write(slot, $0), $0.count)
            }
            guard case .took(let count) = outcome else { return close(slot) }
            withBacklog(of: slot) { $0.wrote(count) }
            spend(Cost.transfer(count))
            if count < offered {
                awaitWritable(slot)
                break
            }
            if delivery.backlog(of: slot).catchUpAtFront != nil {
                // One step a turn, so that others are served in between.
                writeLater(slot)
                break
            }
        }
        guard isHere(slot) else { return }
        caughtUp(slot)
    }

    /// The answers that were waited for may have been read.
    private mutating func caughtUp(_ slot: ConnectionSlot) {
        setReading(slot)
        if hasRoom(slot), roster[slot].stage != .closing { makeReady(slot) }
        closeIfWritten(slot)
    }

    // MARK: Dropping

    /// Drops the events that wait. Their view models are shown by catch-ups.
    mutating func dropEvents(of slot: ConnectionSlot) {
        // What was said in this turn waits behind, and is dropped with it.
        queueTurn(of: slot)
        let request = roster[slot].catchUps?.request
        var last = roster[slot].lastCatchUp
        let all = withBacklog(of: slot) { $0.drop(request: request, last: &last) }
        roster[slot].lastCatchUp = last
        spend(Cost.leave * all.count)
        for dropped in all { miss(dropped, slot) }
    }

    private mutating func miss(_ dropped: Backlog.Dropped, _ slot: ConnectionSlot) {
        let (model, previous) = (dropped.model, dropped.previous)
        let catchUps = catchUps(of: slot)
        roster[slot].catchUps = catchUps
        catchUps.begin(dropped.catchUp)
        /// Reports the gap alone: the view model is shown elsewhere, or never again.
        func addGap(upTo seq: Int) {
            guard let previous, let address = dropped.address else { return }
            catchUps.append(.gap(model, address, missed: seq - previous), to: dropped.catchUp)
        }
        if let seq = dropped.shownAt {
            addGap(upTo: seq)
        } else if roster[slot].watches[model] == nil {
            addGap(upTo: dropped.last)
            if previous == nil { catchUps.forget(model) }
        } else if let start = catchUps.wait(of: model)?.start {
            addGap(upTo: start)
            catchUps.setPrevious(previous == nil ? nil : start, of: model)
        } else if let previous {
            catchUps.add(model, to: dropped.catchUp, start: previous, previous: previous)
            setWatchState(slot, of: model)
        } else {
            // Its arrival was not shown. It is shown as if it arrived now.
            catchUps.extendWalk(of: dropped.catchUp, to: roster[model].number)
            leave(slot, model)
        }
    }

    // MARK: Too much, or too old

    private func isTooMuch(_ slot: ConnectionSlot) -> Bool {
        delivery.backlog(of: slot).eventBytes > limits.output
    }

    private func isTooOld(_ slot: ConnectionSlot) -> Bool {
        delivery.backlog(of: slot).oldestEventTime.map { $0 + Self.oldestEventAge <= now } ?? false
    }

    /// Looks at the connection when the oldest event that waits will have waited too long.
    private mutating func watchAge(of slot: ConnectionSlot) {
        guard !roster[slot].isWatchedForAge,
            let oldest = delivery.backlog(of: slot).oldestEventTime
        else { return }
        let due = oldest + Self.oldestEventAge
        guard due > now else { return dropSoon(slot) }
        roster[slot].isWatchedForAge = true
        deadlines.set(.slowView(slot, number: roster[slot].number), at: due)
    }

    mutating func lookAtAge(of slot: ConnectionSlot) {
        roster[slot].isWatchedForAge = false
        if isTooOld(slot) { dropSoon(slot) } else { watchAge(of: slot) }
    }

    /// It may be the same for a crowd at the same moment. So it is done when it is the connection's
    /// turn; its socket gets nothing before.
    private mutating func dropSoon(_ slot: ConnectionSlot) {
        roster[slot].hasToDrop = true
        makeReady(slot)
    }

    mutating func dropIfStillSlow(_ slot: ConnectionSlot) {
        roster[slot].hasToDrop = false
        if isTooMuch(slot) || isTooOld(slot) { dropEvents(of: slot) }
        watchAge(of: slot)
    }
}
