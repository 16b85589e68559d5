import BusdProtocol

/// Removes entries of a thing from the log, in portions: walks from the newest entry back along
/// `previous`, and then removes the oldest first. So a removal that is interrupted can begin again:
/// the newest entry still leads to the others.
///
/// If all states are lost, a start applies what is left in the log. So the creation of a deleted
/// thing becomes an entry that skips its id, and its deletion stays. Of a thing without a history
/// the newest entry stays, and says all of the thing.
struct RemovalWalk {
    let removal: Removal
    /// Where the walk goes on; 0: it is at its end.
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

    /// Returns whether all is done.
    mutating func goOn(_ connection: Connection) throws(StoreError) -> Bool {
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

    private mutating func walk(_ connection: Connection) throws(StoreError) {
        guard let entry = try connection.entry(next) else { return next = 0 }
        if entry.isOf(removal.kind, removal.id) {
            numbers.append(next)
            next = entry.previous < next ? entry.previous : 0
        } else {
            // What comes before the creation belongs to other things.
            if entry.isCreation, entry.isOfLibrary(removal.kind) { creation = entry }
            next = 0
        }
    }

    private func remove(_ number: Int, _ connection: Connection) throws(StoreError) {
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

    /// In place of a creation, which has had its effect. Its key is still known.
    fileprivate func replacedBySkip(to id: String) -> LogEntry {
        var entry = self
        entry.body = LogEntry.skip(to: Int(id) ?? 0, kind: kind, at: time).body
        entry.unchangedSince = nil
        return entry
    }
}
