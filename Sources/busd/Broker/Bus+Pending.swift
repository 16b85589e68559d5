import BusdProtocol

// A `send` to a durable view model proposes an action, which is applied once the log has it: then
// its events are published, and it is answered. Until then it is pending, and nothing of it is
// visible.
//
// A connection reads its own writes: while a `send` of it is pending, its next line is handled only
// if that line cannot depend on the outcome. All other lines wait. So a pipelined script fills each
// commit, and answers keep the order of the requests.

extension Bus {
    /// A `send` waits beyond this number of pending sends of its connection, which two turns
    /// handle, and beyond this number of bytes of all pending entries.
    package static let mostPendingOfConnection = 2 * Limits.turnRequests
    private static let mostPendingBytes = 1 << 20

    /// Sends wait for the log.
    package var hasPending: Bool { libraries.hasPending || !pending.isEmpty }

    /// Whether the request waits for the outcome of pending sends.
    func mustWait(_ request: Request, _ slot: ConnectionSlot) -> Bool {
        guard !pending.isEmpty || libraries.hasPending else { return false }
        let count = roster[slot].pendingCount
        guard case .send(let send) = request.operation else { return count > 0 }
        guard let model = model(at: send.to) else { return count > 0 }
        if awaitsOutcomes(model), pending.concerns(model) { return true }
        if send.ifDone != nil, isDoneUncertain(of: model) { return true }
        if libraries.pendingBytes >= Self.mostPendingBytes, proposes(model) { return true }
        guard count > 0 else { return false }
        return count >= Self.mostPendingOfConnection || isOutcomeNeeded(for: send, to: model, slot)
    }

    /// Whether the outcome of the connection's pending sends may purpose to this one.
    private func isOutcomeNeeded(
        for send: Request.Send, to model: ModelID, _ slot: ConnectionSlot
    ) -> Bool {
        guard isDurable(model), !awaitsOutcomes(model), send.ifSeq == nil, send.ifDone == nil else {
            return true
        }
        return roster[slot].pendingLibraryChanges > 0 && !host.isFixed(model)
    }

    /// `done` counts the sends to all view models of a thing, and the log checks `ifDone` for one
    /// subject. So a send to another subject of the thing has to be settled first.
    private func isDoneUncertain(of model: ModelID) -> Bool {
        guard host.subject(of: model)?.isPending != true else { return false }
        let thing = host.thing(of: model)
        return pending.models.contains { isHere($0) && host.thing(of: $0) == thing }
    }

    func isDurable(_ model: ModelID) -> Bool { host.isDurable(roster[model].kind) }

    func awaitsOutcomes(_ model: ModelID) -> Bool {
        host.awaitsOutcomes(roster[model].kind)
    }

    private func proposes(_ model: ModelID) -> Bool { isDurable(model) || awaitsOutcomes(model) }

    /// The front line is retried when pending sends have been settled.
    mutating func waitForOutcome(_ slot: ConnectionSlot) {
        roster[slot].isWaiting = true
        pending.wait(slot)
    }

    /// The `send` is answered when its action has been applied or refused.
    mutating func wait(_ send: Pending.Send) {
        roster[send.origin.slot].pendingCount += 1
        if send.changesLibrary { roster[send.origin.slot].pendingLibraryChanges += 1 }
        pending.append(send)
        if libraries.isVolatile { applyCommitted() }
    }

    /// Answers behind the pending sends of the connection.
    mutating func answerBehindPending(_ line: [UInt8], _ slot: ConnectionSlot) {
        roster[slot].pendingCount += 1
        pending.append(line, to: slot, connection: roster[slot].number)
    }

    // MARK: Outcomes

    /// Applies what the log has, as much as the turn has room for.
    package mutating func applyCommitted() {
        if libraries.isVolatile { libraries.commit() }
        let end = spent + scheduler.turnCost
        drain()
        var hasSettled = false
        while spent < end || libraries.isVolatile {
            let model = pending.next.flatMap { addressee(of: $0) }
            let before = model.map { roster[$0].seq } ?? 0
            guard let (number, outcome) = libraries.applyNext() else { break }
            hasSettled = true
            spend(Cost.request)
            if var send = pending.take(number) {
                send.model = model ?? send.model
                settle(send, outcome, seqBefore: before)
            } else {
                drain()
            }
            giveAnswers()
        }
        pending.hasMore = spent >= end && libraries.hasPending
        if hasSettled { lookAgain() }
    }

    /// The view model that the `send` concerns now; `nil` if there is none at its address.
    private func addressee(of send: Pending.Send) -> ModelID? {
        isHere(send.model) ? send.model : model(at: send.address)
    }

    private mutating func giveAnswers() {
        while let (line, slot, connection) = pending.takeAnswer() {
            guard isHere(slot), roster[slot].number == connection else { continue }
            enqueue(line, .answer, to: slot)
            settled(slot)
        }
    }

    private mutating func settle(_ send: Pending.Send, _ outcome: SendOutcome, seqBefore: Int) {
        let slot = send.origin.slot
        do throws(WireError) {
            try conclude(send.origin, send.model, send.cause, outcome, seqBefore: seqBefore)
        } catch {
            drain(cause: send.cause)
            if isHere(send.origin) {
                enqueue(Line.refusal(error, send.origin.id), .answer, to: slot)
            }
        }
        guard isHere(send.origin) else { return }
        if send.changesLibrary { roster[slot].pendingLibraryChanges -= 1 }
        settled(slot)
    }

    /// One answer fewer is pending.
    private mutating func settled(_ slot: ConnectionSlot) {
        roster[slot].pendingCount -= 1
        let isLast = roster[slot].pendingCount == 0
        if isLast, roster[slot].stage == .inputEnded { makeReady(slot) }
    }

    /// Retries the lines that wait.
    private mutating func lookAgain() {
        for slot in pending.takeWaiting() where isHere(slot) && roster[slot].isWaiting {
            roster[slot].isWaiting = false
            makeReady(slot)
        }
    }
}
