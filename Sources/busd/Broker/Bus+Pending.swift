import BusdProtocol

// A `send` to a durable view model proposes an action. It is pending until the log has the action.
// Then the action is applied, its events are published, and the `send` is answered. Nothing is
// visible before.
//
// A connection reads its own writes: while a `send` of it is pending, its next line is handled only
// if that line cannot depend on the outcome. All other lines wait. So a pipelined script fills each
// commit, and answers keep the order of the requests.
//
// In three cases a `send` waits for pending sends of other connections too:
//
// - The view model handles an event only after the outcome of the event before (`awaitsOutcomes`).
// - The `send` has `ifDone`, and a pending one may change `done` (`isDoneUncertain`).
// - The pending entries of all connections have `mostPendingBytes`.

extension Bus {
    /// Most pending sends of a connection, with the answers behind them: as many as two turns
    /// handle.
    package static let mostPendingOfConnection = 2 * Limits.turnRequests
    /// Most bytes of the pending entries of all connections.
    private static let mostPendingBytes = 1 << 20

    /// The log has something to do or to report, or answers wait for it.
    package var hasPending: Bool {
        // Asked in each turn. Without `mutating` here and in the other questions of a turn, a `say`
        // takes 1 to 2 % more instructions.
        mutating get { libraries.hasPending || !pending.isEmpty }
    }

    /// Whether the request waits for the outcome of pending sends. Mutating for the same reason.
    mutating func mustWait(_ request: Request, _ slot: ConnectionSlot) -> Bool {
        guard !pending.isEmpty || libraries.hasPending else { return false }
        let count = pending.count(of: slot)
        guard case .send(let send) = request.operation else { return count > 0 }
        guard let model = model(at: send.to, for: slot) else { return count > 0 }
        if awaitsOutcomes(model), pending.concerns(model) { return true }
        if send.ifDone != nil, isDoneUncertain(of: model) { return true }
        if libraries.pendingBytes >= Self.mostPendingBytes, proposes(model) { return true }
        guard count > 0 else { return false }
        return count >= Self.mostPendingOfConnection || isOutcomeNeeded(for: send, to: model, slot)
    }

    /// Whether this `send` may depend on the outcome of the connection's pending sends. Pending
    /// changes of a library may end every view model that is not fixed.
    private func isOutcomeNeeded(
        for send: Request.Send, to model: ModelID, _ slot: ConnectionSlot
    ) -> Bool {
        guard isDurable(model), !awaitsOutcomes(model), send.ifSeq == nil, send.ifDone == nil else {
            return true
        }
        return pending.changesLibrary(slot) && !isFixed(model)
    }

    /// Whether a pending `send` may change `done` of the thing. `done` counts the sends to all view
    /// models of a thing, but the log checks `ifDone` for one subject only. So pending sends to
    /// other subjects of the thing have to be settled first.
    private func isDoneUncertain(of model: ModelID) -> Bool {
        guard host.subject(of: model)?.isPending != true else { return false }
        let thing = addressOfThing(model)
        for other in pending.models where isHere(other) && addressOfThing(other) == thing {
            return true
        }
        return false
    }

    /// Whether the view model is always there.
    private func isFixed(_ model: ModelID) -> Bool {
        kinds[roster[model].kind].placement == .fixed(roster[model].address)
    }

    func isDurable(_ model: ModelID) -> Bool { roster[model].traits.contains(.durable) }

    func awaitsOutcomes(_ model: ModelID) -> Bool {
        roster[model].traits.contains(.awaitsOutcomes)
    }

    private func proposes(_ model: ModelID) -> Bool { isDurable(model) || awaitsOutcomes(model) }

    /// The `send` is answered when its action has been applied or refused.
    mutating func wait(_ send: Pending.Send) {
        pending.append(send)
        if libraries.isVolatile { applyCommitted() }
    }

    /// Queues an answer behind the pending sends of the connection.
    mutating func answerBehindPending(_ line: [UInt8], _ slot: ConnectionSlot) {
        pending.append(line, to: slot, connection: roster[slot].number)
    }

    // MARK: Outcomes

    /// Applies committed actions in the order of the log, and answers their sends, until the turn
    /// has cost enough. Without a log on disk, applies all.
    package mutating func applyCommitted() {
        if libraries.isVolatile { libraries.commit() }
        let end = spent + scheduler.turnCost
        drain()
        var hasSettled = false
        while spent < end || libraries.isVolatile {
            let model = pending.next.flatMap { addressee(of: $0) }
            let before = model.map { roster[$0].seq } ?? 0
            // Without a log on disk, this is a part of the sender's visit.
            let start = libraries.isVolatile ? nil : startOfWork
            guard let (number, outcome) = libraries.applyNext() else { break }
            hasSettled = true
            spend(Cost.request)
            if let send = pending.take(number) {
                settle(send, of: model ?? send.model, outcome, seqBefore: before)
                if isHere(send.origin) { worked(since: start, for: send.origin.slot) }
            } else {
                drain()
            }
            giveAnswers()
        }
        pending.applied(hasMore: spent >= end && libraries.hasPending)
        if hasSettled { lookAgain() }
    }

    /// The view model that a pending `send` is concluded for: the one that handled it, or, if that
    /// one has ended, the one at its address now.
    private mutating func addressee(of send: Pending.Send) -> ModelID? {
        isHere(send.model) ? send.model : model(at: send.address)
    }

    /// Sends the answers that have no pending `send` before them.
    private mutating func giveAnswers() {
        while let (line, slot, connection) = pending.takeAnswer() {
            guard isHere(slot), roster[slot].number == connection else { continue }
            enqueue(line, .answer, to: slot)
            settled(slot, isLast: pending.settle(slot))
        }
    }

    private mutating func settle(
        _ send: Pending.Send, of model: ModelID, _ outcome: SendOutcome, seqBefore: Int
    ) {
        let slot = send.origin.slot
        do throws(WireError) {
            let end = try conclude(send.origin, model, send.cause, outcome, seqBefore: seqBefore)
            noteEnd(of: send.number, end.rawValue)
        } catch {
            noteEnd(of: send.number, error.code.rawValue)
            drain(cause: send.cause)
            if isHere(send.origin) {
                enqueue(Line.refusal(error, send.origin.id), .answer, to: slot)
            }
        }
        guard isHere(send.origin) else { return }
        settled(slot, isLast: pending.settle(slot, changesLibrary: send.changesLibrary))
    }

    /// One answer fewer is pending. After the last one, a half-closed connection is served again,
    /// which may close it.
    private mutating func settled(_ slot: ConnectionSlot, isLast: Bool) {
        if isLast, isHalfClosed(slot) { makeReady(slot) }
    }

    /// Makes connections ready if their front line waits for outcomes.
    private mutating func lookAgain() {
        for slot in pending.takeWaiting() where isHere(slot) { makeReady(slot) }
    }
}
