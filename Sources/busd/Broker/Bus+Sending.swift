import Protocol

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
                return answerSend(id, slot, caused: answer, isDuplicate: true)
            }
        }
        try Self.checkSeq(send.ifSeq, models[model.slot].seq)
        try handle(event, at: model, Origin(slot: slot, id: id, key: send.key))
    }

    /// A view model that is yet to be made stands at 0.
    private mutating func checkedMake(
        _ send: Request.Send, _ slot: ConnectionSlot
    ) throws(WireError) -> ModelID {
        try Self.checkSeq(send.ifSeq, 0)
        return try make(send.to, for: slot)
    }

    private static func checkSeq(_ wanted: Int?, _ seq: Int) throws(WireError) {
        if let wanted, wanted != seq {
            throw WireError(.stale, "the view model stands at \(seq), not at \(wanted)", seq: seq)
        }
    }

    // MARK: Handling

    private struct Origin {
        let slot: ConnectionSlot
        let id: Request.ID?
        let key: String?
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
        if let refusal = host.handle(event, at: model, from: sender) {
            throw WireError(refusal.code, refusal.message)
        }
        if let flight = flightToAwait(origin, model) {
            return hold(
                cause: cause, after: before, origin.slot, origin.id, model, origin.key, for: flight)
        }
        drain(cause: cause)
        if let span = host.takeAdvance() { advance(by: span, cause: cause) }
        let after = models[model.slot].id == model ? models[model.slot].seq : before
        let caused = after > before ? (before + 1)...after : nil
        if let key = origin.key, isHere(model) {
            models[model.slot].awake().remember(key, caused, most: limits.history)
        }
        answerSend(origin.id, origin.slot, caused: caused, isDuplicate: false)
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

    mutating func answerSend(
        _ id: Request.ID?, _ slot: ConnectionSlot, caused: ClosedRange<Int>?, isDuplicate: Bool
    ) {
        guard let id else { return }
        answer(slot) { Line.sent(id, caused, isDuplicate: isDuplicate, to: &$0) }
    }
}
