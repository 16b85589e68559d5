import Protocol

/// What has happened and may not be seen yet, because it is not on disk.
struct Held {
    /// What was said while one input was handled, waiting for the commit that covers it.
    struct Update {
        var said = Outbox.Update()
        var cause: Cause?
        /// Who is answered afterwards.
        var owner: Owner?
        /// The values of each durable view model after this update, for those who join before the
        /// next.
        var presents: [ModelID: Present] = [:]

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
    /// How many of the updates the commit under way covers; `nil` while there is none.
    var flying: Int?
    /// How many events of each view model wait.
    private var events: [ModelID: Int] = [:]
    /// The view models that end in an update that waits.
    private(set) var ending: Set<ModelID> = []
    private var keys: [ModelID: Set<[UInt8]>] = [:]

    var isEmpty: Bool { updates.isEmpty }

    func eventCount(of model: ModelID) -> Int { events[model] ?? 0 }

    func concerns(_ model: ModelID) -> Bool { events[model] != nil || ending.contains(model) }

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

    /// Takes out the updates that the commit covered.
    mutating func takeFlying() -> [Update] {
        let covered = Array(updates.prefix(flying ?? 0))
        let rest = updates.dropFirst(covered.count)
        self = Held()
        for update in rest { append(update) }
        return covered
    }

    mutating func takeAll() -> [Update] {
        defer { self = Held() }
        return updates
    }
}
