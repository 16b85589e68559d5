import BusdProtocol

// `send`: from the request to what it caused. The answer comes after all the events, so it is a
// barrier.

extension Bus {
    mutating func send(
        _ send: Request.Send, _ id: Request.ID?, _ slot: ConnectionSlot
    ) throws(WireError) {
        guard connections[slot].access == .control else {
            throw WireError(
                .notAllowed, "this is the view socket: send goes through the control socket")
        }
        let existing = model(at: send.to)
        if let existing { try checkMaySend(to: existing, slot) }
        // Where there is none, one is made, or names that are near are looked for.
        guard existing != nil || job == .long else { return putOff(slot) }
        let kind =
            if let existing { models[existing.slot].kind } else { try kindToMake(send.to, slot) }
        let event = try host.decode(send.event, for: kind)
        let model = if let existing { existing } else { try checkedMake(send, slot) }
        used(model, by: slot)

        if let key = send.key {
            guard knowsOldKeys(of: model) else {
                throw WireError(.unavailable, "storage cannot read now: nothing has changed")
            }
            if let answer = models[model.slot].stream?.answer(to: key) {
                guard let id else { return }
                return self.answer(slot) { Line.sent(id, answer, isDuplicate: true, to: &$0) }
            }
        }
        try Self.checkSeq(send.ifSeq, models[model.slot].seq)
        if let wanted = send.ifDone { try checkDone(wanted, done(of: model)) }
        let origin = Origin(slot: slot, id: id, key: send.key, wantsDone: send.ifDone != nil)
        try handle(event, at: model, origin)
    }

    /// A view model that is yet to be made stands at 0.
    private mutating func checkedMake(
        _ send: Request.Send, _ slot: ConnectionSlot
    ) throws(WireError) -> ModelID {
        try Self.checkSeq(send.ifSeq, 0)
        try checkDone(send.ifDone, nil)
        return try make(send.to, for: slot)
    }

    private static func checkSeq(_ wanted: Int?, _ seq: Int) throws(WireError) {
        if let wanted, wanted != seq {
            throw WireError(.stale, "the view model stands at \(seq), not at \(wanted)", seq: seq)
        }
    }

    // MARK: Handling

    /// Where a `send` comes from, and what its answer needs.
    struct Origin {
        let slot: ConnectionSlot
        let id: Request.ID?
        let key: String?
        /// It depends on `done`, and its answer reports it.
        let wantsDone: Bool
    }

    /// Hands the event over. What it causes is seen by everybody who hears it, then it is answered:
    /// at once, or as soon as what it changed is on disk.
    private mutating func handle(
        _ event: DecodedEvent, at model: ModelID, _ origin: Origin
    ) throws(WireError) {
        notePresent(of: model)
        let before = models[model.slot].seq + held.eventCount(of: model)
        let sender = Sender(
            connection: connections[origin.slot].number, uid: connections[origin.slot].peer.uid)
        let cause = Cause(sender.connection, origin.id)
        var outcome = Outcome()
        let handling = host.handle(event, at: model, from: sender)
        if let journal { spendWork(of: journal) }
        if isDraft(model) { spend(Cost.draft) }
        switch handling {
        case .refused(let refusal): throw WireError(refusal.code, refusal.message)
        case .handled(let hasChanged): outcome.hasChanged = hasChanged || !outbox.isEmpty
        }
        outcome.made = outbox.firstArrival
        let thing = outcome.hasChanged ? thing(of: model) : nil
        if let flight = flightToAwait(origin, model) {
            return hold(cause: cause, after: before, origin, model, outcome, thing, for: flight)
        }
        if let thing { noteDone(thing) }
        // The view model may end with this.
        let done = origin.wantsDone ? done(of: model) : nil
        drain(cause: cause)
        if let span = host.takeAdvance() { advance(by: span, cause: cause) }
        let after = models[model.slot].id == model ? models[model.slot].seq : before
        outcome.caused = after > before ? (before + 1)...after : nil
        if let key = origin.key, isHere(model) {
            models[model.slot].awake().remember(key, outcome, most: limits.history)
        }
        guard let id = origin.id else { return }
        answer(origin.slot) { Line.sent(id, outcome, done, to: &$0) }
    }

    /// The flight that the answer, and what was said, has to wait for. There may be one also where
    /// nothing has changed: a key is to be known after a restart, and anything that is not on disk
    /// yet may be why nothing has changed. A draft need not tell what has changed, which may be
    /// taken back with what waits of it.
    @inline(__always)
    private func flightToAwait(_ origin: Origin, _ model: ModelID) -> Int? {
        let flight = flightToAwait()
        guard journal != nil, flight != held.next else { return flight }
        if isDurable(model) {
            if origin.key != nil { return held.next }
            return held.isEmpty ? nil : held.latest
        }
        guard held.concerns(model), isDraft(model) else { return flight }
        return max(flight ?? 0, held.flight(of: model))
    }
}
