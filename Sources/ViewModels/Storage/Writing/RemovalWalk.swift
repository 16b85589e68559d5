import BusdProtocol

/// Removes the entries of a thing from the log, in portions: walks from the newest entry back along
/// `previous`, and then removes the oldest first. So a removal that is interrupted can begin again:
/// the newest entry still leads to the others.
struct RemovalWalk {
    let removal: Removal
    /// Where the walk goes on; 0: it is at its end.
    private var next: Int
    /// The numbers of the entries, the newest first.
    private var numbers: [Int] = []

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
            for number in numbers.suffix(count) { try connection.deleteEntry(number) }
            if count == numbers.count, removal.deletion > 0,
                try connection.entry(removal.deletion)?.isOfLibrary(removal.kind) == true
            {
                try connection.deleteEntry(removal.deletion)
            }
        }
        numbers.removeLast(count)
        return numbers.isEmpty
    }

    private mutating func walk(_ connection: Connection) throws(StoreError) {
        let entry = try connection.entry(next)
        guard let entry, entry.previous < next else { return next = 0 }
        if entry.isOf(removal.kind, removal.id) {
            numbers.append(next)
            next = entry.previous
        } else {
            // What comes before the creation belongs to other things.
            if entry.isCreation, entry.isOfLibrary(removal.kind) { numbers.append(next) }
            next = 0
        }
    }
}

extension LogEntry {
    func isOf(_ kind: String, _ id: String) -> Bool {
        ThingKey(self.kind, self.id) == ThingKey(kind, id)
    }

    func isOfLibrary(_ kind: String) -> Bool { isOf(kind, "") }
}
