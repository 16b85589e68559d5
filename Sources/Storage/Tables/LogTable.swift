import BusdProtocol

// The table `log`.

extension LogEntry {
    fileprivate static let columns =
        "INTO log VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
    /// Versions of the format of the body: an action, or a state.
    private static let (action, state) = (1, 2)

    fileprivate var row: [SQLValue] {
        [
            .integer(number), .integer(time.microseconds), .text(kind), .text(id),
            .integer(previous), sender.map { .text($0) } ?? .null,
            .integer(holdsState ? Self.state : Self.action),
            key.map { .integer(Int64(bitPattern: $0.bits)) } ?? .null,
            .integer(isSentToLibrary ? 1 : 0), .integer(orNull: unchangedSince), .blob(body),
        ].withChecksum
    }

    /// The column `by`.
    private var sender: String? {
        // The name of a client may have tabs.
        let isPlain = by?.utf8.contains(UInt8(ascii: "\t")) != true
        guard uid != nil || daemon != nil || !isPlain else { return by }
        return "\(by ?? "")\t\(uid.map { String($0) } ?? "")\t\(daemon ?? "")"
    }

    private mutating func read(sender: String) {
        let tab = UInt8(ascii: "\t")
        let parts = sender.utf8.split(separator: tab, omittingEmptySubsequences: false)
        guard parts.count > 2 else {
            by = sender
            return
        }
        // A name may have tabs, too.
        let name = Array(parts.dropLast(2).joined(separator: [tab]))
        by = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
        uid = Int(Substring(parts[parts.count - 2]))  // fits: else nil
        daemon = parts.last.flatMap { $0.isEmpty ? nil : String(Substring($0)) }
    }

    /// `nil` if the row is damaged.
    init?(_ row: [SQLValue]) {
        guard row.count == 12, row.isWhole, let number = row[0].rowNumber,
            let time = row[1].instant, let kind = row[2].text, let id = row[3].text,
            let previous = row[4].rowNumber, let version = row[6].number,
            version == Self.action || version == Self.state, let body = row[10].blob,
            row[9] == .null || row[9].rowNumber != nil
        else { return nil }
        self.init(
            number: number, time: time, kind: kind, id: id, previous: previous, body: body)
        if let sender = row[5].text { read(sender: sender) }
        key = row[7].integer.map { SendKey(bits: UInt64(bitPattern: $0)) }
        isSentToLibrary = row[8].number == 1
        unchangedSince = row[9].number
        holdsState = version == Self.state
    }
}

extension Database {
    func insert(_ entries: [LogEntry]) throws(StoreError) {
        let statement = try statement("INSERT \(LogEntry.columns)")
        for entry in entries { try statement.run(entry.row) }
    }

    func replace(_ entry: LogEntry) throws(StoreError) {
        try statement("REPLACE \(LogEntry.columns)").run(entry.row)
    }

    /// `nil` if the entry is missing or damaged.
    func entry(_ number: Int) throws(StoreError) -> LogEntry? {
        try statement("SELECT * FROM log WHERE n = ?1").firstRow([.integer(number)])
            .flatMap(LogEntry.init)
    }

    func deleteEntry(_ number: Int) throws(StoreError) {
        try statement("DELETE FROM log WHERE n = ?1").run([.integer(number)])
    }

    /// The next entries after `number`, at most up to `last` or the newest.
    ///
    /// - Parameter kinds: `nil`: the entries of all kinds.
    func entries(
        after number: Int, upTo last: Int?, of kinds: [String]? = nil
    ) throws(StoreError) -> LogPortion {
        var portion = LogPortion(newest: try newestEntry())
        var values: [SQLValue] = [.integer(number), .integer(last ?? portion.newest)]
        values += (kinds ?? []).map { .text($0) }
        let places = values.indices.dropFirst(2).map { "?\($0 + 1)" }.joined(separator: ", ")
        let condition = "n > ?1 AND n <= ?2 \(kinds == nil ? "" : "AND kind IN (\(places))")"
        let sql = "SELECT * FROM log WHERE \(condition) ORDER BY n LIMIT 256"
        var bytes = 0
        try statement(sql).forEach(values) { row throws(StoreError) in
            portion.last = row[0].number ?? number
            guard let entry = LogEntry(row) else {
                portion.damaged.append(portion.last)
                return true
            }
            portion.entries.append(entry)
            bytes += entry.body.count
            return bytes < LogPortion.mostBytes
        }
        return portion
    }

    /// Finds damage at the end of the log, where entries are appended.
    func findDamageOfLogEnd() throws(StoreError) -> StoreError? {
        let row = "NULL, 0, '', '', 0, NULL, 0, NULL, 0, NULL, x'', 0"
        return try findDamage(trying: "INSERT INTO log VALUES (\(row))")
    }

    /// Bytes of the pages that are in use.
    func usedBytes() throws(StoreError) -> Int {
        let pages = try integer("PRAGMA page_count") ?? 0
        let free = try integer("PRAGMA freelist_count") ?? 0
        return max(0, pages - free) &* Self.pageSize
    }

    func newestEntry() throws(StoreError) -> Int { try integer("SELECT max(n) FROM log") ?? 0 }
}

/// Consecutive rows of the log.
struct LogPortion: Sendable {
    /// A portion ends when the bodies of its entries have this many bytes.
    fileprivate static let mostBytes = 1 << 20

    var entries: [LogEntry] = []
    /// Numbers of damaged rows.
    var damaged: [Int] = []
    /// The number of the last row; 0: there are no more rows.
    var last = 0
    /// The number of the newest row of the log.
    var newest: Int
}
