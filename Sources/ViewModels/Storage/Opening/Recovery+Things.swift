import BusdProtocol

extension ThingKey: CustomStringConvertible {
    var description: String {
        id.text.isEmpty ? "the \(kind.text) library" : "\(kind.text) \(id.text.printable)"
    }
}

// What can be told of things whose states are damaged.
extension Recovery {
    private var kinds: Set<ExactText> {
        Set(tables.states.keys.map(\.kind) + tables.heads.keys.map(\.kind))
            .union(opened.reserved.numbers.keys)
            .union(entries.entries.map { ExactText($0.kind) })
    }

    /// The state of the library is lost: there are things of it, or an entry that depends on it.
    private func isLost(_ library: ThingKey) -> Bool {
        guard tables.states[library] == nil else { return false }
        return tables.heads[library] != nil
            || tables.states.keys.contains { $0.kind == library.kind }
            || entries.entries.contains { entry in
                entry.isOfLibrary(library.kind.text) && isCovered(entry.previous)
            }
    }

    private func isCovered(_ number: Int) -> Bool { number > 0 && number <= tables.covered }

    // MARK: Libraries

    /// A library without its state has its things and, if a copy tells it, their order. It gives
    /// no id that is below the reserved ones.
    mutating func rebuildLibraries() {
        for kind in kinds.sorted() {
            let library = ThingKey(kind.text, "")
            guard isLost(library) else { continue }
            broken.insert(library)
            isDoubtful = true
            report("\(library) is damaged: things of it may be lost, and the order may be older")
            if let older = copies.state(of: library) { opened.content.states.append(older) }
        }
    }

    // MARK: Things

    /// The states of a library lists its things.
    mutating func rebuildThings() throws(StoreError) {
        let shelves = tables.states.values.filter { $0.id.isEmpty }
        for state in shelves.sorted(by: { ExactText($0.kind) < ExactText($1.kind) }) {
            for id in state.shelf?.ids ?? [] {
                let key = ThingKey(state.kind, id)
                if tables.states[key] == nil { try rebuild(key) }
            }
        }
    }

    private mutating func rebuild(_ key: ThingKey) throws(StoreError) {
        let last = try newestEntry(of: key)
        let whole = try chain(of: key, from: last, downTo: 0)
        if whole.isFromCreation || whole.entries.last?.isWhole == true {
            report("\(key) was damaged, and is rebuilt from its entries")
            return add(key, nil, whole.entries)
        }
        if let older = copies.state(of: key) {
            let later = try chain(of: key, from: last, downTo: older.lastEntry)
            if later.isComplete {
                report("\(key) was damaged, and is rebuilt from a copy and its entries")
                return add(key, older, later.entries)
            }
            broken.insert(key)
            report(
                "\(key) was damaged: it is as after entry \(older.lastEntry), and what was later "
                    + "is lost")
            return add(key, older, [])
        }
        if whole.isComplete, !whole.entries.isEmpty {
            report("\(key) was damaged, and is rebuilt from its entries")
            return add(key, nil, whole.entries)
        }
        broken.insert(key)
        report("\(key) is lost")
    }

    private mutating func add(_ key: ThingKey, _ state: SavedState?, _ entries: [LogEntry]) {
        opened.content.histories.append(
            ThingHistory(
                kind: key.kind.text, id: key.id.text, state: state, entries: entries.reversed()))
    }

    /// Up to the entry that the states cover.
    private func newestEntry(of key: ThingKey) throws(StoreError) -> Int {
        let covered = tables.covered
        if let head = tables.heads[key] { return head }
        let next = entries.entries.first { $0.isOf(key.kind.text, key.id.text) }
        if let next, isCovered(next.previous) { return next.previous }
        let sql = "SELECT max(n) FROM log WHERE kind = ?1 AND id = ?2 AND n <= ?3"
        let found = try? log?.integer(
            sql, .text(key.kind.text), .text(key.id.text), .integer(covered))
        return found ?? 0
    }

    private struct Chain {
        /// The newest first.
        var entries: [LogEntry] = []
        var isComplete = false
        /// The oldest entry is that of the creation.
        var isFromCreation = false
    }

