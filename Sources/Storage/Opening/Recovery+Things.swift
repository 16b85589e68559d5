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

    /// Whether entries are read again when they are applied.
    private var areReadAgain: Bool { base != nil || entries.kept == nil }

    /// Accepts entries. An entry that depends on a lost or dropped entry is dropped.
    mutating func acceptEntries() throws(StoreError) {
        if !entries.missing.isEmpty {
            isDoubtful = true
            let maybe = base == nil ? "" : ", or entries that were not needed"
            report("lost entries\(maybe): \(entries.missing)")
        }
        var acceptance = Acceptance(
            base: base, tables: tables, log: entries, keepsEntries: !areReadAgain)
        try entries.forEach(in: log) { acceptance.take($0) }
        (mentioned, pendingSkips) = (acceptance.mentioned, acceptance.skips)
        opened.content.entries = acceptance.entries
        if areReadAgain {
            var accepted = acceptance.accepted
            accepted.kinds = kinds
            opened.accepted = accepted
        }
        for (key, numbers) in acceptance.dropped.sorted(by: { $0.value[0] < $1.value[0] }) {
            report(
                "skipped entries of \(key), because an earlier entry is lost: "
                    + "\(NumberList(numbers))")
        }
    }

    // MARK: Ids

    /// If store.ids is lost, ids continue behind a gap: more things than can have been created
    /// since the states were saved, which happens after ten thousand entries or a minute.
    private static let gap = 1 << 20

    private var kinds: Set<ExactText> {
        Set(tables.states.keys.map(\.kind))
            .union(base?.states.keys.map(\.kind) ?? [])
            .union(opened.reserved.numbers.keys)
            .union(mentioned.keys)
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
            let isPending = pendingSkips.contains {
                $0.isOfLibrary(kind.text) && $0.body == skip.body
            }
            guard number >= next, !isPending else { continue }
            skip.number = entries.newest + skips.count + 1
            skips.append(skip)
            opened.reserved.reserve(kind.text, upTo: number)
            report("ids of \(kind) continue after \(number)")
        }
        if !areReadAgain { opened.content.entries += skips }
    }

    /// What states and entries say about ids.
    private func mentionedIDs(of kind: ExactText) -> MentionedIDs {
        var mentioned = mentioned[kind] ?? MentionedIDs()
        for key in tables.states.keys where key.kind == kind { mentioned.note(key.id) }
        return mentioned
    }

    /// The highest numeric id that states or entries mention.
    private func highestID(of kind: ExactText) -> Int { mentionedIDs(of: kind).highest ?? 0 }

    /// Whether the things of the kind may have numbers as ids.
    private func hasNumbers(_ kind: ExactText) -> Bool {
        let mentioned = mentionedIDs(of: kind)
        return mentioned.isEmpty || mentioned.highest != nil
    }
}
