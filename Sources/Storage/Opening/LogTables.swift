import BusdProtocol

/// The readable entries of the log after the entry that the states cover.
struct LogTables {
    /// `nil`: they are not in memory, so `forEach` reads them again.
    private(set) var kept: [LogEntry]?
    /// Numbers without an undamaged row, up to `newest`.
    private(set) var missing = NumberList()
    private(set) var newest = 0
    /// Conditional entries that were applied: they have created the things of later entries.
    private(set) var creations: Set<Int> = []
    private var conditional: Set<Int> = []
    /// The time of the last entry.
    private(set) var lastTime = Instant.distantPast
    let covered: Int
    /// Damage that SQLite found in the file.
    private(set) var damage: StoreError?

    /// The number of a damaged row may be damaged, too. It is believed if at most this many entries
    /// would be missing before it.
    private static let mostMissing = 1 << 20

    /// They take about 15 MB. The states lack more only if rounds fail, or a rebuild was killed.
    static let mostKept = 1 << 15

    /// For a missing log.
    init(behind covered: Int, upTo noted: Int) {
        (self.covered, kept) = (covered, [])
        newest = max(covered, noted)
        noteMissing(behind: covered)
    }

    /// - Parameters:
    ///   - noted: the log once had entries up to this number.
    ///   - verifies: if false, damage to entries that the states cover may go unnoticed.
    ///   - mostKept: more entries are not kept in memory, unless the table is damaged: another scan
    ///     might miss some.
    init(
        of connection: Database, behind covered: Int, upTo noted: Int, verifies: Bool = true,
        mostKept: Int = mostKept
    ) throws(StoreError) {
        self.covered = covered
        damage = try verifies ? connection.findDamage() : connection.findDamageOfLogEnd()
        let end = max(0, (try? connection.newestEntry()) ?? 0)
        // fits: both are at least 0
        if end - covered <= mostKept || damage != nil { kept = [] }
        var (last, damaged) = try read(connection)
        if kept == nil, damage != nil {
            (kept, missing, creations, conditional) = ([], NumberList(), [], [])
            (last, damaged) = try read(connection)
        }
        newest = max(last, noted)
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
        noteMissing(behind: last)
    }

    /// - Returns: the number of the last entry, or `covered`; the numbers of damaged rows, in
    ///   order.
    private mutating func read(_ connection: Database) throws(StoreError) -> (Int, [Int]) {
        var scan = TableScan(of: "log", by: "n", columns: 12, connection)
        var (last, damaged): (Int, [Int]) = (covered, [])
        try scan.readAll(after: covered) { number, row in
            guard let entry = LogEntry(row) else { return damaged.append(number) }
            kept?.append(entry)
            if kept == nil { note(entry, after: &last) }
        }
        damage = damage ?? scan.damage
        if damage != nil { kept?.sort { $0.number < $1.number } }
        for entry in kept ?? [] { note(entry, after: &last) }
        return (last, damaged.sorted())
    }

    private mutating func note(_ entry: LogEntry, after last: inout Int) {
        if entry.number > last + 1 { missing.insert((last + 1)...(entry.number - 1)) }
        (last, lastTime) = (entry.number, entry.time)
        if entry.dependsOnLibrary { conditional.insert(entry.number) }
        if !entry.id.isEmpty, conditional.contains(entry.previous) {
            creations.insert(entry.previous)
        }
    }

    private mutating func noteMissing(behind last: Int) {
        if last < newest { missing.insert((last + 1)...newest) }
    }

    /// Calls `body` for each entry, in order.
    ///
    /// - Parameter connection: as for `init`.
    func forEach(
        in connection: Database?, _ body: (LogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        if let kept {
            for entry in kept { try body(entry) }
        } else if let connection {
            var scan = TableScan(of: "log", by: "n", columns: 12, connection)
            try scan.readAll(after: covered) { _, row throws(StoreError) in
                if let entry = LogEntry(row) { try body(entry) }
            }
            if let damage = scan.damage { throw damage }
        }
    }
}

extension LogEntry {
    /// Whether an effect of another entry on the library may have made this entry stale.
    var dependsOnLibrary: Bool { unchangedSince != nil && (isSentToLibrary || id.isEmpty) }
}
