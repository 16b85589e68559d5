import BusdProtocol

// What is kept of all view models for views that come back (their last events) and for clients that
// try again (their last keys) is bounded by `historyTotal`. Beyond it those of which most is kept
// forget the older half: first of the events, because who comes back later is told a snapshot
// instead; then of the keys, where they are not on disk anyway.

extension Bus {
    /// So that many forget at once, and need not be looked for in each turn.
    private var historyGoal: Int { limits.historyTotal / 8 * 7 }

    /// At the end of a turn.
    mutating func forgetHistories() {
        guard historyBytes.bytes > limits.historyTotal else { return }
        forget(most: \.eventBytes) { $0.models[$1].stream?.forgetOlderEvents() }
        forget(most: \.keyBytes) { $0.forgetKeys(of: $1) }
    }

    private mutating func forget(
        most bytes: (Stream) -> Int, _ forget: (inout Bus, _ slot: Int) -> Void
    ) {
        var holders: [(slot: Int, bytes: Int)] = []
        for slot in models.indices {
            guard let stream = models[slot].stream, bytes(stream) > 0 else { continue }
            holders.append((slot, bytes(stream)))
        }
        for (slot, _) in holders.sorted(by: { $0.bytes > $1.bytes }) {
            guard historyBytes.bytes > historyGoal else { return }
            forget(&self, slot)
        }
    }

    private mutating func forgetKeys(of slot: Int) {
        let model = models[slot].id
        guard journal != nil, isDurable(model) else {
            models[slot].stream?.forgetOlderKeys()
            return
        }
        // Those that are about to come to disk are kept in their order.
        if !held.knows(model) { models[slot].forgetKeysOnDisk() }
    }
}
