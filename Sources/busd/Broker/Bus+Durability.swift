import BusdProtocol

// What is durable is on disk before anybody sees it.
//
// A `send` is handled at once, and what it changed goes to disk with the next commit. Until then
// the update and its answer are held: no event of it has its number yet, and whoever joins is told
// the values that are on disk. Updates are seen in the order in which they happened; those that
// change nothing durable pass by, unless they are of a view model of which something is held: then
// they wait for the commit that has the last of that, and for no later one.
//
// While one commit is being written, the next ones wait for its end beside the disk, so that the
// disk is never idle while the loop tells of the first.

extension Bus {
    func isDurable(_ model: ModelID) -> Bool { host.isDurable(models[model.slot].kind) }

    func isDraft(_ model: ModelID) -> Bool { host.isDraft(models[model.slot].kind) }

    /// Something waits for the disk.
    package var isHolding: Bool { !held.isEmpty }

    // MARK: Holding

    /// The flight that what has just been said has to wait for; `nil` where it may be seen at once.
    /// Inlined, because it is asked for each `send`, and would be asked of a copy of the bus.
    @inline(__always)
    func flightToAwait() -> Int? {
        guard let journal else { return nil }
        if journal.takeChanged() { return held.next }
        return held.isEmpty ? nil : held.flight(of: outbox.entries)
    }

    /// Holds what has just been said.
    mutating func hold(cause: Cause?, for flight: Int) {
        hold(cause, nil, for: flight)
    }

    /// Holds what has just been said, and the answer to the `send` that caused it.
    mutating func hold(
        cause: Cause?, after seq: Int, _ origin: Origin, _ model: ModelID, _ outcome: Outcome,
        _ thing: ModelID?, for flight: Int
    ) {
        var (last, outcome) = (seq, outcome)
        for case .said(let event) in outbox.entries where event.model == model { last += 1 }
        outcome.caused = last > seq ? (seq + 1)...last : nil
        let sent = Held.Sent(
            id: origin.id, model: model, key: origin.key, outcome: outcome, thing: thing,
            wantsDone: origin.wantsDone)
        if let key = origin.key, isDurable(model) {
            journal?.remember(key: key, of: models[model.slot].address, answer: outcome.kept)
        }
        let owner = Held.Owner(
            slot: origin.slot, number: connections[origin.slot].number, answer: .send(sent))
        let isSilent = outcome.caused == nil && isDraft(model)
        hold(cause, owner, silent: isSilent ? model : nil, for: flight)
    }

    /// Holds a line behind what the connection waits for.
    mutating func hold(_ line: [UInt8], for slot: ConnectionSlot) {
        let owner = Held.Owner(
            slot: slot, number: connections[slot].number, answer: .line(line))
        connections[slot].held += 1
        held.append(Held.Update(owner: owner), for: 0)
    }

    private mutating func hold(
        _ cause: Cause?, _ owner: Held.Owner?, silent: ModelID? = nil, for flight: Int
    ) {
        if let owner { connections[owner.slot].held += 1 }
        let flight = held.append(
            Held.Update(outbox.take(), cause: cause, owner: owner, silent: silent), for: flight)
        if let covered = held.last(of: flight) { keepPresents(after: covered) }
    }

    /// A commit is under way that covers the update. Who joins after it is told these values.
    private mutating func keepPresents(after update: borrowing Held.Update) {
        for place in update.said.entries.indices {
            guard case .said(let event) = update.said.entries[place], !event.hasMore else {
                continue
            }
            keepPresent(of: event.model)
        }
        if let model = update.silent { keepPresent(of: model) }
    }

    private mutating func keepPresent(of model: ModelID) {
        guard isHere(model), canGoBack(model) else { return }
        held.note(host.present(of: model), of: model)
    }

    // MARK: Committing

    /// Commits under way. Each has the values of its view models with it.
    private static let mostFlights = 4

    /// At the end of a turn: all that has changed goes to disk as one.
    mutating func commitChanges() {
        handOver()
        // What has changed nothing waits for nothing but what is before it.
        guard let journal, held.flights.isEmpty, !held.isEmpty, !journal.hasChanges else { return }
        takeOff()
        land()
        lookAgain()
    }

    private mutating func handOver() {
        guard let journal, held.flights.count < Self.mostFlights, journal.hasChanges else { return }
        takeOff()
        journal.commit()
    }

    private mutating func takeOff() {
        var presents: [(ModelID, Present)] = []
        for model in held.groundedModels where isHere(model) && canGoBack(model) {
            presents.append((model, host.present(of: model)))
        }
        held.takeOff(presents)
    }

