import BusdProtocol

// A view that reads slowly never slows the bus, is never closed for it, and costs bounded memory
// (PROTOCOL.md, section 6).
//
// What a socket does not take waits in the connection's backlog. Too much of it, or too old, and
// the events in it are dropped; a place is kept where the first of them stood, a `Stall` for each
// view model concerned says what is to be told there. From then on nothing is queued of these view
// models. When the socket has taken what stands before that place, each of them tells `gap`, its
// snapshot and `live` there, and all is as if the view had just joined. Where a snapshot stands
// behind that place already, because the view has subscribed again meanwhile, the gap is told
// without one.
//
// The snapshot of a view model that has come is dropped like an event, and told as if it had come
// later (Bus+Arrivals.swift); if the view model has ended by then, there was nothing. Answers are
// never dropped; a client that does not read them is not read from (Bus+Input.swift).

extension Bus {
    static let longestWait: Duration = .seconds(2)

    // MARK: Into the backlog

    /// Keeps what the socket did not take of the connection's lines of this turn.
    mutating func queueTurn(of slot: ConnectionSlot, after taken: Int = 0) {
        noteRun()
        let stretches = connections[slot].stretches
        guard !stretches.isEmpty else { return }
        var previous = connections[slot].previous[...]
        connections[slot].stretches.removeAll()
        connections[slot].turnAnswerBytes = 0
        connections[slot].previous = []
        var left = taken
        withBacklog(of: slot) { [turn] backlog in
            stretches.forEach { range in
                for line in range {
                    let text = turn.text(of: line)
                    let kind = turn.entryKind(of: line, &previous)
                    if left >= text.count {
                        left -= text.count
                    } else {
                        backlog.append(
                            text.dropFirst(left), kind, isBegun: left > 0,
                            turn.shares(of: line))
                        left = 0
                    }
                }
            }
        }
        awaitWritable(slot)
        if isTooMuch(slot) { dropSoon(slot) }
        setReading(slot)
        watchAge(of: slot)
    }

    /// Changes a backlog, and counts what waits in all of them.
    mutating func withBacklog<Result>(
        of slot: ConnectionSlot, _ change: (inout Backlog) -> Result
    ) -> Result {
        let (events, answers) = (
            connections[slot].backlog.heldBytes, connections[slot].backlog.keptBytes
        )
        defer {
            pendingEventBytes += connections[slot].backlog.heldBytes - events
            pendingAnswerBytes += connections[slot].backlog.keptBytes - answers
        }
        return change(&connections[slot].backlog)
    }

    mutating func awaitWritable(_ slot: ConnectionSlot) {
        guard !connections[slot].isBlocked else { return }
        connections[slot].isBlocked = true
        effects.append(.awaitWritable(slot))
    }

    /// The socket may take more when it is the connection's turn again.
    mutating func writeLater(_ slot: ConnectionSlot) {
        connections[slot].isBlocked = true
        effects.append(.write(slot))
    }

    // MARK: Out of the backlog

    /// The socket takes bytes again.
    package mutating func writable(
        _ slot: ConnectionSlot,
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        guard isHere(slot) else { return }
        connections[slot].isBlocked = false
        if connections[slot].hasToDrop { dropNow(slot) }
        while !connections[slot].backlog.isEmpty, connections[slot].backlog.shownAtFront == nil {
            if let gap = connections[slot].backlog.gapAtFront {
                connections[slot].isShowingPutOff = false
                tell(gap, to: slot)
                let isWaiting = connections[slot].backlog.gapAtFront != nil
                guard !isWaiting || !connections[slot].isShowingPutOff else { break }
            }
            let (outcome, offered) = connections[slot].backlog.withWritable {
                (write(slot, $0), $0.count)
            }
            guard case .took(let count) = outcome else { return close(slot) }
            withBacklog(of: slot) { $0.wrote(count) }
            spend(Cost.transfer(count))
            if count < offered {
                awaitWritable(slot)
                break
            }
            if connections[slot].backlog.gapAtFront != nil, spent >= turnEnd {
                writeLater(slot)
                break
            }
        }
        caughtUp(slot)
    }

