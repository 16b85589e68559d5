import BusdEventLoop

/// The connection to log.sqlite, and the known length of its write-ahead log (WAL).
///
/// A connection is not used again after a failure: the kernel reports a failed sync only once, so a
/// second sync on the same handle would succeed without writing. The connection is closed, and the
/// WAL is cut back to the last good commit, because it may hold complete frames of the failed
/// commit, which would reappear. Before the next commit the file is opened again, and the WAL must
/// have exactly the good commits.
final class LogFile {
    private let opening: Opening
    private let path: String

    private(set) var connection: Database? { didSet { hasConnectionFailed = false } }
    /// The connection is only kept because its files have lost their names: a backup can read it.
    private var hasConnectionFailed = false
    private var files: OpenFiles?
    /// Verified before each transaction: without state.sqlite, a start could not apply all entries.
    private var states: OpenFiles?
    /// Frames in the WAL that belong to good commits and are not in the file yet; `nil`: unknown.
    private var framesToKeep: Int?
    private var preallocation = Preallocation()
    private var watch = WALWatch()
    /// The WAL was removed, and what only the WAL had was saved.
    private var hasSavedRemovedWAL = false

    /// 32 MB. One commit in hundreds waits for a checkpoint. After a crash, a start reads a WAL of
    /// this size in 0.1 to 0.2 s.
    private static let framesPerCheckpoint = 8000

    init(_ opening: Opening) { (self.opening, path) = (opening, opening.folder.log) }

    // MARK: Transactions

    /// Returns the connection for a transaction. After it, call `end`, or `abandon` if it failed.
    func begin() throws(StoreError) -> Database {
        try keepFiles()
        try states?.verifyDatabase()
        return try connected()
    }

    /// Call this after a commit. Throws if the commit went to a removed file.
    func end() throws(StoreError) {
        try keepFiles()
        if let connection { framesToKeep = connection.framesInWAL }
        watch.noteCommit(at: MonotonicClock.milliseconds)
    }

    /// Call this after a failure: closes the connection, and cuts the WAL. If a file has lost its
    /// name, only the connection has the content, and the WAL of that name may belong to another
    /// database. Then the connection stays open, and the WAL is not changed.
    func abandon() {
        guard files?.haveNames != false else {
            try? connection?.execute("ROLLBACK")  // No backup can be made in a transaction.
            hasConnectionFailed = connection != nil
            return
        }
        connection = nil
        // If this fails, `connected` tries again, and throws.
        try? cutWAL()
    }

    func connected() throws(StoreError) -> Database {
        if hasConnectionFailed { abandon() }
        if let connection { return connection }
        try files?.verifyDatabase()
        try cutWAL()
        return try open { frames, expected in frames == expected }
    }

    /// For use after a failed sync: opens a connection that reads all of the WAL, and syncs it by a
    /// checkpoint.
    func reopen() throws(StoreError) -> Database {
        // If the file was removed, only the connection has its content.
        try files?.verifyDatabase()
        connection = nil
        return try open { frames, expected in frames >= expected }
    }

    /// Copies the WAL into the database. `isWhole` compares the frames in the WAL with
    /// `framesToKeep`.
    private func open(_ isWhole: (Int, Int) -> Bool) throws(StoreError) -> Database {
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

    /// Throws if the database was removed or replaced. If the WAL was removed, the connection can
    /// still read it: it is copied into the database, and the next connection makes a new WAL.
    private func keepFiles() throws(StoreError) {
        guard let files else { return }
        try files.verifyDatabase()
        guard let connection, !files.hasWAL else { return }
        let isEmpty = connection.framesInWAL == 0
        _ = try connection.checkpoint()
        if !isEmpty { hasSavedRemovedWAL = true }
        framesToKeep = 0
        self.connection = nil
    }

    /// Cuts the WAL to the frames that must be kept.
    private func cutWAL() throws(StoreError) {
        guard let framesToKeep else { return }
        let wal = StoreFolder.wal(of: path)
        let length = Preallocation.length(of: framesToKeep, pageSize: Database.pageSize)
        preallocation = Preallocation()
        try File.cut(wal, to: length)
        guard try File.size(wal) ?? 0 == length else {
            throw .unsuitable(path: wal, reason: "is shorter than what has been written to it")
        }
    }

    // MARK: The write-ahead log

    /// Milliseconds until `lookAfterWAL` has something to do; -1: it has not.
    var untilLook: Int32 { watch.wait(at: MonotonicClock.milliseconds) }

    /// Saves the content of a WAL that was removed. After a failure, the next call tries again.
    ///
    /// - Returns: whether a WAL with content was removed since the last call.
    func lookAfterWAL() -> Bool {
        let isEmpty = connection?.framesInWAL ?? 0 == 0
        let step = watch.next(isEmpty: isEmpty, at: MonotonicClock.milliseconds)
        if step != .none, (try? keepFiles()) != nil, step == .checkpoint { checkpoint() }
        defer { hasSavedRemovedWAL = false }
        return hasSavedRemovedWAL
    }

    func checkpoint() {
        guard let connection, !hasConnectionFailed else { return }
        do throws(StoreError) {
            try connection.checkpoint()
            framesToKeep = 0
        } catch {
            abandon()
        }
    }

    /// Copies the WAL into the database, and empties it: it holds removed entries until then.
    func emptyWAL() throws(StoreError) {
        guard let connection, !hasConnectionFailed else { return }
        try connection.checkpoint(emptiesWAL: true)
        (framesToKeep, preallocation) = (0, Preallocation())
    }

    /// Empties the WAL, and overwrites bytes of the database that no row uses, in a portion.
    ///
    /// - Returns: the next page; `nil`: there are no more.
    func overwriteUnused(from page: Int) throws(StoreError) -> Int? {
        try keepFiles()
        _ = try connected()
        try emptyWAL()
        // A connection has pages in memory, with the old bytes.
        connection = nil
        let next = try UnusedBytes.overwrite(path, from: page)
        _ = try connected()
        return next
    }

    /// Keeps the WAL short, and makes room in it for later commits. Call this when the outcome of a
    /// commit has been reported, so that no request waits for it.
    func prepareForMore() {
        guard let connection, !hasConnectionFailed else { return }
        if connection.framesInWAL >= Self.framesPerCheckpoint { return checkpoint() }
        guard opening.durability == .full else { return }
        preallocation.make(
            behind: connection.framesInWAL, most: Self.framesPerCheckpoint, inWALOf: path,
            pageSize: Database.pageSize)
    }

    /// Copies the WAL into the database, and removes it.
    ///
    /// - Returns: whether a WAL with content was removed since the last call of `lookAfterWAL`.
    func close() throws(StoreError) -> Bool {
        if hasConnectionFailed { abandon() }
        defer { connection = nil }
        // Without this check, SQLite could remove a WAL that belongs to another file.
        try keepFiles()
        try connection?.saveAndRemoveWAL()
        return hasSavedRemovedWAL
    }
}
