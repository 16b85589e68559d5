import BusdProtocol

/// The entries of the log that a start applies. They may be too many for the memory, so this says
/// only which they are.
struct AcceptedEntries: Sendable {
    /// The saved states cover the entries up to this one.
    let base: Int
    /// The states that can still be read cover the entries up to this one.
    let covered: Int
    /// The last entries of states that are newer than `covered`.
    private let newer: [ThingKey: Int]
    /// Numbers of entries that depend on a lost entry.
    private var rejected = NumberList()
    /// The kinds that may have entries.
    var kinds: Set<ExactText> = []

    init(behind base: Int, _ readable: StateTables) {
        let covered = readable.covered
        (self.base, self.covered) = (base, covered)
        newer = readable.states.compactMapValues { $0.lastEntry > covered ? $0.lastEntry : nil }
    }

    mutating func reject(_ entry: LogEntry) { rejected.insert(entry.number...entry.number) }

    /// - Parameter number: that of an entry of the log.
    func contains(_ number: Int) -> Bool { !rejected.contains(number) }

    /// Whether the states that can still be read lack the entry.
    func isNewer(_ entry: LogEntry) -> Bool {
        entry.number > max(covered, newer[ThingKey(entry.kind, entry.id)] ?? 0)
    }

    /// Older entries are not behind this one.
    var lastOlder: Int { max(covered, newer.values.max() ?? 0) }
}
