import BusdProtocol

/// Which entries of a log are replayed.
///
/// A log need not have everything: it may begin in an older version, long histories are cut, and
/// rows get lost. A thing is replayed from its creation, or from an entry that says all of it, if
/// the log has all its later entries. An entry names the entry of the same thing before it, so a
/// missing one is noticed.
struct ReplayPlan {
    /// The entries of a thing in the log, without a hole.
    private struct History {
        /// The creation, or an entry that says all.
        let first: Int
        var last: Int
        let isCreated: Bool
    }

    private let kinds: [HistoricKind]
    private var histories: [ThingKey: History] = [:]
    /// The last entry of each thing that follows on a missing one.
    private var broken: [ThingKey: Int] = [:]
    /// Creations of things without another entry so far.
    private var unused: [ThingKey: Set<Int>] = [:]
    /// Whether the log has the first entry of each library.
    private var begins: [ThingKey: Bool] = [:]
    /// The newest entry of each library that the saved states have.
    private var covered: [ThingKey: Int] = [:]
    /// The ids of the things that creations make, if the log or the states name them.
    private var created: [Int: Int] = [:]
    /// The id of the next thing, at the first creation that the saved states lack.
    private var newer: [Int: Int] = [:]

    init(_ kinds: [HistoricKind]) { self.kinds = kinds }

    // MARK: Making the plan

    /// Notes the next entry.
    mutating func take(_ entry: LogEntry) {
        let key = ThingKey(entry.kind, entry.id)
        guard !entry.id.isEmpty else {
            if begins[key] == nil { begins[key] = entry.previous == 0 }
            if entry.isCreation { unused[key, default: []].insert(entry.number) }
            return
        }
        let (number, previous) = (entry.number, entry.previous)
        if entry.isWhole || previous == 0 && beginsByItself(entry.kind) {
            histories[key] = History(first: number, last: number, isCreated: false)
        } else if let history = histories[key], history.first...history.last ~= previous {
            histories[key]?.last = number
        } else if unused[ThingKey(entry.kind, "")]?.remove(previous) != nil {
            histories[key] = History(first: previous, last: number, isCreated: true)
        } else {
            histories[key] = nil
            broken[key] = number
            return
        }
        broken[key] = nil
    }

    private func beginsByItself(_ kind: String) -> Bool {
        kinds.contains { $0.beginsByItself && $0.name.isExactly(kind) }
    }

    /// Completes the plan with the saved states of one kind, each with its last entry.
    ///
    /// - Returns: the things that exist and cannot be replayed.
    mutating func complete(
        _ kind: String, library: SavedState?, lastEntries: [ThingKey: Int]
    ) -> [ThingKey] {
        let libraryKey = ThingKey(kind, "")
        let ids = library?.libraryState?.ids
        let listed = ids.map { Set($0.map { ThingKey(kind, $0) }) }
        let end = ids == nil ? 0 : library?.lastEntry ?? 0
        // Without its state and its first entry, the numbers of new things are not known.
        covered[libraryKey] = ids == nil && begins[libraryKey] != true ? .max : end
        for (key, last) in lastEntries {
            if histories[key] == nil, broken[key] == nil,
                unused[libraryKey]?.remove(last) != nil
            {
                histories[key] = History(first: last, last: last, isCreated: true)
            }
            if let history = histories[key], history.last < last { lose(key, at: last) }
        }
        // Nobody can see again what was deleted: its entries are being removed.
        for (key, history) in histories
        where key.kind == libraryKey.kind && history.first <= end && listed?.contains(key) == false
        {
            histories[key] = nil
        }
        if let first = unused[libraryKey]?.filter({ $0 > end }).min() {
            newer[first] = library?.libraryState?.next
        }
        let present = (listed ?? []).union(lastEntries.keys)
        let lost = broken.filter { $0.key.kind == libraryKey.kind && $0.value > end }.keys
        findIDs(of: libraryKey)
        return present.union(lost).filter { histories[$0] == nil }.sorted()
    }

    private mutating func lose(_ key: ThingKey, at number: Int) {
        histories[key] = nil
        broken[key] = number
    }

    /// Ids are numbers that grow from creation to creation.
    private mutating func findIDs(of library: ThingKey) {
        var highest = 0
        let all = histories.filter { $0.key.kind == library.kind && $0.value.isCreated }
        for (key, history) in all.sorted(by: { $0.value.first < $1.value.first }) {
            // fits: else nil
            guard let id = Int(key.id.text), ExactText(String(id)) == key.id, id > highest,
                LogEntry.numbers.contains(id)
            else {
                histories[key] = nil
                continue
            }
            highest = id
            created[history.first] = id
        }
    }

    // MARK: Following the plan

    /// What to apply for an entry of the log.
    func steps(for entry: LogEntry) -> [LogEntry] {
        guard entry.id.isEmpty else {
            let first = histories[ThingKey(entry.kind, entry.id)]?.first ?? .max
            return entry.number >= first ? [entry] : []
        }
        // The order of a cut library has things that are not there yet.
        guard !entry.holdsState else { return [] }
        guard entry.isCreation else { return [entry] }
        let end = covered[ThingKey(entry.kind, "")] ?? 0
        var (steps, creation) = ([LogEntry](), entry)
        if let id = created[entry.number] ?? newer[entry.number] {
            var skip = entry
            let last = id - 1  // fits: id > 0
            skip.body = LogEntry.skip(to: last, kind: entry.kind, at: entry.time).body
            (skip.key, skip.unchangedSince, skip.number) = (nil, nil, min(end, entry.number))
            steps.append(skip)
        } else if entry.number <= end {
            return []
        }
        // The condition of the creation of a thing that is there was true.
        if created[entry.number] != nil { creation.unchangedSince = nil }
        return steps + [creation]
    }

    /// The next entries of the thing are not applied. Those of a library do not depend on each
    /// other.
    mutating func drop(_ entry: LogEntry) { histories[ThingKey(entry.kind, entry.id)] = nil }
}
