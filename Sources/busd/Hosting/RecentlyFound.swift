import Broker
import Protocol

/// The view models that were looked for last, most of which are looked for again soon: who plays is
/// told to one of six players, and taken back at their scoreboard.
struct RecentlyFound {
    private static let most = 16

    private var entries: [(address: Address, id: ModelID)] = []
    /// Where the next one stands when all places are taken.
    private var oldest = 0

    subscript(address: Address) -> ModelID? {
        for entry in entries where entry.address == address { return entry.id }
        return nil
    }

    mutating func append(_ address: Address, _ id: ModelID) {
        guard entries.count == Self.most else { return entries.append((address, id)) }
        entries[oldest] = (address, id)
        oldest = (oldest + 1) % Self.most
    }
}
