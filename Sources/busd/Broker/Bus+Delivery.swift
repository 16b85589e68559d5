import BusdProtocol

// The path of events from the host's outbox to the sockets (`Delivery`). Events are encoded
// already; here each one gets its `seq`. All lines that one input caused are published before its
// answer.

extension Bus {
    // MARK: From the outbox to the turn's log

    /// Publishes events that view models emitted outside of requests and timers, such as after work
    /// on another thread.
    package mutating func listen() { drain() }

    /// Publishes everything that view models have emitted since the last time.
    mutating func drain(cause: Cause? = nil) {
        // Showing an arrival may wake view models, which calls `drain`. That call does nothing:
        // this loop publishes their events after this update.
        guard !isPublishing, !outbox.isEmpty else { return }
        isPublishing = true
        while let entry = outbox.take() {
            switch entry {
            case .emitted(let event): publish(event, cause)
            case .arrived(let place): arrived(outbox.arrival(place))
            case .ended(let model): if isHere(model) { ended(model) }
            case .removed(let address): for model in roster.all(under: address) { ended(model) }
            case .advanced(let span):
                // Each timer publishes its events at its own moment.
                isPublishing = false
                advance(by: span, cause: cause)
                isPublishing = true
            case .policyChanged(let policy, let done): enforce(policy, done)
            }
        }
        isPublishing = false
    }

    private mutating func publish(_ event: Outbox.Event, _ cause: Cause?) {
        guard isHere(event.model) else { return }
        let stream = roster.awake(event.model)
        if stream.isUnwatched { watchRest(of: event.model) }
        let line = delivery.publish(
            event, in: outbox, cause, of: stream, at: now, most: limits.history)
        if line.length >= kept.least { delivery.shareLast(budget.shared) }
        reports.countEvent()
        guard !delivery.assign(line.number, of: event.model, stream) else { return }
        publishFiltered(event, line)
    }

    // MARK: Lines for one connection

    /// Queues a line for a connection.
    mutating func enqueue(_ text: [UInt8], _ origin: LineOrigin, to slot: ConnectionSlot) {
        enqueue(Text(text), origin, to: slot)
    }

    mutating func enqueue(_ text: Text, _ origin: LineOrigin, to slot: ConnectionSlot) {
        delivery.enqueue(text, origin, to: slot, watching: indexInRun(of: slot))
    }

    /// Writes a line for a connection directly into the turn log.
    mutating func enqueue(
        _ origin: LineOrigin, to slot: ConnectionSlot, _ write: Line.Writing
    ) {
        delivery.enqueue(origin, to: slot, watching: indexInRun(of: slot), write)
    }

    /// The index of the connection among the watchers of the current run; `nil`: it is no watcher.
    private func indexInRun(of slot: ConnectionSlot) -> Int? {
        guard let model = delivery.modelOfRun else { return nil }
        return roster[slot].watches[model]
    }

    // MARK: From the turn's log to the sockets

    /// Ends the turn: appends proposed actions to the log, writes the lines of each connection to
    /// its socket in one write, and evicts memory above the limits.
    package mutating func flush(
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        drain()
        libraries.commit()
        for (slot, outcome) in flushLines(write) {
            switch outcome {
            case .finished: break
            case .left(let taken): queueTurn(of: slot, after: taken)
            case .begun(let taken):
                queueTurn(of: slot, after: taken, isFull: false)
            case .failed:
                close(slot)
                continue
            }
            closeIfWritten(slot)
        }
        delivery.endTurn()
        roster.endTurn()
        scheduler.flushed(at: spent)
        evictLargest()
    }

    /// For tests: a turn that has written this many bytes writes only the beginning of long shared
    /// lines.
    package mutating func limitFlush(to bytes: Int) { delivery.limitFlush(to: bytes) }
}
