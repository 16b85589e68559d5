import BusdProtocol

/// The readable entries of the log after the entry that the states cover.
struct LogTables {
    private(set) var entries: [LogEntry] = []
    /// Numbers without an undamaged row, up to `newest`.
    private(set) var missing = NumberList()
    private(set) var newest = 0
    let covered: Int
    /// Damage that SQLite found in the file.
    private(set) var damage: StoreError?

    /// The number of a damaged row may be damaged, too. It is believed if at most this many entries
    /// would be missing before it.
    private static let mostMissing = 1 << 20

    /// For a missing log.
    init(behind covered: Int, upTo noted: Int) {
        self.covered = covered
        newest = max(covered, noted)
        noteMissing()
    }

    /// - Parameters:
    ///   - noted: the log once had entries up to this number.
    ///   - verifies: if false, damage to entries that the states cover may go unnoticed.
    init(
        of connection: Connection, behind covered: Int, upTo noted: Int, verifies: Bool = true
    ) throws(StoreError) {
        self.covered = covered
        damage = try verifies ? connection.findDamage() : connection.findDamageOfLogEnd()
        let damaged = try read(connection)
        newest = max(covered, noted, entries.last?.number ?? 0)
        for number in damaged where number > newest {
            // fits: both are in `TableScan.numbers`
            if number - newest <= Self.mostMissing {
                newest = number
            } else {
                // Without damage to the file, the row would stay in it.
                damage = damage ?? .damage("the number of a row is damaged", path: connection.path)
                newest += 1
            }
        }
        noteMissing()
    }

    /// - Returns: the numbers of damaged rows, in order.
    private mutating func read(_ connection: Connection) throws(StoreError) -> [Int] {
        var scan = TableScan(of: "log", by: "n", columns: 12, connection)
        var damaged: [Int] = []
        try scan.readAll(after: covered) { number, row in
            if let entry = LogEntry(row) { entries.append(entry) } else { damaged.append(number) }
        }
        damage = damage ?? scan.damage
        if damage != nil { entries.sort { $0.number < $1.number } }
        return damaged.sorted()
    }

    private mutating func noteMissing() {
        var next = covered + 1
        for entry in entries {
            if entry.number > next { missing.insert(next...(entry.number - 1)) }
            next = entry.number + 1
        }
        if next <= newest { missing.insert(next...newest) }
    }
}
