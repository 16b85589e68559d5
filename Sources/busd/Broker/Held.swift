import BusdProtocol

/// What has happened and may not be seen yet, because it is not on disk.
///
/// A commit is a flight, and has a number: they are counted as they begin, and land in that order.
/// What waits for one whose number is not above `landed` waits no more.
struct Held {
    /// What was said while one input was handled, waiting for the commit that covers it.
    struct Update {
        private(set) var said: Outbox.Update
        let cause: Cause?
        /// Who is answered afterwards.
        let owner: Owner?
        /// A draft that has changed and told nobody.
        let silent: ModelID?

        init(
            _ said: consuming Outbox.Update? = nil, cause: Cause? = nil, owner: Owner? = nil,
            silent: ModelID? = nil
        ) {
            self.said = said ?? Outbox.Update()
            self.cause = cause
            self.owner = owner
            self.silent = silent
        }

        mutating func takeSaid() -> Outbox.Update {
            var taken = Outbox.Update()
            swap(&said, &taken)
            return taken
        }

        /// To tell of a view model that comes takes as long as to tell of a `send`.
        fileprivate var weight: Int { 1 + said.arrivals.count }
        fileprivate var size: Int { 256 + said.size }
    }

    struct Owner {
        let slot: ConnectionSlot
        let number: Int
        let answer: Answer
    }

    enum Answer {
        case send(Sent)
        /// What stands behind another answer.
        case line([UInt8])

        /// The thing to which something was done.
        var thing: ModelID? { if case .send(let sent) = self { sent.thing } else { nil } }
    }

    /// A `send` that has been handled.
    struct Sent {
        /// Without it there is no answer unless the commit fails.
        let id: Request.ID?
        let model: ModelID
        let key: String?
        let outcome: Outcome
        /// Of the view model; `nil` if the `send` had no effect.
        let thing: ModelID?
        let wantsDone: Bool
    }

    /// What is held of one connection, and bytes of all, after which a `send` waits. The one is as
    /// much as two turns handle of a connection; of the other some thousand moves have room.
    static let mostOfOne = 2 * Limits.turnRequests
    private static let mostBytes = 1 << 20

    /// What the commits under way cover, the oldest first.
    private(set) var flights: [Flight] = []
    /// What no commit under way covers, in the order in which it happened, which is the order in
    /// which it will be seen.
    private var grounded: [Update] = []
    private var models = HeldModels()
    /// The flight that has the last update of all.
    private(set) var latest = 0
    /// For each slot what is held of the connection that had it last.
    private var shares: [Share] = []

    /// Bytes of all updates, about.
    private var size = 0
    /// A `send` waits for something to land.
    var isFull: Bool { size >= Self.mostBytes }

    private struct Share {
        var connection = 0
        /// The flight that its last answer has waited for.
        var lastAnswer = 0
        var weight = 0
    }

    struct Flight {
        var updates: [Update]
        /// The values of each view model after these updates, where it may be taken back, for those
        /// who join before the next. It is noted once a commit: who shows a list copies it when it
        /// changes next.
        fileprivate(set) var presents: [(ModelID, Present)]
    }

    /// The last flight that has landed.
    var landed: Int { models.landed }

    /// The number of the flight that will have what no commit under way covers.
    var next: Int { landed + flights.count + 1 }

    /// Whether there is no update at all.
    var isEmpty: Bool { latest <= landed }

    func eventCount(of model: ModelID) -> Int { models[model]?.events ?? 0 }

    /// Whether there is an update that is about the view model.
    func concerns(_ model: ModelID) -> Bool { !isEmpty && models.flight(of: model) > landed }

    /// The flight that has the last update about the view model.
    func flight(of model: ModelID) -> Int { models.flight(of: model) }

    /// That which has the last about any of those that these are about; `nil` where there is none.
    func flight(of entries: [Outbox.Entry]) -> Int? {
        var last = landed
        for entry in entries { last = max(last, models.flight(of: entry.model)) }
        return last > landed ? last : nil
    }

    /// The view models that updates are about.
    var concerned: [ModelID] { models.all.filter { $0.flight > landed }.map(\.model) }

    func isEnding(_ model: ModelID) -> Bool { models[model]?.isEnding ?? false }

    /// The view models that end in an update that waits.
    var ending: [ModelID] { models.all.filter(\.isEnding).map(\.model) }

    /// Whether something waits that is about the view model.
    func knows(_ model: ModelID) -> Bool { concerns(model) || models[model]?.hasKeys ?? false }

    /// The flight that has the last effect of a `send` to the thing; `nil` where none waits.
    func lastEffect(on thing: ModelID) -> Int? { isEmpty ? nil : models.lastEffect(on: thing) }

    func holds(_ key: String, of model: ModelID) -> Bool { models.holds(key, of: model) }

    // MARK: Updates

