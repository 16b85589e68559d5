import BusdProtocol

/// The readable entries of the log after the entry that the states cover.
struct LogTables {
    private(set) var entries: [LogEntry] = []
    /// Numbers without an undamaged row, up to `newest`.
    private(set) var missing = NumberList()
    private(set) var newest = 0
    /// Damage that SQLite found in the file.
    private(set) var damage: StoreError?

    /// A larger number is damaged.
    private static let mostNumber = 1 << 53

    /// For a missing log.
    init(behind covered: Int) { newest = covered }

    /// - Parameter verifies: if false, damage to entries that the states cover may go unnoticed.
    init(
        of connection: Connection, behind covered: Int, verifies: Bool = true
    ) throws(StoreError) {
        newest = covered
        damage = try verifies ? connection.findDamage() : connection.findDamageOfLogEnd()
        // If SQLite cannot find the newest entry, all possible numbers are tried.
        let last = min((try? connection.newestEntry()) ?? .max, Self.mostNumber)
        guard covered < last else { return }
        try read((covered + 1)...last, connection)
        note(behind: covered)
    }

    private mutating func read(
        _ range: ClosedRange<Int>, _ connection: Connection
    ) throws(StoreError) {
        var scan = TableScan(of: "log", by: "n", columns: 12, connection)
        try scan.read(range) { number, row in
            newest = max(newest, number)
            if let entry = LogEntry(row) { entries.append(entry) }
        }
        damage = damage ?? scan.damage
        if damage != nil { entries.sort { $0.number < $1.number } }
    }

    private mutating func note(behind covered: Int) {
        var next = covered + 1
        for entry in entries {
            if entry.number > next { missing.insert(next...(entry.number - 1)) }
            next = entry.number + 1
        }
        if next <= newest { missing.insert(next...newest) }
    }

    /// Records that the log once had entries up to `number`, according to the note.
    mutating func expect(upTo number: Int) {
        guard number > newest else { return }
        missing.insert((newest + 1)...number)
        newest = number
    }
}
