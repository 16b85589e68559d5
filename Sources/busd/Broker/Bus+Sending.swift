import BusdProtocol

// `send` hands an event to a view model. Its answer follows all events that it caused, so the
// answer is a barrier. If the view model proposed an action, the `send` is pending, and it is
// concluded when the log has the action (Bus+Pending.swift).

extension Bus {
    private static let silentHouse = "the log of the house does not answer"

    /// Returns how the `send` ended; `nil`: it is pending, or postponed.
    @discardableResult
    mutating func send(
        _ send: Request.Send, _ id: Request.ID?, _ slot: ConnectionSlot
    ) throws(WireError) -> SendEnd? {
        let existing = model(at: send.to, for: slot)
        if let existing {
            let answer = roster.may(.send(send.event), existing, slot)
            if case .refused(let refusal) = answer { throw refusal.error(at: send.to) }
        } else if let refusal = roster.refusal(ofAnySendTo: send.to, slot) {
            throw refusal.error(at: send.to)
        }
        // Without a view model at the address, one is made, or the error suggests similar
        // addresses. Both take long.
        guard existing != nil || scheduler.affords(Cost.unknown) else {
            scheduler.postpone()
            return nil
        }
        if existing == nil, let error = reasonForUnknown(send.to) { throw error }
        let kind =
            if let existing { roster[existing].kind } else {
                try kindToMake(send.to, for: .send(send.event), slot)
            }
        let event = try kinds[kind].decode(send.event)
        let model = if let existing { existing } else { try checkedMake(kind, send, slot) }
        used(model, by: slot)

        if let key = send.key, answerDuplicate(key, of: model, id, slot) {
            return .duplicate
        }
        if let wanted = send.ifSeq { try checkSeq(wanted, of: model) }
        if let wanted = send.ifDone { try checkDone(wanted, done(of: model)) }
        return try handle(event, at: model, Origin(send, id, slot, roster[slot].number))
    }

    /// Answers a repeated `send`. Returns false if its key is not known.
    private mutating func answerDuplicate(
        _ key: String, of model: ModelID, _ id: Request.ID?, _ slot: ConnectionSlot
    ) -> Bool {
        guard let duplicate = duplicate(key, of: model, slot) else { return false }
        if let id { answer(slot, duplicate.answer(to: id)) }
        return true
    }

    /// The answer to an earlier `send` with the key; `nil`: the key is not known.
    private mutating func duplicate(
        _ key: String, of model: ModelID, _ slot: ConnectionSlot
    ) -> Duplicate? {
        if let known = roster[model].stream?.answer(to: key) {
            guard let made = known.made, let kind = known.madeKind, !finds(kind, at: made, slot)
            else { return .known(known) }
            return .known(SendReport(caused: known.caused, hasChanged: known.hasChanged))
        }
        let sendKey = SendKey(key, at: roster[model].address)
        return subject(of: model)?.knows(sendKey) == true ? .forgotten : nil
    }

    private enum Duplicate {
        /// The view model remembers the key and the outcome.
        case known(SendReport)
        /// The thing remembers the key, but the outcome is forgotten.
        case forgotten

        func answer(to id: Request.ID) -> Line.Writing {
            switch self {
            case .known(let outcome): { Line.sent(id, outcome, isDuplicate: true, to: &$0) }
            case .forgotten: { Line.answer(id, to: &$0) { $0.member("duplicate", true) } }
            }
        }
    }

    /// The thing or library that a `send` to the view model changes; `nil`: it changes nothing
    /// durable.
    private mutating func subject(of model: ModelID) -> Subject? {
        guard isDurable(model) || roster[model].traits.contains(.draft) else { return nil }
        wake(model)
        return host.subject(of: model)
    }

    /// Makes the view model that the `send` is for. Before it exists, its `seq` counts as 0, and
    /// every `ifDone` fails.
    private mutating func checkedMake(
        _ kind: KindID, _ send: Request.Send, _ slot: ConnectionSlot
    ) throws(WireError) -> ModelID {
        if let wanted = send.ifSeq, wanted != 0 {
            throw WireError(.stale, Self.notThereYet, seq: 0)
        }
        try checkDone(send.ifDone, nil)
        return try make(kind, at: send.to, for: slot)
    }

    private func checkSeq(_ wanted: SeqCondition, of model: ModelID) throws(WireError) {
        let seq = roster[model].seq
        guard !wanted.holds(at: cursor(of: model), seq: seq) else { return }
        let message =
            switch wanted {
            case .seq: "`seq` is now \(seq), not \(wanted)"
            case .cursor: "the cursor is now \(cursor(of: model)), not \(wanted)"
            }
        throw WireError(.stale, message, seq: seq)
    }

    // MARK: Handling

    /// A `send`, as far as it matters after its event was handled.
    struct Origin {
        let slot: ConnectionSlot
        /// The number of the connection: when the `send` is answered, another one may have the
        /// slot.
        let connection: Int
        let id: Request.ID?
        let key: String?
        /// It has `ifSeq` or `ifDone`.
        let isConditional: Bool
        /// It depends on `done`, and its answer reports it.
        let wantsDone: Bool
        /// An action was proposed, so the answer is written when the `send` is at the front of
        /// `Pending`. Any other answer is queued behind the pending sends of the connection.
        fileprivate(set) var isPending = false
        /// It has changed something, although the action in the log only keeps its key.
        fileprivate(set) var hasChanged = false
        /// The view model that counts `done`, if an action was proposed. It is noted beforehand,
        /// because the action may end the view model.
        fileprivate(set) var thing: ModelID?

