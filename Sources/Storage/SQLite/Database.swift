import BusdProtocol
import CBusdSQLite

/// A connection to a database file. It is used on one thread at a time.
///
/// It never checkpoints by itself, neither after a commit nor when it is closed: a connection that
/// is dropped because it failed must not touch the files any more.
final class Database {
    static let pageSize = 4096

    enum Access {
        case writing
        /// Nothing is written, neither the file nor a file beside it.
        case reading
        /// As `reading`, but a write-ahead log beside the file is not read.
        case alone
    }

    let path: String
    private let access: Access
    private let database: OpaquePointer
    private var statements: [String: Statement] = [:]  // text: SQL of ours
    /// The same statement usually runs many times in a row.
    private var latest: (sql: String, statement: Statement)?
    /// Frames in the write-ahead log after the last commit.
    private let frames: UnsafeMutablePointer<Int32>

    /// Opens a file that exists. Nothing is read yet.
    init(path: String, _ access: Access = .writing) throws(StoreError) {
        var handle: OpaquePointer?
        Self.doNotCountMemory
        let reading = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        let mode = access == .writing ? SQLITE_OPEN_READWRITE : reading
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let name = access == .writing ? path : try Self.uri(path, access)
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            try check(code == SQLITE_OK ? SQLITE_NOMEM : code, on: handle, path)
            throw .damage("it cannot be opened", path: path)
        }
        (database, self.path, self.access) = (handle, path, access)
        frames = .allocate(capacity: 1)
        frames.initialize(to: 0)
        try prepare()
    }

    private static let doNotCountMemory: Void = { _ = busd_do_not_count_memory() }()

    /// See https://sqlite.org/uri.html. Every byte is escaped, so no byte has a special meaning.
    private static func uri(_ path: String, _ access: Access) throws(StoreError) -> String {
        let escaped = path.utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16) }
        let walSize = access == .reading ? try File.size(StoreFolder.wal(of: path)) : nil
        // An immutable file has no write-ahead log (WAL). To read a WAL, SQLite locks the file,
        // which needs write permission, unless its files have no locks.
        let option = walSize ?? 0 > 0 ? "vfs=unix-none" : "immutable=1"
        return "file:\(escaped.joined())?\(option)"
    }

    deinit {
        latest = nil
        statements = [:]
        sqlite3_close_v2(database)
        frames.deallocate()
    }

    private func prepare() throws(StoreError) {
        try check(busd_keep_log_on_close(database, 1), on: database, path)
        // Locking is made exclusive before the first read: then the index of the write-ahead log
        // needs no file. Deleted rows are overwritten, because they may hold password hashes.
        try execute(
            """
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA page_size = \(Self.pageSize);
            PRAGMA cache_size = -512;
            PRAGMA secure_delete = ON;
            PRAGMA cell_size_check = ON;
            PRAGMA trusted_schema = OFF;
            PRAGMA temp_store = MEMORY;
            PRAGMA wal_autocheckpoint = 0;
            """)
        sqlite3_wal_hook(
            database,
            { context, _, _, count in
                context?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, frames)
    }

    /// Writes go to a write-ahead log first. They are on the disk when a commit returns; with
    /// `normal` durability, when a checkpoint returns.
    func useWAL(_ durability: Durability) throws(StoreError) {
        guard try texts("PRAGMA journal_mode = WAL") == ["wal"] else {
            throw .unsuitable(path: path, reason: "can't have a write-ahead log")
        }
        let level = durability == .full ? "FULL" : "NORMAL"
        try execute("PRAGMA synchronous = \(level); PRAGMA journal_size_limit = 33554432")
    }

    /// For a new file that is not used until the caller has completed and synced it.
    func useNoJournal() throws(StoreError) {
        try execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }

    /// SQLite opens a file without write permission for reading, and reports no error.
    var isReadOnly: Bool { sqlite3_db_readonly(database, "main") == 1 }

    var framesInWAL: Int { Int(widening: frames.pointee) }

    /// Runs statements that take no values.
    func execute(_ sql: String) throws(StoreError) {
        try check(sqlite3_exec(database, sql, nil, nil, nil), on: database, path)
    }

    /// Prepares a statement at first use, and keeps it.
    func statement(_ sql: String) throws(StoreError) -> Statement {
        if let latest, latest.sql == sql { return latest.statement }
        let known = statements[sql]
        let statement = if let known { known } else { try Statement(sql, on: database, path) }
        if known == nil { statements[sql] = statement }
        latest = (sql, statement)
        return statement
    }

    func once(_ sql: String) throws(StoreError) -> Statement {
        try Statement(sql, on: database, path)
    }

    /// The first value; `nil` unless it is an integer.
    func integer(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int? {
        try once(sql).firstRow(values)?.first?.number
    }

    /// The first column of all rows.
    func texts(_ sql: String) throws(StoreError) -> [String] {
        var texts: [String] = []
        try once(sql).forEach { row throws(StoreError) in
            texts.append(row.first?.text ?? "")
            return true
        }
        return texts
    }

    /// Inserts a row, or replaces the row with the same key.
    func put(_ values: [SQLValue], into table: String) throws(StoreError) {
        let places = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        try statement("REPLACE INTO \(table) VALUES (\(places))").run(values)
    }

    /// The number of the row that was inserted last.
    var lastPlace: Int { Int(widening: sqlite3_last_insert_rowid(database)) }

    /// Commits all changes or none. If it throws, the transaction is still open: roll it back, or
    /// close the connection.
    func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try statement("BEGIN IMMEDIATE").run()
        try body()
        try statement("COMMIT").run()
    }

    /// Copies the write-ahead log into the file. Returns how many frames the log had; they are no
    /// longer needed.
    ///
    /// - Parameter emptiesWAL: true: also cuts the log to no bytes. Then 0 is returned.
    @discardableResult
    func checkpoint(emptiesWAL: Bool = false) throws(StoreError) -> Int {
        var (inWAL, done): (Int32, Int32) = (0, 0)
        let mode = emptiesWAL ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        try check(
            sqlite3_wal_checkpoint_v2(database, "main", mode, &inWAL, &done), on: database, path)
        guard inWAL == done else {
            throw .unsuitable(path: path, reason: "is used by another program")
        }
        frames.pointee = 0
        return max(0, Int(widening: inWAL))
    }

    /// Makes `deinit` copy the write-ahead log into the file and remove it.
    func removeWALOnClose() throws(StoreError) {
        try check(busd_keep_log_on_close(database, 0), on: database, path)
    }

    /// As `removeWALOnClose`, but reports a failure: then the write-ahead log stays.
    func saveAndRemoveWAL() throws(StoreError) {
        try checkpoint()
        try removeWALOnClose()
    }

    /// Finds damage to the structure of the file, and rows out of order, which a query would miss
    /// without an error. Damaged values are found by their checksums.
    func findDamage() throws(StoreError) -> StoreError? {
        try damage { () throws(StoreError) in
            // Only the last line describes the damage; the lines before it name the database.
            let first = try texts("PRAGMA integrity_check(1)").first
            let last = first?.utf8.split(separator: .lineFeed).last
            return first == "ok" ? nil : last.map { String(Substring($0)) }
        }
    }

    /// Finds damage by running a statement, and rolls the statement back.
    func findDamage(trying sql: String) throws(StoreError) -> StoreError? {
        try damage { () throws(StoreError) in
            try execute("BEGIN; \(sql); ROLLBACK")
            return nil
        }
    }

    private func damage(
        _ find: () throws(StoreError) -> String?
    ) throws(StoreError) -> StoreError? {
        do {
            if refusesWriting {
                return .damage("its header says that it may not be written", path: path)
            }
            return try find().map { .damage($0, path: path) }
        } catch  where error.isDamageOfRow {
            return error
        }
    }

    /// Whether the header of the file has a write version that SQLite does not know.
    private var refusesWriting: Bool {
        switch access {
        case .writing: isReadOnly && File.mayBeWritten(path)
        case .reading: File.read(path, most: 19)?.dropFirst(18).first ?? 0 > 2
        case .alone: false
        }
    }
}
