import Protocol

/// What has happened and may not be seen yet, because it is not on disk.
struct Held {
    /// What was said while one input was handled, waiting for the commit that covers it.
    struct Update {
        var said = Outbox.Update()
        var cause: Cause?
        /// Who is answered afterwards.
        var owner: Owner?
        init(owner: Owner?) { self.owner = owner }
    }

    struct Owner {
        let slot: ConnectionSlot
        let number: Int
        let answer: Answer
    }

    enum Answer {
        /// Of a `send`; without an `id` there is none unless it fails.
        case send(Request.ID?, ModelID, key: String?, caused: ClosedRange<Int>?)
        /// What stands behind another answer.
        case line([UInt8])
    }

    /// What the commits under way cover, the oldest first.
    private(set) var flights: [Flight] = []
    /// What no commit under way covers, in the order in which it happened, which is the order in
    /// which it will be seen.
    private var grounded: [Update] = []
    /// Whether there is an update at all.
    private(set) var isEmpty = true
    private var models = HeldModels()
    /// The view models that end in an update that waits.
    private(set) var ending: Set<ModelID> = []

    struct Flight {
        var updates: [Update]
        /// The values of each view model after these updates, where it may be taken back, for those
        /// who join before the next. It is noted once a commit: who shows a list copies it when it
        /// changes next.
        fileprivate(set) var presents: [(ModelID, Present)]
    }

    func eventCount(of model: ModelID) -> Int { models[model]?.events ?? 0 }

    func concerns(_ model: ModelID) -> Bool {
        !isEmpty && (eventCount(of: model) > 0 || ending.contains(model))
    }

    /// The view models of which events wait.
    var speakers: [ModelID] { models.all.filter { $0.events > 0 }.map(\.model) }

    /// Whether something waits that is about the view model.
    func knows(_ model: ModelID) -> Bool { concerns(model) || models[model]?.hasKeys ?? false }

    func holds(_ key: String, of model: ModelID) -> Bool { models.holds(key, of: model) }

    mutating func append(_ update: Update) {
        note(update, isGrounded: true)
        grounded.append(update)
    }

    /// Puts what a view model says of a commit under way, or (`nil`) of the next one, before all
    /// else that it covers: who is answered has been shown it.
    mutating func insert(
        _ said: consuming Outbox.Update, into flight: Int?, _ present: (ModelID, Present)
    ) {
        var update = Update(owner: nil)
        update.said = said
        note(update, isGrounded: flight == nil)
        guard let flight else { return grounded.insert(update, at: 0) }
        flights[flight].updates.insert(update, at: 0)
        flights[flight].presents.append(present)
    }

    private mutating func note(_ update: borrowing Update, isGrounded: Bool) {
        isEmpty = false
        for place in update.said.entries.indices {
            switch update.said.entries[place] {
            case .said(let event): models.note(event.model, isGrounded: isGrounded)
            case .ended(let model): ending.insert(model)
            case .arrived: break
            }
        }
        if case .send(_, let model, let key?, _) = update.owner?.answer {
            models.note(key, of: model)
        }
    }

    /// Those of which events wait that no commit under way covers. Each is told once.
    mutating func takeGroundedModels() -> [ModelID] { models.takeGrounded() }

    /// A commit begins that covers all that is held and not covered yet.
    mutating func takeOff(_ presents: [(ModelID, Present)]) {
        flights.append(Flight(updates: grounded, presents: presents))
        grounded = []
    }

    /// Takes out what the oldest commit covered.
    mutating func land() -> Flight? {
        guard !flights.isEmpty else { return nil }
        let flight = flights.removeFirst()
        for place in flight.updates.indices { forget(flight.updates[place]) }
        isEmpty = grounded.isEmpty && flights.allSatisfy { $0.updates.isEmpty }
        return flight
    }

    private mutating func forget(_ update: borrowing Update) {
        for place in update.said.entries.indices {
            switch update.said.entries[place] {
            case .said(let event): models.forget(event.model)
            case .ended(let model): ending.remove(model)
            case .arrived: break
            }
        }
        if case .send(_, let model, let key?, _) = update.owner?.answer {
            models.forget(key, of: model)
        }
    }

    mutating func takeAll() -> [Update] {
        defer { self = Held() }
        return flights.flatMap(\.updates) + grounded
    }
}
