import BusdProtocol

/// Removes entries of a thing from the log, in portions. It walks from the newest entry back along
/// `previous`, and then removes the oldest entries first. So an interrupted removal can begin
/// again: the newest entry still leads to the others.
///
/// If all states are lost, a start applies the remaining entries of the log. So the creation of a
/// deleted thing is replaced by an entry that skips its id, and the deletion stays. If the thing
/// has no history, its newest entry stays, and holds the whole thing.
struct RemovalWalk {
    let removal: Removal
    /// The number of the next entry; 0: the walk is complete.
    private var next: Int
    /// The numbers of the entries, the newest first.
    private var numbers: [Int] = []
    private var creation: LogEntry?

    /// A portion takes 1 to 3 ms.
    private static let portion = 256

    init(_ removal: Removal) {
        self.removal = removal
        next = removal.lastEntry
    }

    /// Walks or removes one portion. Returns whether the removal is complete.
    mutating func goOn(_ connection: Database) throws(StoreError) -> Bool {
        for _ in 0..<Self.portion where next > 0 { try walk(connection) }
        guard next == 0 else { return false }
        let count = min(Self.portion, numbers.count)
        try connection.transaction { () throws(StoreError) in
            if let creation { try connection.replace(creation.replacedBySkip(to: removal.id)) }
            for number in numbers.suffix(count) { try remove(number, connection) }
        }
        creation = nil
        numbers.removeLast(count)
        return numbers.isEmpty
    }

    private mutating func walk(_ connection: Database) throws(StoreError) {
        guard let entry = try connection.entry(next) else {
            next = 0
            return
        }
        if entry.isOf(removal.kind, removal.id) {
            numbers.append(next)
            next = entry.previous < next ? entry.previous : 0
        } else {
            // This is the creation, an entry of the library. The thing has no earlier entries.
            if entry.isCreation, entry.isOfLibrary(removal.kind) { creation = entry }
            next = 0
        }
    }

    private func remove(_ number: Int, _ connection: Database) throws(StoreError) {
        if removal.isOfDeleted || number < removal.lastEntry {
            try connection.deleteEntry(number)
        } else if var entry = try connection.entry(number), !entry.isWhole {
            entry.previous = number
            try connection.replace(entry)
        }
    }
}

extension LogEntry {
    func isOf(_ kind: String, _ id: String) -> Bool {
        ThingKey(self.kind, self.id) == ThingKey(kind, id)
    }

    func isOfLibrary(_ kind: String) -> Bool { isOf(kind, "") }

    /// Replaces a creation. The entry keeps the key, so that a repeated request is recognised.
    fileprivate func replacedBySkip(to id: String) -> LogEntry {
        var entry = self
        entry.body = LogEntry.skip(to: Int(id) ?? 0, kind: kind, at: time).body
        entry.unchangedSince = nil
        return entry
    }
}
