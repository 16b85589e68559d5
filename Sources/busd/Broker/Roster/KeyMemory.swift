import BusdProtocol

/// The keys of the last `send`s that a view model has accepted, with their outcomes, so that a
/// retry has no effect (docs/protocol.md, section 3).
///
/// There are two tables. When the newer one is full, the older one is forgotten as a whole:
/// removing one key for each `send` would be slower. Each key has a number, and numbers up to
/// `lastForgotten` count as forgotten, although the tables may still hold them.
struct KeyMemory {
    private struct Answer {
        let number: Int
        let outcome: SendReport
    }

    private typealias Table = [ExactText: Answer]

    private var newer: Table = [:]
    private var older: Table = [:]
    /// The number of the newest key.
    private var count = 0
    /// Keys up to this number are forgotten.
    private var lastForgotten = 0

    /// The outcome of the `send` with the key; `nil`: the key is not known.
    func answer(to key: String) -> SendReport? {
        let key = ExactText(key)
        guard let answer = newer[key] ?? older[key], answer.number > lastForgotten else {
            return nil
        }
        return answer.outcome
    }

    /// Keeps an outcome, and forgets all but the last `most` keys. Does nothing if the key is
    /// known.
    mutating func remember(_ key: String, _ outcome: SendReport, most: Int) {
        let key = ExactText(key)
        if newer.count >= most { forgetOlderTable() }
        if let known = older[key], known.number > lastForgotten { return }
        if let known = newer.updateValue(Answer(number: count + 1, outcome: outcome), forKey: key) {
            newer[key] = known
            return
        }
        size += Self.size(of: key)
        count += 1
        lastForgotten = max(lastForgotten, count - most)
    }

    private mutating func forgetOlderTable() {
        for key in older.keys { size -= Self.size(of: key) }
        older.removeAll(keepingCapacity: true)
        swap(&older, &newer)
    }

    // MARK: Memory

    /// Estimated bytes of memory.
    private(set) var size = 0

    private static func size(of key: ExactText) -> Int { 160 + key.length }

    mutating func forgetOlderHalf() {
        lastForgotten += (count - lastForgotten) / 2
        let kept = older.merging(newer) { $1 }.filter { $1.number > lastForgotten }
        (newer, older) = (kept, [:])
        size = kept.keys.reduce(0) { $0 + Self.size(of: $1) }
    }
}