    /// The commit that began first is done: what it covered is seen, or, where it failed, has never
    /// been, and neither has what came after it.
    package mutating func committed(successfully isDone: Bool) {
        guard !held.flights.isEmpty else { return }
        if isDone { land() } else { takeBack() }
        commitChanges()
        lookAgain()
    }

    /// At the lines that wait.
    private mutating func lookAgain() {
        for slot in waiters where isHere(slot) && connections[slot].isWaiting { goOn(slot) }
        waiters = []
    }

    private mutating func goOn(_ slot: ConnectionSlot) {
        connections[slot].isWaiting = false
        makeRunnable(slot)
    }

    /// What the commit covered is told, while the next one is being written.
    private mutating func land() {
        guard var flight = held.land() else { return }
        handOver()
        for place in flight.updates.indices {
            let said = flight.updates[place].takeSaid()
            if let thing = flight.updates[place].owner?.answer.thing { noteDone(thing) }
            publish(said, cause: flight.updates[place].cause)
            outbox.giveBack(said)
            if let owner = flight.updates[place].owner { release(owner) }
        }
        for (model, present) in flight.presents where isHere(model) { note(present, of: model) }
    }

    private mutating func release(_ owner: Held.Owner) {
        if case .send(let sent) = owner.answer, let key = sent.key, isHere(sent.model) {
            models[sent.model.slot].awake().remember(key, sent.outcome, most: limits.history)
        }
        guard unhold(owner) else { return }
        switch owner.answer {
        case .line(let line): say(line, .answer, to: owner.slot)
        case .send(let sent):
            guard let id = sent.id else { return }
            let isHere = sent.wantsDone && isHere(sent.model)
            let done = isHere ? done(of: sent.model) : nil
            say(.answer, to: owner.slot) { Line.sent(id, sent.outcome, done, to: &$0) }
        }
    }

    /// Returns whether the connection is still there.
    private mutating func unhold(_ owner: Held.Owner) -> Bool {
        guard isHere(owner.slot), connections[owner.slot].number == owner.number else {
            return false
        }
        connections[owner.slot].held -= 1
        if connections[owner.slot].held == 0 { goOn(owner.slot) }
        return true
    }

    /// Nothing of what is held has happened: view models say what is on disk again, which is what
    /// views have been shown all the time.
    private mutating func takeBack() {
        if let journal { host.takeBack(journal.rollBack) }
        _ = journal?.takeChanged()
        let ending = held.ending
        for model in held.concerned where isHere(model) {
            if let shown = models[model.slot].stream?.present { host.takeBack(model, to: shown) }
        }
        forget(outbox.take())
        // Flights are counted anew.
        awaitedFlight = 0
        overtaken = [:]
        for update in held.takeAll() {
            forget(update.said)
            guard let owner = update.owner, unhold(owner) else { continue }
            switch owner.answer {
            case .line(let line): say(line, .answer, to: owner.slot)
            case .send(let sent):
                let error = WireError(.unavailable, "storage cannot write now: nothing has changed")
                say(Line.refusal(error, sent.id), .answer, to: owner.slot)
            }
        }
        for model in ending where isHere(model) {
            if models[model.slot].isOnDemand {
                // The bus ended it, and its end does not depend on the commit.
                outbox.append(ended: model)
            } else if !models[model.slot].members.isEmpty {
                // The end is taken back: its views are still there.
                wake(model)
            }
        }
    }

    /// View models that nobody has been told of have never been.
    private func forget(_ update: Outbox.Update?) {
        for case .ended(let model) in update?.entries ?? [] where !isHere(model) {
            host.released(model)
        }
    }

    /// Keys have been read, or could not be.
    package mutating func recalled() { lookAgain() }

    // MARK: The values on disk

    private func canGoBack(_ model: ModelID) -> Bool { isDurable(model) || isDraft(model) }

    /// Keeps the values of a view model while they are those on disk, or of a draft those before
    /// what waits. Where it has said nothing since the last time, they are the same, unless it is a
    /// draft.
    mutating func notePresent(of model: ModelID) {
        guard journal != nil, canGoBack(model), !held.concerns(model),
            models[model.slot].stream?.hasNotedPresent != true || isDraft(model)
        else { return }
        guard host.isAwake(model) else { return wake(model) }
        note(host.present(of: model), of: model)
    }

    mutating func note(_ present: Present, of model: ModelID) {
        models[model.slot].awake().notePresent(present)
        watchRest(of: model)
    }

    /// Of those who have said something that everybody has seen.
    mutating func notePresents(after update: borrowing Outbox.Update) {
        for place in update.entries.indices {
            guard case .said(let event) = update.entries[place], isHere(event.model) else {
                continue
            }
            notePresent(of: event.model)
        }
    }
}
