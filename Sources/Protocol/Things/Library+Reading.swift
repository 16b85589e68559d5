// An entry is in the log only if a start can read it: `logForm` asks `action(of:)`, which a start
// calls, before an entry is written. An entry that cannot be read all the same (a fault,
// damage) costs at most its thing.

extension Library {
    /// The action in the form of the log.
    ///
    /// - Parameters:
    ///   - entry: has the id, and no body.
    ///   - isKnown: whether the library has the thing, so its id can be read.
    /// - Throws: a `WireError` if a start could not read the entry.
    @usableFromInline func logForm(
        of action: AnyAction<T>, in entry: LogEntry, isKnown: Bool
    ) throws -> [UInt8] {
        let bytes = try action.encoded()
        guard !libraries.isShared || bytes.count <= LogEntry.mostOfShared else {
            throw WireError(.badEvent, "it is too large for a shared log")
        }
        // Reading depends on the bytes alone.
        if isKnown, readable.contains(bytes) { return bytes }
        var entry = entry
        entry.body = bytes
        guard try Self.action(of: entry).target == action.target else {
            throw WireError(.badEvent, "\(entry.id.printable.clipped) is not an id")
        }
        if action.target != nil { readable.insert(bytes) }
        return bytes
    }

    // MARK: Unreadable entries

    /// Handles an entry of a start that cannot be read. Its place in the log, its key and its id
    /// stay taken, so that all other entries have the same effect as before.
    ///
    /// - Returns: the loss, for people.
    func lose(_ entry: LogEntry) -> String {
        guard entry.isCreation else { return loseChange(entry) }
        let number = libraryState.next
        // Conditions and keys decide, too, whether the entry has created a thing.
        guard case .noEffect = apply(.library(.skip(to: number)), entry),
            let id = T.ID.numbered(number)
        else { return "it has no effect" }
        lost.insert(id)
        return "\(T.kind) \(id.description.printable) is lost"
    }

    private func loseChange(_ entry: LogEntry) -> String {
        guard let id = T.ID(entry.id) else {
            if entry.id.isEmpty { libraryState.lastEntry = entry.number }
            return "it has no effect"
        }
        if let key = entry.key { remember(key, of: entry.isSentToLibrary ? nil : id) }
        if let record = records[id] {
            record.lastEntry = entry.number
            dirty.insert(id)
        } else if entry.holdsState {
            if let number = Int(peer: entry.id), T.ID.numbered(number) == id {
                libraryState.skip(to: number)
            }
            lost.insert(id)
            return "\(T.kind) \(id.description.printable) is lost"
        }
        return "the \(T.kind) lacks this change"
    }

    /// Whether the thing of the entry is lost, so the entry stays unread in the log.
    func isOfLost(_ entry: LogEntry) -> Bool {
        guard !lost.isEmpty, let id = T.ID(entry.id) else { return false }
        return lost.contains(id) && records[id] == nil && !entry.holdsState
    }
}

/// Forms of actions that can be read. It remembers short ones: a game has few different moves, and
/// thousands of each.
@usableFromInline struct ReadableForms {
    private var known: Set<[UInt8]> = []
    private static let most = 256
    private static let longest = 32

    func contains(_ form: [UInt8]) -> Bool { form.count <= Self.longest && known.contains(form) }

    mutating func insert(_ form: [UInt8]) {
        guard form.count <= Self.longest else { return }
        if known.count >= Self.most { known = [] }
        known.insert(form)
    }
}

extension LogEntry {
    /// The entry, for people.
    package var title: String {
        let name = kind.printable.clipped
        let owner = id.isEmpty ? "the \(name) library" : "\(name) \(id.printable.clipped)"
        return "entry \(number)" + (isCreation ? ", which creates a \(name)," : " of \(owner)")
    }
}
