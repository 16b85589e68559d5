import BusdProtocol

/// Which entries of a log are replayed.
///
/// A log need not have everything: long histories are cut, and rows get lost. A thing is replayed
/// from its creation, or from an entry that says all of it, if the log has all its later entries.
/// An entry names the entry of the same thing before it, so a missing one is noticed.
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
    /// The entries of each library.
    private var ofLibrary: [ThingKey: Set<Int>] = [:]
    /// Entries of a library that follow on one that the log does not have.
    private var gaps: [ThingKey: [(number: Int, previous: Int)]] = [:]
    /// Creations whose ids neither the log nor the states name. No creation before them is lost, so
    /// the library gives them the right ids.
    private var fresh: Set<Int> = []
    /// The ids of the things that creations make, if the log or the states name them.
    private var created: [Int: Int] = [:]
    /// At the first creation that the saved states lack: its id, and the entry that had changed the
    /// library last.
    private var newer: [Int: (id: Int, lastEffect: Int)] = [:]

    init(_ kinds: [HistoricKind]) { self.kinds = kinds }

    // MARK: Making the plan

    /// Notes the next entry.
    mutating func take(_ entry: LogEntry) {
        let key = ThingKey(entry.kind, entry.id)
        guard !entry.id.isEmpty else {
            if entry.previous > 0, ofLibrary[key]?.contains(entry.previous) != true {
                gaps[key, default: []].append((entry.number, entry.previous))
            }
            ofLibrary[key, default: []].insert(entry.number)
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
    ) -> [String] {
        let libraryKey = ThingKey(kind, "")
        let ids = library?.libraryState?.ids
        let listed = ids.map { Set($0.map { ThingKey(kind, $0) }) }
        let end = ids == nil ? 0 : library?.lastEntry ?? 0
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
        var names: [String] = []
        let gap = gaps[libraryKey]?.first { $0.number > end && $0.previous > end }?.number
        if let gap { names.append("entries of the \(kind) library before \(gap)") }
        var isFirst = true
        for creation in (unused[libraryKey] ?? []).sorted() where creation > end {
            guard creation < gap ?? .max else {
                names.append("\(kind) of entry \(creation)")
                continue
            }
            // The saved states say which id the first of them gets.
            if isFirst, let library, let next = library.libraryState?.next {
                newer[creation] = (next, library.lastEffect)
            }
            isFirst = false
            fresh.insert(creation)
        }
        let present = (listed ?? []).union(lastEntries.keys)
        let lost = broken.filter { $0.key.kind == libraryKey.kind && $0.value > end }.keys
        findIDs(of: libraryKey)
        return present.union(lost).filter { histories[$0] == nil }.sorted().map { "\($0)" } + names
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
        if let id = created[entry.number] { return create(id, entry) }
        guard fresh.contains(entry.number) else { return [] }
        guard let (id, lastEffect) = newer[entry.number] else { return [entry] }
        return entry.unchangedSince ?? .max < lastEffect ? [] : create(id, entry)
    }

    /// The thing gets this id. The condition of the entry was true.
    private func create(_ id: Int, _ entry: LogEntry) -> [LogEntry] {
        var (skip, creation) = (entry, entry)
        let last = id - 1  // fits: id > 0
        skip.body = LogEntry.skip(to: last, kind: entry.kind, at: entry.time).body
        (skip.key, skip.unchangedSince, creation.unchangedSince) = (nil, nil, nil)
        return [skip, creation]
    }

    /// The next entries of the thing are not applied. Those of a library do not depend on each
    /// other.
    mutating func drop(_ entry: LogEntry) { histories[ThingKey(entry.kind, entry.id)] = nil }
}