    /// The entries of a thing behind an older one.
    private func chain(
        of key: ThingKey, from last: Int, downTo first: Int
    ) throws(StoreError) -> Chain {
        var chain = Chain()
        var next = last
        while next > first {
            guard let entry = try? log?.entry(next), entry.previous <= next else { return chain }
            chain.entries.append(entry)
            if entry.isWhole { return chain }
            if entry.isOf(key.kind.text, key.id.text) {
                next = entry.previous
            } else {
                (chain.isComplete, chain.isFromCreation) = (first == 0, first == 0)
                return entry.isCreation && entry.isOfLibrary(key.kind.text) ? chain : Chain()
            }
        }
        chain.isComplete = next == first
        return chain
    }

    // MARK: Entries

    /// An entry is applied if all entries before it of the same thing are.
    mutating func acceptEntries() {
        if !entries.missing.isEmpty {
            isDoubtful = true
            let maybe = statesTrouble == nil ? "" : ", or belonged to what was deleted since"
            report("entries that are lost\(maybe): \(entries.missing)")
        }
        let known = Set(tables.states.keys).union(
            opened.content.histories.map { ThingKey($0.kind, $0.id) })
        var accepted: Set<Int> = []
        var dropped: [ThingKey: [Int]] = [:]
        for entry in entries.entries {
            let key = ThingKey(entry.kind, entry.id)
            // Of a thing that is not known its library tells whether it was deleted.
            let isFirst =
                entry.previous <= tables.covered && !broken.contains(key)
                && (!isCovered(entry.previous) || known.contains(key)
                    || !broken.contains(ThingKey(entry.kind, "")))
            let isKnown =
                isFirst || accepted.contains(entry.previous) || entry.isSkip || entry.isWhole
            if isKnown, !isUndecided(entry) {
                accepted.insert(entry.number)
                opened.content.entries.append(entry)
            } else {
                dropped[key, default: []].append(entry.number)
            }
        }
        for (key, numbers) in dropped.sorted(by: { $0.value[0] < $1.value[0] }) {
            report(
                "entries of \(key) that are not applied, because one before them is lost: "
                    + "\(NumberList(numbers))")
        }
    }

    /// Whether the entry was stale depends on entries of the library that are not there.
    private func isUndecided(_ entry: LogEntry) -> Bool {
        guard let number = entry.unchangedSince, entry.isSentToLibrary || entry.id.isEmpty else {
            return false
        }
        return entries.missing.ranges.contains {
            $0.upperBound > number && $0.lowerBound < entry.number
        }
    }

    // MARK: Ids

    /// Ids that may have been used are not used again. That is an entry of the log, because ids of
    /// later things depend on it.
    mutating func skipIDs() {
        guard isDoubtful else { return }
        for kind in kinds.sorted() {
            let library = ThingKey(kind.text, "")
            let isLost = broken.contains(library)
            let number = max(opened.reserved[kind.text], isLost ? highestID(of: kind) : 0)
            var skip = LogEntry.skip(to: number, kind: kind.text, at: lastTime)
            let isThere = opened.content.entries.contains {
                $0.isOfLibrary(kind.text) && $0.body == skip.body
            }
            let next = tables.states[library]?.shelf?.next ?? 1
            guard number >= next, !isThere else { continue }
            skip.number = entries.newest + skips.count + 1
            skips.append(skip)
            report("ids of \(kind.text) go on behind \(number)")
        }
        opened.content.entries += skips
    }

    /// Among those that are numbers.
    private func highestID(of kind: ExactText) -> Int {
        let ids =
            tables.states.keys.filter { $0.kind == kind }.map(\.id)
            + entries.entries.filter { ExactText($0.kind) == kind }.map { ExactText($0.id) }
        return ids.compactMap { Int($0.text) }.max() ?? 0  // fits: else it is nil
    }
}

extension LogEntry {
    fileprivate var isSkip: Bool { id.isEmpty && body.starts(with: #"{"skip":"#.utf8) }
}
