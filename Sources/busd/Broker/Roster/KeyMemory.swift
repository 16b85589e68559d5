import BusdProtocol

/// The keys of the last `send`s that a view model has accepted, and what was answered, so that a
/// retry has no effect (PROTOCOL.md, section 3).
///
/// They are gathered in two tables, of which the older one is forgotten as a whole when the newer
/// one is full: to take the oldest out for each that comes was 2 % of a durable `send`.
struct KeyMemory {
    private struct Answer {
        let number: Int
        let outcome: SendReport
    }

    private typealias Table = [ExactText: Answer]

    private var newer: Table = [:]
    private var older: Table = [:]
    /// How many there have been.
    private var count = 0
    /// Those that are known have later numbers.
    private var lastForgotten = 0

    /// What the `send` with that key was answered; `nil` where the key is not known.
    func answer(to key: String) -> SendReport? {
        let key = ExactText(key)
        guard let answer = newer[key] ?? older[key], answer.number > lastForgotten else {
            return nil
        }
        return answer.outcome
    }

    /// Does nothing where the key is known, and forgets all but the last `most`.
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

    /// Bytes that it takes, about.
    private(set) var size = 0

    private static func size(of key: ExactText) -> Int { 160 + key.length }

    mutating func forgetOlderHalf() {
        lastForgotten += (count - lastForgotten) / 2
        let kept = older.merging(newer) { $1 }.filter { $1.number > lastForgotten }
        (newer, older) = (kept, [:])
        size = kept.keys.reduce(0) { $0 + Self.size(of: $1) }
    }
}
