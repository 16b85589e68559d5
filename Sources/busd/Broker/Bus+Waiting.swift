import Protocol

// Few requests have to wait for the disk. Those behind a `send` of their own connection, so that
// they see its effect. And those that need to know what is not known yet: `ifSeq`, a `key` that is
// held, a durable view model of which nothing is on disk, or soon nothing will be. While one of
// these waits, no new durable `send` is handled before it, so that it waits for what is under way
// and one more at the most.

extension Bus {
    /// Whether a request has to wait for the disk.
    mutating func mustWait(_ request: Request, _ slot: ConnectionSlot) -> Bool {
        guard request.hasKey || !held.isEmpty else { return false }
        if case .send(let send) = request.operation, mustRecallKeys(for: send, slot) {
            return true
        }
        guard !held.isEmpty else { return false }
        switch request.operation {
        case .send(let send): return mustWait(send, slot)
        case .get(let address): return connections[slot].held > 0 || isUnsettled(address)
        case .subscribe(let subscribe):
            return connections[slot].held > 0 || mustWait(subscribe)
        default: return connections[slot].held > 0
        }
    }

    /// What a pattern matches is looked at when it is shown; but of what is about to end, nobody
    /// may have been told yet that it has come.
    private mutating func mustWait(_ subscribe: Request.Subscribe) -> Bool {
        if let address = subscribe.to.address { return isUnsettled(address) }
        return held.ending.contains {
            isHere($0) && subscribe.to.matches(models[$0.slot].address) && isUnsettled($0)
        }
    }

    private mutating func mustWait(_ send: Request.Send, _ slot: ConnectionSlot) -> Bool {
        guard let model = model(at: send.to) else {
            // The connection may have made it with the `send` before.
            return connections[slot].held > 0
        }
        let needsToKnow =
            isUnsettled(model) || send.ifSeq != nil && held.concerns(model)
            || send.key.map { held.holds($0, of: model) } ?? false
        if needsToKnow { someoneNeedsToKnow = true }
        return needsToKnow || someoneNeedsToKnow && isDurable(model)
    }

    private mutating func isUnsettled(_ address: Address) -> Bool {
        model(at: address).map { isUnsettled($0) } ?? false
    }

    /// It is durable, and would have to be made of what is not on disk.
    mutating func isUnsettled(_ model: ModelID) -> Bool {
        guard isDurable(model), !host.isAwake(model), let journal,
            !journal.isSettled(models[model.slot].address), !wakeAsOnDisk(model, journal)
        else { return false }
        someoneNeedsToKnow = true
        return true
    }

    /// Makes it of what is on disk. What that becomes with a commit under way it says at once, and
    /// is heard when that has landed, before anybody is answered. Returns false where that can't be
    /// had, or it is about to end.
    private mutating func wakeAsOnDisk(_ model: ModelID, _ journal: any Journal) -> Bool {
        guard !held.ending.contains(model) else { return false }
        let commit = journal.asOnDisk(models[model.slot].address) {
            spend(Cost.wake)
            _ = host.present(of: model)
            drain()
            notePresent(of: model)
        }
        guard let commit else { return false }
        if let said = outbox.take() {
            held.insert(said, into: commit, (model, host.present(of: model)))
        }
        return true
    }

    /// The line at the front is looked at again when something has come to disk.
    mutating func waitForDisk(_ slot: ConnectionSlot) {
        connections[slot].isWaiting = true
        waiters.append(slot)
    }

    // MARK: Keys that are on disk alone

    /// Whether they are being read, as the first is sent to that view model.
    private mutating func mustRecallKeys(
        for send: Request.Send, _ slot: ConnectionSlot
    ) -> Bool {
        guard send.key != nil, let journal, connections[slot].access == .control,
            let model = model(at: send.to), !knowsOldKeys(of: model)
        else { return false }
        switch journal.recallKeys(of: models[model.slot].address) {
        case .underWay: return true
        case .failed: return false
        case .keys(let keys):
            models[model.slot].awake().recall(keys, most: limits.history)
            return false
        }
    }

    /// There are none of a view model that has come since the daemon started, and never slept.
    func knowsOldKeys(of model: ModelID) -> Bool {
        journal == nil || !isDurable(model)
            || models[model.slot].number > lastOldModel && !models[model.slot].hasKeysOnDisk
            || models[model.slot].stream?.hasRecalledKeys ?? false
    }
}
