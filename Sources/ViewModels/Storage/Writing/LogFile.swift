/// The connection to log.sqlite, and what is known of its write-ahead log (WAL).
///
/// A connection on which anything has failed is never used again: the kernel reports a failed sync
/// once, so a second try on the same handle would succeed and mean nothing. The connection is
/// closed, and the WAL is cut back to the last good commit, because frames of the failed commit may
/// be whole in it and would reappear. Before the next commit the file is opened again, and the WAL
/// must have exactly the good commits.
final class LogFile {
    private let opening: Opening
    private let path: String

    private(set) var connection: Connection? { didSet { hasConnectionFailed = false } }
    /// It is kept until the names of its files are back: a backup reads it.
    private var hasConnectionFailed = false
    private var files: OpenFiles?
    /// Without the states, a start could not read all of the log: see `Recovery`.
    private var states: OpenFiles?
    /// Frames in the WAL that belong to good commits and are not in the file yet; `nil` while that
    /// is not known.
    private var framesToKeep: Int?
    private var room = LogRoom()

    /// 32 MB: one commit in hundreds waits for a checkpoint, and reading so much after a crash
    /// takes 0.1 to 0.2 s.
    private static let framesPerCheckpoint = 8000

    init(_ opening: Opening) { (self.opening, path) = (opening, opening.folder.log) }

    // MARK: Transactions

    /// The connection for a transaction. Afterwards call `end`, or `abandon`.
    func begin() throws(StoreError) -> Connection {
        try keepFiles()
        try states?.verifyDatabase()
        return try connected()
    }

    /// The transaction was committed. Throws if that was to a file that is gone.
    func end() throws(StoreError) {
        try keepFiles()
        if let connection { framesToKeep = connection.framesInWAL }
    }

    /// Something has failed. If a file has lost its name, the connection alone has the content, and
    /// the WAL of that name may belong to another database: then both are left.
    func abandon() {
        guard files?.haveNames != false else {
            try? connection?.execute("ROLLBACK")  // No backup can be made in a transaction.
            hasConnectionFailed = connection != nil
            return
        }
        connection = nil
        // A failure here is repeated, and reported, before the file is opened again.
        try? cutWAL()
    }

    func connected() throws(StoreError) -> Connection {
        if hasConnectionFailed { abandon() }
        if let connection { return connection }
        try files?.verifyDatabase()
        try cutWAL()
        return try open { frames, expected in frames == expected }
    }

    /// After a failed sync: a connection that sees what is in the WAL, after a checkpoint that has
    /// synced it.
    func reopen() throws(StoreError) -> Connection {
        // A connection to a removed file is all that is left of it.
        try files?.verifyDatabase()
        connection = nil
        return try open { frames, expected in frames >= expected }
    }

    /// All that is in the WAL comes into the database.
    private func open(_ isWhole: (Int, Int) -> Bool) throws(StoreError) -> Connection {
        let new = try opening.connect(path)
        let frames = try new.checkpoint()
        if let framesToKeep, !isWhole(frames, framesToKeep) {
            throw .unsuitable(
                path: path, reason: "has \(frames) of \(framesToKeep) pages in its log")
        }
        (framesToKeep, files, connection) = (0, OpenFiles(of: path), new)
        if states == nil { states = OpenFiles(of: opening.folder.states) }
        return new
    }

    /// Throws if the database was removed or replaced. The connection can still read a WAL that was
    /// removed, so all of it goes into the database, and the next connection makes a new WAL.
    private func keepFiles() throws(StoreError) {
        guard let files else { return }
        try files.verifyDatabase()
        guard let connection, !files.hasWAL else { return }
        _ = try connection.checkpoint()
        framesToKeep = 0
        self.connection = nil
    }

    /// Afterwards the WAL has what must be kept, and nothing else.
    private func cutWAL() throws(StoreError) {
        guard let framesToKeep else { return }
        let wal = StoreFolder.wal(of: path)
        let length = LogRoom.length(of: framesToKeep, pageSize: Connection.pageSize)
        room = LogRoom()
        try File.cut(wal, to: length)
        guard try File.size(wal) ?? 0 == length else {
            throw .unsuitable(path: wal, reason: "is shorter than what has been written to it")
        }
    }

    // MARK: The write-ahead log

    func checkpoint() {
        guard let connection, !hasConnectionFailed else { return }
        do throws(StoreError) {
            try connection.checkpoint()
            framesToKeep = 0
        } catch {
            abandon()
        }
    }

    /// Keeps the WAL short, and makes room in it for later commits: once nobody waits for the last.
    func prepareForMore() {
        guard let connection, !hasConnectionFailed else { return }
        if connection.framesInWAL >= Self.framesPerCheckpoint { return checkpoint() }
        guard opening.durability == .full else { return }
        room.make(
            behind: connection.framesInWAL, most: Self.framesPerCheckpoint, inWALOf: path,
            pageSize: Connection.pageSize)
    }

    func close() {
        if hasConnectionFailed { abandon() }
        // Else SQLite would remove a WAL that belongs to another file.
        if (try? keepFiles()) != nil { try? connection?.removeWALOnClose() }
        connection = nil
    }
}
