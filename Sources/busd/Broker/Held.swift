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

    /// In the order in which they happened, which is the order in which they will be seen.
    private(set) var updates: [Update] = []
    /// What the commits under way cover, the oldest first.
    private(set) var flights: [Flight] = []
    /// How many events of each view model wait.
    private var events: [ModelID: Int] = [:]
    /// The view models that end in an update that waits.
    private(set) var ending: Set<ModelID> = []
    private var keys: [ModelID: Set<[UInt8]>] = [:]

    struct Flight {
        /// Behind those of the flight before it.
        let updateCount: Int
        /// The values of each durable view model after these updates, for those who join before
        /// the next. It is noted once a commit: who shows a list copies it when it changes next.
        let presents: [(ModelID, Present)]
    }

    var isEmpty: Bool { updates.isEmpty }

    func eventCount(of model: ModelID) -> Int { events[model] ?? 0 }

    func concerns(_ model: ModelID) -> Bool { events[model] != nil || ending.contains(model) }

    /// The view models of which events wait.
    var models: some Collection<ModelID> { events.keys }

    /// Those of which events wait that no commit under way covers.
    var groundedModels: Set<ModelID> {
        var models: Set<ModelID> = []
        for update in grounded {
            for case .said(let event) in update.said.entries { models.insert(event.model) }
        }
        return models
    }

    /// Whether something waits that is about the view model.
    func knows(_ model: ModelID) -> Bool { concerns(model) || keys[model] != nil }

    func holds(_ key: String, of model: ModelID) -> Bool {
        keys[model]?.contains(Array(key.utf8)) ?? false
    }

    mutating func append(_ update: Update) {
        updates.append(update)
        for entry in update.said.entries {
            switch entry {
            case .said(let event): events[event.model, default: 0] += 1
            case .ended(let model): ending.insert(model)
            case .arrived: break
            }
        }
        if case .send(_, let model, let key?, _) = update.owner?.answer {
            keys[model, default: []].insert(Array(key.utf8))
        }
    }

    /// What no commit under way covers.
    var grounded: ArraySlice<Update> {
        updates.dropFirst(flights.reduce(0) { $0 + $1.updateCount })
    }

    /// A commit begins that covers all that is held and not covered yet.
    mutating func takeOff(_ presents: [(ModelID, Present)]) {
        flights.append(Flight(updateCount: grounded.count, presents: presents))
    }

    /// Takes out what the oldest commit covered.
    mutating func land() -> (updates: [Update], presents: [(ModelID, Present)]) {
        guard !flights.isEmpty else { return ([], []) }
        let flight = flights.removeFirst()
        let landed = Array(updates.prefix(flight.updateCount))
        updates.removeFirst(landed.count)
        for update in landed { forget(update) }
        return (landed, flight.presents)
    }

    private mutating func forget(_ update: Update) {
        for entry in update.said.entries {
            switch entry {
            case .said(let event):
                let count = eventCount(of: event.model) - 1
                events[event.model] = count > 0 ? count : nil
            case .ended(let model): ending.remove(model)
            case .arrived: break
            }
        }
        if case .send(_, let model, let key?, _) = update.owner?.answer {
            keys[model]?.remove(Array(key.utf8))
            if keys[model]?.isEmpty ?? false { keys[model] = nil }
        }
    }

    mutating func takeAll() -> [Update] {
        defer { self = Held() }
        return updates
    }
}
