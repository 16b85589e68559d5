import BusdProtocol

/// Decides which entries of the log can be applied: takes all, in order.
///
/// It is no part of `Recovery`, which would be copied for each entry.
struct Acceptance {
    /// As in `Recovery`.
    private let base: StateTables?
    private let tables: StateTables
    private let log: LogTables
    /// Whether accepted entries are in `entries`.
    private let keepsEntries: Bool

    private(set) var accepted: AcceptedEntries
    /// Accepted entries that the readable states lack.
    private(set) var entries: [LogEntry] = []
    /// Those of them that skip ids.
    private(set) var skips: [LogEntry] = []
    /// Numbers of entries that depend on a lost or dropped entry.
    private(set) var dropped: [ThingKey: [Int]] = [:]
    /// What the entries say about ids, by kind.
    private(set) var mentioned: [ExactText: MentionedIDs] = [:]

    /// - Parameter keepsEntries: false: entries are read again when they are applied.
    init(base: StateTables?, tables: StateTables, log: LogTables, keepsEntries: Bool) {
        (self.base, self.tables, self.log) = (base, tables, log)
        self.keepsEntries = keepsEntries
        accepted = AcceptedEntries(behind: (base ?? tables).covered, tables)
    }

    /// Accepts or drops the next entry.
    mutating func take(_ entry: LogEntry) {
        let key = ThingKey(entry.kind, entry.id)
        mentioned[key.kind, default: MentionedIDs()].note(key.id)
        // Earlier entries stay if the log was being cut when the daemon was killed.
        if entry.holdsState { dropped[key] = nil }
        let isFollowing = follows(entry, key) || entry.isSkip || entry.isWhole
        if isFollowing, !isUndecided(entry) {
            guard accepted.isNewer(entry) else { return }
            if keepsEntries { entries.append(entry) }
            if entry.isSkip { skips.append(entry) }
        } else {
            accepted.reject(entry)
            if entry.number > accepted.covered || tables.states[key] == nil {
                dropped[key, default: []].append(entry.number)
            }
        }
    }

    /// Whether the state before the entry is known, or results from accepted entries.
    private func follows(_ entry: LogEntry, _ key: ThingKey) -> Bool {
        let previous = entry.previous
        let isRead =
            log.covered < previous && previous < entry.number && !log.missing.contains(previous)
        if previous == 0 || isRead && accepted.contains(previous) { return true }
        let isFirst = entry.number > accepted.covered && previous <= accepted.covered
        // A thing without a state was deleted, so later entries have no effect.
        if isFirst, base == nil || tables.states[key] != nil { return true }
        guard let base, previous <= base.covered else { return false }
        return base.states[key] != nil || base.states[ThingKey(entry.kind, "")] != nil
    }

    /// Whether missing entries decide if the entry was stale. Most entries that are missing before
    /// the saved states had no effect, and were removed.
    private func isUndecided(_ entry: LogEntry) -> Bool {
        guard entry.dependsOnLibrary, let number = entry.unchangedSince,
            // fits: both are in `TableScan.numbers`
            let gap = log.missing.range(endingFrom: max(number, accepted.covered) + 1)
        else { return false }
        return gap.lowerBound < entry.number && !log.creations.contains(entry.number)
    }
}

/// What is known about the ids of a kind.
struct MentionedIDs {
    private(set) var isEmpty = true
    /// `nil`: no id is a number.
    private(set) var highest: Int?

    mutating func note(_ id: ExactText) {
        guard !id.text.isEmpty else { return }
        isEmpty = false
        guard let number = Int(id.text), number <= ReservedIDs.most  // fits: else it is nil
        else { return }
        highest = max(highest ?? number, number)
    }
}

extension LogEntry {
    fileprivate var isSkip: Bool { id.isEmpty && body.starts(with: #"{"skip":"#.utf8) }
}
