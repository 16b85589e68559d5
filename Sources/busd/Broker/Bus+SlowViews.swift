import BusdProtocol

// A view that reads slowly never slows the bus, is never closed for it, and costs bounded memory
// (docs/protocol.md, section 6).
//
// Bytes that a socket does not take wait in the connection's backlog. If its events and arrivals
// are too many or too old, they are dropped, and a catch-up takes the place of the first one
// (Bus+CatchingUp.swift). Answers are never dropped: the bus stops reading from a client that does
// not read them (Bus+Budget.swift).

extension Bus {
    /// Events are dropped if this time has passed since they were emitted.
    static let oldestEventAge: Duration = .seconds(2)

    // MARK: Into the backlog

    /// Queues the lines of this turn in the backlog, after the first `taken` bytes, which the
    /// socket took. Also called before the socket was tried, if a place or a line has to follow in
    /// the backlog.
    ///
    /// - Parameter isFull: the socket takes nothing more now. False: it may take more.
    mutating func queueTurn(of slot: ConnectionSlot, after taken: Int = 0, isFull: Bool = true) {
        guard delivery.queueTurn(of: slot, after: taken, roster.address) else { return }
        charge(slot)
        if isFull { awaitWritable(slot) } else { writeLater(slot) }
        if isTooMuch(slot) { dropSoon(slot) }
        setReading(slot)
        watchAge(of: slot)
    }

    /// The shell calls `writable` when the socket accepts bytes again.
    mutating func awaitWritable(_ slot: ConnectionSlot) {
        if outlet.fill(slot) { effects.append(.awaitWritable(slot)) }
    }

    /// The shell calls `writable` in the connection's next visit. The socket may accept bytes
    /// already.
    mutating func writeLater(_ slot: ConnectionSlot) {
        if outlet.fill(slot) { effects.append(.write(slot)) }
    }

    // MARK: Out of the backlog

    /// The socket may accept bytes: writes as much of the backlog as it takes.
    package mutating func writable(
        _ slot: ConnectionSlot,
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        guard isHere(slot) else { return }
        let hasToDrop = outlet.hasToDrop(slot)
        outlet.open(slot)
        if hasToDrop { dropIfStillSlow(slot) }
        while catchUp(slot), !delivery.backlog(of: slot).isEmpty {
            let (outcome, offered) = delivery.backlog(of: slot).withWritable {
                (write(slot, $0), $0.count)
            }
            guard case .took(let count) = outcome else { return close(slot) }
            delivery.wrote(count, to: slot)
            if traffic.isOn { traffic.wrote(count, to: slot) }
            charge(slot)
            spend(Cost.transfer(count))
            if count < offered {
                awaitWritable(slot)
                break
            }
            if delivery.backlog(of: slot).catchUpAtFront != nil {
                // One step of a catch-up per turn, so that other connections are served in between.
                writeLater(slot)
                break
            }
        }
        guard isHere(slot) else { return }
        caughtUp(slot)
    }

    /// The client may have read enough answers to be read from, to be answered, or to be closed.
    private mutating func caughtUp(_ slot: ConnectionSlot) {
        setReading(slot)
        if hasRoom(slot), roster[slot].stage != .closing { makeReady(slot) }
        closeIfWritten(slot)
    }

    // MARK: Dropping

    /// Drops the waiting events. Catch-ups will show their view models.
    mutating func dropEvents(of slot: ConnectionSlot) {
        // Events of this turn are dropped too.
        queueTurn(of: slot)
        let catchUps = catchUps(of: slot)
        let all = delivery.drop(
            for: slot, request: catchUps.request, last: catchUps.lastNumber)
        charge(slot)
        spend(Cost.leave * all.count)
        for dropped in all { miss(dropped, slot) }
    }

    /// Lines of a view model were dropped: the catch-up in their place will show it.
    private mutating func miss(_ dropped: Backlog.Dropped, _ slot: ConnectionSlot) {
        let (model, previous) = (dropped.model, dropped.previous)
        let catchUps = catchUps(of: slot)
        catchUps.begin(dropped.catchUp)
        outlet.keep(catchUps, of: slot)
        /// Adds the gap alone: the view model is shown elsewhere, or never again.
        func addGap(upTo seq: Int) {
            guard let previous else { return }
            catchUps.append(
                .gap(model, dropped.address, missed: seq - previous), to: dropped.catchUp)
        }
        if let seq = dropped.shownAt {
            // A later line in the backlog shows the view model.
            addGap(upTo: seq)
        } else if roster[slot].watches[model] == nil {
            // The connection does not watch the view model any more.
            addGap(upTo: dropped.last)
            if previous == nil { catchUps.forget(model) }
        } else if let start = catchUps.wait(of: model)?.start {
            // The view model waits in a catch-up already, which reports the events since `start`.
            addGap(upTo: start)
            catchUps.setPrevious(previous == nil ? nil : start, of: model)
        } else if let previous {
            catchUps.add(model, to: dropped.catchUp, start: previous, previous: previous)
            setWatchState(slot, of: model)
        } else {
            // The dropped line was its arrival. It is shown as if it arrived now.
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

    /// Sets a deadline for the moment when the oldest waiting event becomes too old, unless one is
    /// set.
    private mutating func watchAge(of slot: ConnectionSlot) {
        guard !deadlines.isSet(.age, of: slot),
            let oldest = delivery.backlog(of: slot).oldestEventTime
        else { return }
        let due = oldest + Self.oldestEventAge
        guard due > now else { return dropSoon(slot) }
        setDeadline(.age, of: slot, at: due)
    }

    /// The deadline of `watchAge` is due.
    mutating func lookAtAge(of slot: ConnectionSlot) {
        if isTooOld(slot) { dropSoon(slot) } else { watchAge(of: slot) }
    }

    /// Many connections may become slow at once, so each drops in its own turn. Until then its
    /// socket gets nothing.
    private mutating func dropSoon(_ slot: ConnectionSlot) {
        writeLater(slot)
        outlet.mustDrop(slot)
        makeReady(slot)
    }

    /// The connection's turn has come. It may have read enough meanwhile.
    mutating func dropIfStillSlow(_ slot: ConnectionSlot) {
        if isTooMuch(slot) || isTooOld(slot) { dropEvents(of: slot) }
        watchAge(of: slot)
    }
}
