import BusdProtocol

// Performs requests. Each one is checked as a whole before it has any effect.
//
//     list                              Bus+Listing.swift
//     subscribe                         Bus+Subscriptions.swift, with a pattern Bus+Joining.swift
//     unsubscribe                       Bus+Leaving.swift
//     send                              Bus+Sending.swift
//     hello, describe, get, ping, help  here

extension Bus {
    mutating func perform(_ request: consuming Request, from slot: ConnectionSlot) {
        let id = request.id
        let operation = (consume request).operation
        do throws(WireError) {
            switch consume operation {
            case .hello(let name): hello(name, id, slot)
            case .list(let pattern): list(pattern, id, slot)
            case .describe(let subject): try describe(subject, id, slot)
            case .get(let address): try get(address, id, slot)
            case .subscribe(let subscribe): try self.subscribe(subscribe, id, slot)
            case .unsubscribe(let pattern): try unsubscribe(pattern, id, slot)
            case .send(let send): try perform(send, id, slot)
            case .ping: answer(id, slot) { _ in }
            case .help(let inWords): help(inWords, id, slot)
            }
        } catch {
            refuse(error, id, slot)
        }
    }

    mutating func answer(
        _ id: Request.ID?, _ slot: ConnectionSlot, _ ok: Line.Writing
    ) {
        answer(slot) { Line.answer(id, to: &$0, ok) }
    }

    mutating func refuse(_ error: WireError, _ id: Request.ID?, _ slot: ConnectionSlot) {
        answer(Line.refusal(error, id), slot)
    }

    // An answer is queued behind the pending sends of its connection, so answers keep the order of
    // the requests.

    mutating func answer(_ line: [UInt8], _ slot: ConnectionSlot) { answer(Text(line), slot) }

    mutating func answer(_ line: Text, _ slot: ConnectionSlot) {
        if pending.count(of: slot) > 0 {
            answerBehindPending(line.bytes, slot)
        } else if line.shares.isEmpty {
            enqueue(line, .answer, to: slot)
        } else {
            // The turn log would copy the shared parts, so the line goes to the backlog, behind the
            // lines of this turn.
            spend(line.length)
            queueTurn(of: slot)
            delivery.queue([(Text(line: line), .answer)], for: slot)
            charge(slot)
            awaitWritable(slot)
        }
    }

    mutating func answer(_ slot: ConnectionSlot, _ write: Line.Writing) {
        if pending.count(of: slot) == 0 {
            enqueue(.answer, to: slot, write)
        } else {
            answerBehindPending(Line.bytes(write), slot)
        }
    }

    // MARK: The bus

    private mutating func hello(_ name: String?, _ id: Request.ID?, _ slot: ConnectionSlot) {
        if name.map({ ExactText($0) }) != roster[slot].name.map({ ExactText($0) }) {
            roster.rename(slot, name)
            if !roster[slot].subscriptions.isEmpty { viewsChanged() }
        }
        let (connection, limits, greeting) = (roster[slot], limits, greeting)
        let maySeeStore = roster.maySeeStore(slot)
        answer(id, slot) { out in
            out.member("protocol", 1)
            out.member("server", greeting.server)
            out.member("connection", connection.number)
            out.member("access", connection.access.rawValue)
            out.member("durability", greeting.durability)
            if let house = greeting.house { out.member("house", house) }
            if maySeeStore, let state = greeting.state { out.member("state", state) }
            out.key("limits")
            limits.write(to: &out)
        }
    }

    private mutating func help(_ inWords: Bool, _ id: Request.ID?, _ slot: ConnectionSlot) {
        answer(id, slot) { out in
            out.key("ops")
            out.list { out in
                for (op, line) in inWords ? Words.examples : Request.examples {
                    out.object { out in
                        out.member("op", op)
                        out.key("example")
                        if inWords { out.value(line) } else { out.raw(line.utf8) }
                    }
                }
            }
        }
    }

    // MARK: View models

    private mutating func describe(
        _ subject: Address?, _ id: Request.ID?, _ slot: ConnectionSlot
    ) throws(WireError) {
        guard let subject else { return describeAll(id, slot) }
        guard let kind = kind(of: subject, for: slot) else {
            throw WireError(
                .unknownViewModel, "there is no view model and no kind \(subject)",
                suggestions: suggestions(for: subject.text, and: kindNames(for: slot), slot))
        }
        answer(Line.answer(id, kinds[kind].description().object), slot)
    }

    private mutating func describeAll(_ id: Request.ID?, _ slot: ConnectionSlot) {
        guard makeDescriptions() else { return scheduler.postpone() }
        let descriptions = kindNames(for: slot).compactMap { kinds.find($0) }
            .map { kinds[$0].description().object }
        answer(id, slot) { out in
            out.key("kinds")
            out.list { out in
                for description in descriptions { out.raw(description) }
            }
        }
    }

    /// Makes the descriptions of all kinds, or at least one more. Returns whether all are made; if
    /// not, the visit has cost enough.
    private mutating func makeDescriptions() -> Bool {
        while describedCount < kinds.registered.count {
            _ = kinds[kinds.registered[describedCount]].description()
            describedCount += 1
            spend(Cost.description)
            guard spent < scheduler.visitEnd else {
                return describedCount == kinds.registered.count
            }
        }
        return true
    }

    private func kindNames(for slot: ConnectionSlot) -> [String] {
        kinds.names.filter { name in
            kinds.find(name).map { finds($0, slot) } ?? false
        }
    }

    mutating func kind(of subject: Address, for slot: ConnectionSlot) -> KindID? {
        if let kind = kinds.find(subject.text), finds(kind, slot) { return kind }
        if let id = model(at: subject, for: slot) { return roster[id].kind }
        guard let kind = kinds.find(onDemand: subject), finds(kind, at: subject, slot) else {
            return nil
        }
        return kind
    }

    /// - Parameter address: of a view model of the kind; `nil`: the kind itself, which is hidden if
    ///   its only view model is.
    func finds(
        _ kind: KindID, at address: Address? = nil, _ slot: ConnectionSlot
    ) -> Bool {
        let address = address ?? kinds[kind].placement.onlyAddress
        return roster.may(.find, kinds[kind].traits, at: address, slot).isAllowed
    }

    private mutating func get(
        _ address: Address, _ id: Request.ID?, _ slot: ConnectionSlot
    ) throws(WireError) {
        let model = try find(address, makeFor: slot)
        used(model, by: slot)
        try checkRoom(toShow: model, slot)
        let snapshot = snapshot(of: model)
        let position = position(of: model)
        answer(Line.shown(id, address, position, snapshot), slot)
    }
}