        fileprivate init(
            _ send: Request.Send, _ id: Request.ID?, _ slot: ConnectionSlot, _ number: Int
        ) {
            self.slot = slot
            connection = number
            self.id = id
            key = send.key
            isConditional = send.ifSeq != nil || send.ifDone != nil
            wantsDone = send.ifDone != nil
        }
    }

    /// Hands the event to the view model, and concludes the `send`: at once, or, if an action was
    /// proposed, after the action has been applied.
    private mutating func handle(
        _ event: DecodedEvent, at model: ModelID, _ origin: Origin
    ) throws(WireError) -> SendEnd? {
        wake(model)
        let before = roster[model].seq
        let sender = Sender(
            connection: origin.connection, uid: roster[origin.slot].peer.uid)
        let cause = Cause(sender.connection, origin.id)
        watchRest(of: model)
        if roster[model].traits.contains(.draft) { spend(Cost.draft) }
        libraries.begin(context(of: origin, model))
        let handled: HandledEvent
        do throws(WireError) {
            handled = try host.handle(event, at: model, from: sender)
        } catch {
            _ = libraries.end()
            throw error
        }
        let result = libraries.end(keepsKey: handled.isDurable)
        switch result {
        case .nothing:
            return try conclude(
                origin, model, cause, handled.hasChanged ? .applied : .noEffect, seqBefore: before)
        case .settled(let outcome):
            return try conclude(origin, model, cause, outcome, seqBefore: before)
        case .pending(let number, let changesLibrary):
            var origin = origin
            origin.hasChanged = handled.hasChanged || !outbox.isEmpty
            drain(cause: cause)
            origin.isPending = true
            origin.thing = thing(of: model)
            noteHold(number)
            wait(
                Pending.Send(
                    number: number, origin: origin, model: model,
                    address: roster[model].address, cause: cause,
                    changesLibrary: changesLibrary))
            return nil
        }
    }

    /// Data of the `send` that the log entry of its action needs; `nil`: the entry needs none.
    private mutating func context(of origin: Origin, _ model: ModelID) -> SendContext? {
        guard origin.key != nil || origin.isConditional || !libraries.isVolatile else {
            return nil
        }
        let context = SendContext()
        context.name = roster[origin.slot].name
        context.uid = roster[origin.slot].peer.uid
        guard origin.key != nil || origin.isConditional else { return context }
        context.subject = subject(of: model)
        // The condition of a `send` to a creator concerns its draft, and was checked before.
        context.isConditional = origin.isConditional && isDurable(model)
        if context.subject != nil, let key = origin.key {
            context.key = SendKey(key, at: roster[model].address)
        }
        return context
    }

    /// Publishes the events that the `send` caused, then answers it.
    ///
    /// - Parameter seqBefore: `seq` of the view model before the `send` had any effect.
    /// - Throws: the error that answers the `send`. The outbox may still contain events then.
    mutating func conclude(
        _ origin: Origin, _ model: ModelID, _ cause: Cause?, _ result: SendOutcome, seqBefore: Int
    ) throws(WireError) -> SendEnd {
        switch result {
        case .refused:
            let log = greeting.house == nil ? "storage cannot write now" : Self.silentHouse
            throw WireError(.unavailable, "\(log): nothing has changed")
        case .uncertain:
            throw WireError(
                .uncertain,
                "\(Self.silentHouse): the event may have taken effect; send it again with the same key"
            )
        case .unreadable(let reason):
            throw WireError(
                .badEvent,
                "no restart could read this again, so nothing has changed: \(reason.text)",
                path: "event")
        case .stale:
            drain()
            let message = "another send has changed the thing first"
            throw origin.wantsDone
                ? WireError(.stale, message, done: done(of: model))
                : WireError(.stale, message, seq: roster[model].seq)
        case .duplicate:
            drain()
            guard let key = origin.key, let duplicate = duplicate(key, of: model, origin.slot),
                let id = origin.id
            else { return .duplicate }
            reply(to: origin, duplicate.answer(to: id))
            return .duplicate
        case .applied, .noEffect: break
        }
        let hasChanged = result == .applied || origin.hasChanged || !outbox.isEmpty
        let made = outbox.hasArrivals ? firstMade(by: origin) : nil
        if hasChanged { noteDone(origin.thing ?? thing(of: model)) }
        // Publishing may end the view model.
        let done = origin.wantsDone ? done(of: model) : nil
        drain(cause: cause)
        let after = roster[model].id == model ? roster[model].seq : seqBefore
        let outcome = SendReport(
            caused: after > seqBefore ? (seqBefore + 1)...after : nil, hasChanged: hasChanged,
            made: made?.address, of: made?.kind)
        if let key = origin.key, isHere(model) {
            roster.awake(model).remember(key, outcome, most: limits.history)
        }
        if let id = origin.id { reply(to: origin) { Line.sent(id, outcome, done, to: &$0) } }
        return hasChanged ? .changed : .unchanged
    }

    /// The first view model that the `send` will have created and its connection finds.
    private mutating func firstMade(by origin: Origin) -> Outbox.Arrival? {
        let isHere = isHere(origin)
        for arrival in outbox.arrivals
        where model(at: arrival.address) == nil
            && (!isHere || finds(arrival.kind, at: arrival.address, origin.slot))
        {
            return arrival
        }
        return nil
    }

    /// Answers a `send` if its connection is still there.
    private mutating func reply(to origin: Origin, _ write: Line.Writing) {
        guard isHere(origin) else { return }
        if origin.isPending {
            enqueue(.answer, to: origin.slot, write)
        } else {
            answer(origin.slot, write)
        }
    }

    func isHere(_ origin: Origin) -> Bool {
        roster.isHere(origin.slot, origin.connection)
    }
}