    /// The answers that were waited for may have been read.
    private mutating func caughtUp(_ slot: ConnectionSlot) {
        setReading(slot)
        let isShowing = connections[slot].backlog.shownAtFront != nil
        if isShowing || hasRoom(slot) && connections[slot].stage != .closing { makeRunnable(slot) }
        finish(slot)
    }

    // MARK: Dropping

    /// Drops the events that wait, and remembers of which view models there is a gap to tell.
    mutating func dropEvents(of slot: ConnectionSlot) {
        // What was said in this turn waits behind, and is dropped with it.
        queueTurn(of: slot)
        let all = withBacklog(of: slot) { $0.dropEvents() }
        spend(Cost.leave * all.count)
        for missed in all { miss(missed, slot) }
    }

    private mutating func miss(_ missed: Backlog.Missed, _ slot: ConnectionSlot) {
        suspendInJoin(missed.model, slot)
        let end =
            missed.end
            ?? connections[slot].withJoin {
                $0.missed(missed.model, isKnown: missed.previous != nil)
            }
        let isShownAgain = end == nil && connections[slot].models[missed.model] != nil
        guard let previous = missed.previous, let gap = missed.gap, let address = missed.address
        else {
            // Who was not told of a view model misses nothing of it.
            if isShownAgain { leaveUntold(missed.model, slot) }
            return
        }
        connections[slot].lastStall += 1
        let number = connections[slot].lastStall
        connections[slot].stalls[number] = Stall(
            model: missed.model, address: address, gap: gap, lastWritten: previous,
            end: isShownAgain ? nil : end ?? missed.last)
        if isShownAgain { hearNothing(of: missed.model, until: number, slot) }
    }

    /// Nothing is queued until the gap has been told.
    mutating func hearNothing(
        of model: ModelID, until stall: Int, _ slot: ConnectionSlot
    ) {
        var view = connections[slot].special[model] ?? SpecialView()
        view.stall = stall
        connections[slot].special[model] = view
        settle(slot, model)
    }

    /// What was missed of a view model ends here: its gap will be told, without a snapshot.
    mutating func endStall(of model: ModelID, at seq: Int, _ slot: ConnectionSlot) {
        guard let number = connections[slot].special[model]?.stall else { return }
        connections[slot].stalls[number]?.end = seq
        connections[slot].special[model]?.stall = nil
        settle(slot, model)
    }

    // MARK: Too much, or too old

    private func isTooMuch(_ slot: ConnectionSlot) -> Bool {
        connections[slot].backlog.eventBytes > limits.output
            || connections[slot].backlog.arrivalBytes > limits.output
    }

    private func isTooOld(_ slot: ConnectionSlot) -> Bool {
        connections[slot].backlog.oldestEvent.map { $0 + Self.longestWait <= now } ?? false
    }

    /// Looks at the connection when the oldest event that waits will have waited too long.
    private mutating func watchAge(of slot: ConnectionSlot) {
        guard !connections[slot].isWatchedForAge,
            let oldest = connections[slot].backlog.oldestEvent
        else { return }
        let due = oldest + Self.longestWait
        guard due > now else { return dropSoon(slot) }
        connections[slot].isWatchedForAge = true
        deadlines.set(.slowView(slot, number: connections[slot].number), at: due)
    }

    mutating func lookAtAge(of slot: ConnectionSlot) {
        connections[slot].isWatchedForAge = false
        if isTooOld(slot) { dropSoon(slot) } else { watchAge(of: slot) }
    }

    /// It may be the same for a crowd at the same moment. So it is done when it is the connection's
    /// turn; its socket gets nothing before.
    private mutating func dropSoon(_ slot: ConnectionSlot) {
        connections[slot].hasToDrop = true
        makeRunnable(slot)
    }

    mutating func dropNow(_ slot: ConnectionSlot) {
        connections[slot].hasToDrop = false
        if isTooMuch(slot) || isTooOld(slot) { dropEvents(of: slot) }
        watchAge(of: slot)
    }

    /// All connections together hold no more than `outputTotal`: the largest holder gives way, of
    /// the view socket first.
    mutating func dropFromLargest() {
        guard pendingEventBytes > limits.outputTotal else { return }
        for (slot, _) in holders(of: { $0.backlog.heldBytes }) {
            guard pendingEventBytes > limits.outputTotal else { return }
            dropEvents(of: slot)
        }
    }
}
