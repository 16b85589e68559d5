import BusdProtocol

// Few requests have to wait for the disk. Those behind a `send` of their own connection, so that
// they see its effect. And each `send` that needs to know what is not known yet: with `ifSeq` or
// `ifDone`, with a `key` that is held, or to what is about to end. Until the commit that it waits
// for has landed, no new `send` to what is durable is handled before it. What is made out of drafts
// meanwhile may overtake it; when it has done so a few times, the others wait no more.
//
// What is held is bounded, too, or a disk that stands still for seconds would fill the memory, and
// what it has held up would keep the loop busy when it goes on: who has many sends held waits for
// some to land, and so do all where it is much in all.

extension Bus {
    /// Whether a request has to wait for the disk.
    mutating func mustWait(_ request: Request, _ slot: ConnectionSlot) -> Bool {
        if held.isEmpty { stopWaiting(slot) }
        guard request.hasKey || !held.isEmpty else { return false }
        if case .send(let send) = request.operation, mustRecallKeys(for: send, slot) {
            return true
        }
        guard !held.isEmpty else { return false }
        if case .send(let send) = request.operation {
            return held.isFull(of: slot, connections[slot].number) || mustWait(send, slot)
        }
        return connections[slot].held > 0
    }

    private mutating func mustWait(_ send: Request.Send, _ slot: ConnectionSlot) -> Bool {
        guard let model = model(at: send.to) else {
            // The connection may have made it with the `send` before.
            return connections[slot].held > 0
        }
        // One that sleeps may have something to say of what is held.
        if send.ifSeq != nil { wake(model) }
        let lastEffect = send.ifDone == nil ? nil : held.lastEffect(on: thing(of: model))
        let needsToKnow =
            held.isEnding(model) || send.ifSeq != nil && held.concerns(model) || lastEffect != nil
            || send.key.map { held.holds($0, of: model) } ?? false
        if needsToKnow {
            letOthersWait(for: max(held.flight(of: model), lastEffect ?? 0), slot)
        } else {
            stopWaiting(slot)
        }
        let mayPass = held.landed >= awaitedFlight && !held.isFull
        return needsToKnow || !mayPass && (isDurable(model) || held.concerns(model))
    }

    private mutating func letOthersWait(for flight: Int, _ slot: ConnectionSlot) {
        var waiting = overtaken[slot] ?? Overtaken(awaited: 0, times: -1)
        guard held.landed >= waiting.awaited, waiting.times < 3 else { return }
        waiting.times += 1
        waiting.awaited = flight
        overtaken[slot] = waiting
        awaitedFlight = max(awaitedFlight, flight)
    }

    /// Nobody waits for its line any more.
    mutating func stopWaiting(_ slot: ConnectionSlot) {
        if !overtaken.isEmpty { overtaken[slot] = nil }
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

/// A line that needs to know how a commit ends, and for which others wait.
struct Overtaken {
    /// The flight that it has waited for last.
    var awaited: Int
    /// How often that has become a later one.
    var times: Int
}
