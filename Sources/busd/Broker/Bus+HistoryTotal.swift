import BusdProtocol

// What is kept of all view models for views that come back (their last events) and for clients that
// try again (their last keys) is bounded by `historyTotal`. Beyond it those of which most is kept
// forget the older half: first of the events, because a view that comes back later gets a snapshot
// instead; then of the keys with their answers. Things remember hashes of the keys all the same.

extension Bus {
    /// So that many forget at once, and need not be looked for in each turn.
    private var historyGoal: Int { limits.historyTotal / 8 * 7 }

    /// At the end of a turn.
    mutating func forgetHistories() {
        guard historyBytes.bytes > limits.historyTotal else { return }
        forget(most: \.eventBytes) { $0.models[$1].stream?.forgetOlderEvents() }
        forget(most: \.keyBytes) { $0.models[$1].stream?.forgetOlderKeys() }
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
}
