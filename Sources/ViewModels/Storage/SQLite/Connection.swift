import CBusdSQLite

/// The one connection to a database file. It lives on one thread.
///
/// It never checkpoints by itself, neither after a commit nor when it is closed: a connection that
/// is dropped because it failed must not touch the files any more.
final class Connection {
    private let database: OpaquePointer
    private var statements: [String: Statement] = [:]  // text: SQL of ours
    /// Rows of a table are mostly written one after the other.
    private var latest: (sql: String, statement: Statement)?
    /// Those of the table, as far as it was read or written here.
    var recentKeys = RecentKeys()
    /// Why nothing can be written: the file is of an older version, and can't be brought to this
    /// one now. It is read as it will be then.
    var obstacle: StoreError?
    /// Frames in the write-ahead log after the last commit.
    private let frames: UnsafeMutablePointer<Int32>

    /// Opens a file that is there. Nothing is read yet. One that is opened `alone` can't be
    /// written, and no file beside it is read or made: of a log there SQLite knows nothing.
    init(path: String, alone: Bool = false) throws(SQLiteStatus) {
        var handle: OpaquePointer?
        Self.doNotCountMemory
        let access = alone ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(alone ? Self.immutable(path) : path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            try check(code, on: handle)
            throw SQLiteStatus(code: SQLITE_NOMEM, message: "out of memory")
        }
        database = handle
        frames = .allocate(capacity: 1)
        frames.initialize(to: 0)
        try prepare()
    }

    private static let doNotCountMemory: Void = { _ = busd_do_not_count_memory() }()

    /// See https://sqlite.org/uri.html. Every byte is escaped, so none means anything else.
    private static func immutable(_ path: String) -> String {
        let escaped = path.utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16) }
        return "file:\(escaped.joined())?immutable=1"
    }

    deinit {
        latest = nil
        statements = [:]
        sqlite3_close_v2(database)
        frames.deallocate()
    }

    private func prepare() throws(SQLiteStatus) {
        try check(busd_keep_log_on_close(database, 1), on: database)
        // Exclusive before anything is read: the index of the log then needs no file of its own.
        // What is deleted is overwritten: who reads a damaged file page by page must not find it.
        try execute(
            """
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA page_size = \(Pages.size);
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

    /// Writes go to a log first, and are on the disk when a commit returns; with `normal`
    /// durability when a checkpoint does.
    func useLog(_ durability: Durability) throws(SQLiteStatus) {
        guard try texts("PRAGMA journal_mode = WAL") == ["wal"] else {
            throw SQLiteStatus(code: SQLITE_CANTOPEN, message: "it can't have a write-ahead log")
        }
        let level = durability == .normal ? "NORMAL" : "FULL"
        try execute("PRAGMA synchronous = \(level); PRAGMA journal_size_limit = 33554432")
    }

    /// SQLite opens a file that may not be written for reading, and says nothing.
    var isReadOnly: Bool { sqlite3_db_readonly(database, "main") == 1 }

    var framesInLog: Int { Int(frames.pointee) }  // fits: 32 bits do

    /// Runs statements that take no values.
    func execute(_ sql: String) throws(SQLiteStatus) {
        try check(sqlite3_exec(database, sql, nil, nil, nil), on: database)
    }

    /// Prepared at first use, and kept.
    func statement(_ sql: String) throws(SQLiteStatus) -> Statement {
        if let latest, latest.sql == sql { return latest.statement }
        let statement = statements[sql]
        let found = if let statement { statement } else { try Statement(sql, on: database) }
        if statement == nil { statements[sql] = found }
        latest = (sql, found)
        return found
    }

    /// A statement for once.
    func once(_ sql: String) throws(SQLiteStatus) -> Statement {
        try Statement(sql, on: database)
    }

    func integer(_ sql: String) throws(SQLiteStatus) -> Int {
        try once(sql).firstInteger().flatMap { Int(exactly: $0) } ?? 0
    }

    /// The first column of all rows.
    func texts(_ sql: String) throws(SQLiteStatus) -> [String] {
        var texts: [String] = []
        try once(sql).forEach { row throws(SQLiteStatus) in
            texts.append(row.text(0) ?? "")
            return true
        }
        return texts
    }

    /// All or nothing. Where it throws, the connection is of no further use.
    func transaction(_ body: () throws(SQLiteStatus) -> Void) throws(SQLiteStatus) {
        try statement("BEGIN IMMEDIATE").run()
        try body()
        try statement("COMMIT").run()
    }

    /// Brings the log into the file. Returns how many frames the log had; afterwards none of them
    /// is needed any more.
    @discardableResult
    func checkpoint() throws(SQLiteStatus) -> Int {
        var (inLog, done): (Int32, Int32) = (0, 0)
        let mode = SQLITE_CHECKPOINT_PASSIVE
        try check(sqlite3_wal_checkpoint_v2(database, "main", mode, &inLog, &done), on: database)
        guard inLog == done else {
            throw SQLiteStatus(code: SQLITE_BUSY, message: "\(done) of \(inLog) frames copied")
        }
        frames.pointee = 0
        return max(0, Int(inLog))  // fits: 32 bits do
    }

    /// Closing will bring the log into the file and remove it.
    func removeLogOnClose() throws(SQLiteStatus) {
        try check(busd_keep_log_on_close(database, 0), on: database)
    }

    /// The most memory for pages.
    func setCache(kilobytes: Int) throws(SQLiteStatus) {
        try execute("PRAGMA cache_size = -\(kilobytes)")
    }

    /// Gives the pages back that reading has gathered.
    func releaseMemory() { sqlite3_db_release_memory(database) }
}
