import BusdProtocol

extension ThingKey: CustomStringConvertible {
    var description: String {
        id.text.isEmpty ? "the \(kind.text) library" : "\(kind.text) \(id.text.printable)"
    }
}

// Determines which entries of the log can be applied, and which ids may have been used.
extension Recovery {
    /// Whether the state of the thing is known, as of the entry that the tables cover.
    private func isKnown(_ key: ThingKey) -> Bool { tables.states[key] != nil }

    /// Accepts entries. An entry that depends on a lost or dropped entry is dropped.
    mutating func acceptEntries() {
        if !entries.missing.isEmpty {
            isDoubtful = true
            let maybe = base == nil ? "" : ", or entries that were not needed"
            report("lost entries\(maybe): \(entries.missing)")
        }
        let covered = tables.covered
        var accepted: Set<Int> = []
        var dropped: [ThingKey: [Int]] = [:]
        for entry in entries.entries {
            let key = ThingKey(entry.kind, entry.id)
            // Earlier entries stay if the log was being cut when the daemon was killed.
            if entry.holdsState { dropped[key] = nil }
            let isFollowing = follows(entry, accepted) || entry.isSkip || entry.isWhole
            if isFollowing, !isUndecided(entry) {
                accepted.insert(entry.number)
                // A state that is newer than the note has it.
                if entry.number > max(covered, tables.states[key]?.lastEntry ?? 0) {
                    opened.content.entries.append(entry)
                } else {
                    opened.content.history.append(entry)
                }
            } else if entry.number > covered || !isKnown(key) {
                dropped[key, default: []].append(entry.number)
            }
        }
        for (key, numbers) in dropped.sorted(by: { $0.value[0] < $1.value[0] }) {
            report(
                "skipped entries of \(key), because an earlier entry is lost: "
                    + "\(NumberList(numbers))")
        }
    }

    /// Whether the state before the entry is known, or results from accepted entries.
    private func follows(_ entry: LogEntry, _ accepted: Set<Int>) -> Bool {
        if entry.previous == 0 || accepted.contains(entry.previous) { return true }
        let key = ThingKey(entry.kind, entry.id)
        let isFirst = entry.number > tables.covered && entry.previous <= tables.covered
        // A thing without a state was deleted, so later entries have no effect.
        if isFirst, base == nil || isKnown(key) { return true }
        guard let base, entry.previous <= base.covered else { return false }
        return base.states[key] != nil || base.states[ThingKey(entry.kind, "")] != nil
    }

    /// Whether missing entries decide if the entry was stale. Most entries that are missing before
    /// the saved states had no effect, and were removed.
    private func isUndecided(_ entry: LogEntry) -> Bool {
        guard let number = entry.unchangedSince, entry.isSentToLibrary || entry.id.isEmpty,
            entries.missing.ranges.contains(where: {
                $0.upperBound > max(number, tables.covered) && $0.lowerBound < entry.number
            })
        else { return false }
        // The entry was applied if later entries belong to the thing that it created.
        return !entries.entries.contains { !$0.id.isEmpty && $0.previous == entry.number }
    }

    // MARK: Ids

    /// If store.ids is lost, ids continue behind a gap: more things than can have been created
    /// since the states were saved, which happens after ten thousand entries or a minute.
    private static let gap = 1 << 20

    private var kinds: Set<ExactText> {
        Set(tables.states.keys.map(\.kind))
            .union(base?.states.keys.map(\.kind) ?? [])
            .union(opened.reserved.numbers.keys)
            .union(entries.entries.map { ExactText($0.kind) })
    }

    /// Adds an entry for each kind with ids that may have been used: it skips these ids. It belongs
    /// in the log because later ids depend on it.
    mutating func skipIDs() {
        for kind in kinds.sorted() {
            let library = ThingKey(kind.text, "")
            guard isDoubtful || areIDsLost || base != nil && !isKnown(library) else { continue }
            let libraryState =
                tables.states[library]?.libraryState ?? base?.states[library]?.libraryState
            let next = libraryState?.next ?? 1
            var number = max(
                opened.reserved[kind.text], libraryState == nil ? highestID(of: kind) : 0)
            if areIDsLost, hasNumbers(kind) {
                let behind = entries.newest - saved.covered
                number = max(number, next - 1) + behind + Self.gap
            }
            var skip = LogEntry.skip(to: number, kind: kind.text, at: lastTime)
            let isPending = opened.content.entries.contains {
                $0.isOfLibrary(kind.text) && $0.body == skip.body
            }
            guard number >= next, !isPending else { continue }
            skip.number = entries.newest + skips.count + 1
            skips.append(skip)
            opened.reserved.reserve(kind.text, upTo: number)
            report("ids of \(kind) continue after \(number)")
        }
        opened.content.entries += skips
    }

    /// The ids of all things that states or entries mention.
    private func ids(of kind: ExactText) -> [ExactText] {
        let keys =
            Array(tables.states.keys) + entries.entries.map { ThingKey($0.kind, $0.id) }
        return keys.filter { $0.kind == kind && !$0.id.text.isEmpty }.map(\.id)
    }

    private func numbers(of kind: ExactText) -> [Int] {
        ids(of: kind).compactMap { Int($0.text) }  // fits: else it is nil
            .filter { $0 <= ReservedIDs.most }
    }

    /// The highest numeric id that states or entries mention.
    private func highestID(of kind: ExactText) -> Int { numbers(of: kind).max() ?? 0 }

    /// Whether the things of the kind may have numbers as ids.
    private func hasNumbers(_ kind: ExactText) -> Bool {
        ids(of: kind).isEmpty || !numbers(of: kind).isEmpty
    }
}

extension LogEntry {
    fileprivate var isSkip: Bool { id.isEmpty && body.starts(with: #"{"skip":"#.utf8) }
}
