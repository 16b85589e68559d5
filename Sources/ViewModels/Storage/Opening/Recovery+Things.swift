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
            let maybe = base == nil ? "" : ", or entries of things deleted since"
            report("lost entries\(maybe): \(entries.missing)")
        }
        let covered = tables.covered
        var accepted: Set<Int> = []
        var dropped: [ThingKey: [Int]] = [:]
        for entry in entries.entries {
            let key = ThingKey(entry.kind, entry.id)
            let isFollowing = follows(entry, accepted) || entry.isSkip || entry.isWhole
            if isFollowing, !isUndecided(entry) {
                accepted.insert(entry.number)
                if entry.number > covered {
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

    /// Whether missing entries decide if the entry was stale.
    private func isUndecided(_ entry: LogEntry) -> Bool {
        guard let number = entry.unchangedSince, entry.isSentToLibrary || entry.id.isEmpty,
            entries.missing.ranges.contains(where: {
                $0.upperBound > number && $0.lowerBound < entry.number
            })
        else { return false }
        // The entry was applied if later entries belong to the thing that it created.
        return !entries.entries.contains { !$0.id.isEmpty && $0.previous == entry.number }
    }

    // MARK: Ids

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
            guard isDoubtful || base != nil && !isKnown(library) else { continue }
            let libraryState =
                tables.states[library]?.libraryState ?? base?.states[library]?.libraryState
            let number = max(
                opened.reserved[kind.text], libraryState == nil ? highestID(of: kind) : 0)
            var skip = LogEntry.skip(to: number, kind: kind.text, at: lastTime)
            let isPending = opened.content.entries.contains {
                $0.isOfLibrary(kind.text) && $0.body == skip.body
            }
            guard number >= libraryState?.next ?? 1, !isPending else { continue }
            skip.number = entries.newest + skips.count + 1
            skips.append(skip)
            report("ids of \(kind.text) continue after \(number)")
        }
        opened.content.entries += skips
    }

    /// The highest numeric id that states or entries mention.
    private func highestID(of kind: ExactText) -> Int {
        let ids =
            tables.states.keys.filter { $0.kind == kind }.map(\.id)
            + entries.entries.filter { ExactText($0.kind) == kind }.map { ExactText($0.id) }
        let numbers = ids.compactMap { Int($0.text) }  // fits: else it is nil
        return numbers.filter { $0 <= ReservedIDs.most }.max() ?? 0
    }
}

extension LogEntry {
    fileprivate var isSkip: Bool { id.isEmpty && body.starts(with: #"{"skip":"#.utf8) }
}
