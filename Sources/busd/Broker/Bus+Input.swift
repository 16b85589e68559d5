import BusdProtocol

// Received bytes become lines, and lines become requests. `Scheduler` decides when.

extension Bus {
    /// The connection's socket has news. The bus attends to it when it serves the connection.
    package mutating func noticed(_ slot: ConnectionSlot) {
        if isHere(slot) { makeReady(slot) }
    }

    /// Bytes were read from the socket.
    package mutating func received(_ bytes: UnsafeRawBufferPointer, on slot: ConnectionSlot) {
        spend(Cost.transfer(bytes.count))
        if traffic.isOn { traffic.received(bytes.count, on: slot) }
        guard takesInput(slot) else { return }
        intake.received(bytes, on: slot)
        charge(slot)
        makeReady(slot)
    }

    /// The peer has half-closed: no more requests follow.
    package mutating func inputEnded(_ slot: ConnectionSlot) {
        guard takesInput(slot) else { return }
        intake.end(slot)
        charge(slot)
        makeReady(slot)
    }

    private func takesInput(_ slot: ConnectionSlot) -> Bool {
        isHere(slot) && roster[slot].stage == .open && !intake.hasEnded(slot)
    }

    /// The peer has half-closed, and the bus does not close the connection yet: its subscriptions
    /// stay.
    func isHalfClosed(_ slot: ConnectionSlot) -> Bool {
        roster[slot].stage == .open && intake.hasEnded(slot)
    }

    /// Handles received lines in order, up to a line that has to wait: for the outcome of pending
    /// sends, for the end of the request before it, for the client to read answers, or for another
    /// visit.
    mutating func handleLines(of slot: ConnectionSlot) {
        guard !pending.isWaiting(slot), !isHiding(slot) else {
            return setReading(slot)
        }
        var requests = 0
        let inputBefore = intake.count(of: slot)
        while isHere(slot), roster[slot].stage != .closing, !outlet.isRequestUnfinished(slot) {
            guard let line = intake.nextLine(of: slot) else { break }
            guard requests < Limits.turnRequests, mayAnswer(slot), spent < scheduler.visitEnd,
                inputBefore - intake.count(of: slot) < Limits.turnBytes
            else {
                waitForTurn(slot)
                return
            }
            guard scheduler.affords(Cost.byteIn * intake.lineLength(of: slot)) else {
                scheduler.postpone()
                return setReading(slot)
            }
            if handle(line, from: slot) { requests += 1 }
            guard isHere(slot) else { return }
            guard !scheduler.isPostponed, !pending.isWaiting(slot) else {
                return setReading(slot)
            }
            spend(Cost.request + Cost.byteIn * intake.dropLine(of: slot))
        }
        guard isHere(slot) else { return }
        setReading(slot)
        if isHalfClosed(slot), pending.count(of: slot) == 0, !outlet.isRequestUnfinished(slot) {
            finishInput(slot)
        }
    }

    /// The next line waits for another visit. If the client has to read answers first, `writable`
    /// makes the connection ready.
    private mutating func waitForTurn(_ slot: ConnectionSlot) {
        setReading(slot)
        if hasRoom(slot) { makeReady(slot) }
    }

    // MARK: Lines

    /// Handles the line at the front. Returns whether it was a request, valid or not.
    private mutating func handle(_ line: InputBuffer.Line, from slot: ConnectionSlot) -> Bool {
        do throws(RequestRefusal) {
            guard let request = try intake.request(in: line, of: slot) else { return false }
            guard !mustWait(request, slot) else {
                pending.wait(slot)
                if case .send = request.operation { noteWait(slot) }
                return true
            }
            intake.countGoodLine(of: slot)
            guard scheduler.affords(cost(of: request, slot)) else {
                spend(Cost.request)
                scheduler.postpone()
                return true
            }
            perform(request, from: slot)
        } catch {
            guard pending.count(of: slot) == 0 else {
                pending.wait(slot)
                return true
            }
            refuse(error.error, error.id, slot)
            guard error.error.isBadInput else {
                intake.countGoodLine(of: slot)
                return true
            }
            if intake.countBadLine(of: slot) {
                sendGoodbye(slot, .badInput, "three lines in a row were not requests")
            }
        }
        return true
    }
}