    /// Adds an update that waits for that flight, or for a later one where its connection is
    /// answered there before. Returns for which.
    @discardableResult
    mutating func append(_ update: consuming Update, for flight: Int) -> Int {
        var flight = max(flight, landed + 1)
        if let owner = update.owner { flight = max(flight, lastAnswer(to: owner)) }
        note(update, flight)
        if flight < next {
            flights[flight - landed - 1].updates.append(consume update)
        } else {
            grounded.append(consume update)
        }
        return flight
    }

    /// The last update that a commit under way covers; `nil` where it has not begun.
    func last(of flight: Int) -> Update? {
        flight < next ? flights[flight - landed - 1].updates.last : nil
    }

    /// Puts what a view model says of a commit under way, or (`nil`) of the next one, before all
    /// else that it covers: who is answered has been shown it.
    mutating func insert(
        _ said: consuming Outbox.Update, into commit: Int?, _ present: (ModelID, Present)
    ) {
        let update = Update(said)
        note(update, commit.map { landed + 1 + $0 } ?? next)
        guard let commit else { return grounded.insert(update, at: 0) }
        flights[commit].updates.insert(update, at: 0)
        add(present, to: commit)
    }

    private func lastAnswer(to owner: Owner) -> Int {
        hasShare(owner.slot, owner.number) ? shares[owner.slot].lastAnswer : 0
    }

    private func hasShare(_ slot: ConnectionSlot, _ connection: Int) -> Bool {
        slot < shares.count && shares[slot].connection == connection
    }

    /// What is held of a connection weighs so much that its next `send` waits.
    func isFull(of slot: ConnectionSlot, _ connection: Int) -> Bool {
        hasShare(slot, connection) && shares[slot].weight >= Self.mostOfOne
    }

    private mutating func note(_ update: borrowing Update, _ flight: Int) {
        latest = max(latest, flight)
        size += update.size
        for place in update.said.entries.indices {
            switch update.said.entries[place] {
            case .said(let event): models.noteEvent(of: event.model, flight)
            case .ended(let model): models.noteEnd(of: model, flight)
            case .arrived: break
            }
        }
        if let model = update.silent { models.noteChange(of: model, flight) }
        guard let owner = update.owner else { return }
        while shares.count <= owner.slot { shares.append(Share()) }
        if shares[owner.slot].connection != owner.number { shares[owner.slot].weight = 0 }
        shares[owner.slot].connection = owner.number
        shares[owner.slot].lastAnswer = flight
        shares[owner.slot].weight += update.weight
        guard case .send(let sent) = owner.answer else { return }
        if let key = sent.key { models.note(key, of: sent.model) }
        if let thing = sent.thing { models.noteEffect(on: thing, flight) }
    }

    // MARK: Flights

    /// Those of which updates wait that no commit under way covers, and which go on after them.
    var groundedModels: [ModelID] {
        let next = next
        return models.all.filter { $0.flight == next && !$0.isEnding }.map(\.model)
    }

    /// A commit begins that covers all that is held and not covered yet.
    mutating func takeOff(_ presents: [(ModelID, Present)]) {
        flights.append(Flight(updates: grounded, presents: presents))
        grounded = []
        for place in presents.indices { models.setPresent(place, of: presents[place].0) }
    }

    /// Keeps the values of a view model after its last update, which a commit under way covers.
    mutating func note(_ present: Present, of model: ModelID) {
        let commit = models.flight(of: model) - landed - 1
        guard flights.indices.contains(commit) else { return }
        if let place = models.present(of: model) {
            flights[commit].presents[place].1 = present
        } else {
            add((model, present), to: commit)
        }
    }

    private mutating func add(_ present: (ModelID, Present), to commit: Int) {
        if models.flight(of: present.0) == landed + 1 + commit {
            models.setPresent(flights[commit].presents.count, of: present.0)
        }
        flights[commit].presents.append(present)
    }

    /// Takes out what the oldest commit covered.
    mutating func land() -> Flight? {
        guard !flights.isEmpty else { return nil }
        let flight = flights.removeFirst()
        models.land()
        for place in flight.updates.indices { forget(flight.updates, at: place) }
        return flight
    }

    private mutating func forget(_ updates: [Update], at place: Int) {
        size -= updates[place].size
        if let owner = updates[place].owner {
            if hasShare(owner.slot, owner.number) {
                shares[owner.slot].weight -= updates[place].weight
            }
            if case .send(let sent) = owner.answer {
                if let key = sent.key { models.forget(key, of: sent.model) }
                if let thing = sent.thing { models.forgetEffect(on: thing) }
            }
        }
        for entry in updates[place].said.entries {
            switch entry {
            case .said(let event): models.forgetEvent(of: event.model)
            case .ended(let model): models.forgetEnd(of: model)
            case .arrived: break
            }
        }
        if let model = updates[place].silent { models.forgetChange(of: model) }
    }

    mutating func takeAll() -> [Update] {
        defer { self = Held() }
        return flights.flatMap(\.updates) + grounded
    }
}
