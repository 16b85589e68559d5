import BusdProtocol
import BusdViewModels

/// Runs on the writer's thread: owns the connection, and commits one transaction after the other;
/// transactions that arrive during a commit go to disk as one.
///
/// A connection on which anything has failed is never used again: the kernel reports a failed sync
/// once, so a second try on the same handle would succeed and mean nothing. The connection is
/// closed, and the log is cut back to the last commit that succeeded, because a commit whose sync
/// failed may be whole in the log and would reappear. The next transaction opens the file again,
/// verifies that the log has exactly the commits to keep, and copies them into the database.
final class Writer {
    private let opening: Opening
    private let mailbox: Mailbox
    private let wake: @Sendable () -> Void

    private var connection: Connection? { didSet { hasConnectionFailed = false } }
    /// It is kept until the names of its files are back: a backup reads it.
    private var hasConnectionFailed = false
    private var files: OpenFiles?
    private var reserved = ReservedIDs()
    private var canReserve = true
    /// Frames in the log that belong to commits that succeeded and are not in the file yet; `nil`
    /// while that is not known.
    private var framesToKeep: Int?
    private var pageSize = 0
    private var room = LogRoom()
    private var pageLimit: Int?
    /// A commit has failed. Later ones depend on it, so nothing is written until the roll-back.
    private var hasFailed = false
    /// With `normal` durability, when what has been committed is to be on the disk.
    private var syncDue: Int?

    /// 32 MB of log: one commit in hundreds waits for a checkpoint. Reading the log after a crash
    /// takes 0.1 to 0.2 s.
    private static let framesPerCheckpoint = 8000
    /// Recent keys are sorted in before a checkpoint when there are so many: to do so takes 2 µs a
    /// key, and who reads those of an address meanwhile reads all of them.
    private static let recentKeys = 1024...32_768
    private var leastKeysToSort = Writer.recentKeys.lowerBound
    /// Milliseconds; a checkpoint takes its time too.
    private static let longestUnsynced = 500

    init(_ opening: Opening, mailbox: Mailbox, wake: @escaping @Sendable () -> Void) {
        self.opening = opening
        self.mailbox = mailbox
        self.wake = wake
    }

    func open() throws(StoreError) -> Loaded {
        let (connection, loaded) = try opening.open()
        pageSize = try naming(opening.database) { () throws(SQLiteStatus) in
            try connection.integer("PRAGMA page_size")
        }
        connection.releaseMemory()
        self.connection = connection
        files = OpenFiles(of: opening.database)
        reserved = loaded.reserved
        if let failure = loaded.reservingFailure { reservingEnded(.failure(failure)) }
        return loaded
    }

    /// Does what comes in, until the store is closed.
    func run() {
        checkpoint()
        var patience = Patience()
        while true {
            switch mailbox.next(within: untilSync, &patience) {
            case .commit where hasFailed: break
            case .commit(let transaction):
                commit([transaction] + mailbox.nextCommits())
                wake()
                checkpointWhenDue()
                makeRoom()
            case .goOn: hasFailed = false
            case .recall(let address):
                mailbox.recalled(address, keys(of: address))
                wake()
            case .copy(let path):
                mailbox.copyEnded(Result { () throws(StoreError) in try writable().copy(to: path) })
                wake()
            case .limit(let pages):
                pageLimit = pages
                if let connection { try? limit(connection) }
            case .close: return close()
            case nil: checkpoint()
            }
        }
    }

    // MARK: Jobs

    private func commit(_ transactions: [Transaction]) {
        var all = Transaction()
        for transaction in transactions { all.absorb(transaction) }
        switch commit(all) {
        case .success: for _ in transactions { mailbox.commitEnded(.success(())) }
        case .failure(let error): mailbox.commitEnded(.failure(error))
        }
    }

    private func commit(_ transaction: Transaction) -> Result<Void, StoreError> {
        do throws(StoreError) {
            try keepFiles()
            let connection = try writable()
            try naming(opening.database) { () throws(SQLiteStatus) in
                try connection.transaction { () throws(SQLiteStatus) in
                    try connection.write(transaction)
                }
            }
            try keepFiles()
            framesToKeep = connection.framesInLog
            reserveIDs(behind: transaction)
            return .success(())
        } catch {
            abandonConnection()
            hasFailed = true
            return .failure(error)
        }
    }

    /// Before anybody is told of them. A commit that is on the disk is not undone where this can't
    /// be done: the next one tries again.
    private func reserveIDs(behind transaction: Transaction) {
        let extended = reserved.extended(
            toGame: transaction.nextGame?.number, book: transaction.nextBook?.number)
        let isThere = File.exists(opening.folder.ids)
        guard let more = extended ?? (isThere ? nil : reserved) else { return }
        do throws(StoreError) {
            try more.write(to: opening.folder)
            reserved = more
            reservingEnded(.success(()))
        } catch {
            reservingEnded(.failure(error))
        }
    }

    /// Reports only a change.
    private func reservingEnded(_ outcome: Result<Void, StoreError>) {
        let isDone = (try? outcome.get()) != nil
        guard isDone != canReserve else { return }
        canReserve = isDone
        mailbox.reservingChanged(outcome)
    }

    private func keys(of address: Address) -> Mailbox.Recalled {
        do throws(StoreError) {
            let connection = try connected()
            let keys = try naming(opening.database) { () throws(SQLiteStatus) in
                try connection.keys(of: address)
            }
            return .success(keys)
        } catch {
            abandonConnection()
            return .failure(error)
        }
    }

    private func close() {
        if hasConnectionFailed { abandonConnection() }
        // Else SQLite would remove a log that belongs to another file.
        if (try? keepFiles()) != nil { try? connection?.removeLogOnClose() }
        connection = nil
    }

    // MARK: Checkpoints

    private func checkpointWhenDue() {
        guard let connection else { return }
        if opening.durability == .normal, syncDue == nil {
            syncDue = now() + Self.longestUnsynced
        }
        let isLong = connection.framesInLog >= Self.framesPerCheckpoint
        let hasManyKeys =
            connection.recentKeys.count >= max(Self.recentKeys.upperBound, leastKeysToSort)
        if isLong || hasManyKeys || untilSync == 0 { checkpoint() }
    }

    private func checkpoint() {
        syncDue = nil
        do throws(SQLiteStatus) {
            guard let connection, connection.obstacle == nil, !hasConnectionFailed else { return }
            // Not where it is not known yet up to where the log would be cut.
            if framesToKeep != nil { try sortRecentKeys(connection) }
            try connection.checkpoint()
            framesToKeep = 0
        } catch {
            abandonConnection()
        }
    }

    /// For the commits to come, once nobody waits for the last one.
    private func makeRoom() {
        guard let connection, opening.durability == .full, !hasConnectionFailed else { return }
        room.make(
            behind: connection.framesInLog, most: Self.framesPerCheckpoint,
            inLogOf: opening.database, pageSize: pageSize)
    }

    /// Where there is no room for it, the log is cut again, and more keys come before the next try.
    private func sortRecentKeys(_ connection: Connection) throws(SQLiteStatus) {
        guard connection.recentKeys.count >= leastKeysToSort else { return }
        leastKeysToSort = connection.recentKeys.count + Self.recentKeys.lowerBound
        try connection.transaction { () throws(SQLiteStatus) in
            try connection.sortRecentKeys()
        }
        leastKeysToSort = Self.recentKeys.lowerBound
        framesToKeep = connection.framesInLog
    }

    /// Milliseconds until what has been committed must be on the disk; -1 where all is.
    private var untilSync: Int32 {
        syncDue.map { Int32(clamping: max(0, $0 - now())) } ?? -1
    }

    private func now() -> Int { Int(Patience.monotonic() / 1_000_000) }  // fits: both have 64 bits

    // MARK: Removed files

    /// Before and after a commit: throws if the database was removed or replaced. The connection
    /// can still read a log that was removed, so all of it goes into the database, and the next
    /// connection makes a new log.
    private func keepFiles() throws(StoreError) {
        guard let files else { return }
        try files.verifyDatabase()
        guard let connection, !files.hasLog else { return }
        try naming(opening.database) { () throws(SQLiteStatus) in _ = try connection.checkpoint() }
        framesToKeep = 0
        self.connection = nil
    }

    // MARK: Trouble

    /// Closes the connection and cuts the log, unless a file has lost its name: then the connection
    /// alone has the content, and the log of that name may belong to another database.
    private func abandonConnection() {
        syncDue = nil
        guard files?.haveNames != false else {
            try? connection?.execute("ROLLBACK")  // No backup can be made in a transaction.
            hasConnectionFailed = connection != nil
            return
        }
        connection = nil
        // A failure here is repeated, and reported, before the file is opened again.
        try? cutLog()
    }

    /// Afterwards the log has what must be kept, and nothing else.
    private func cutLog() throws(StoreError) {
        guard let framesToKeep else { return }
        let log = StoreFolder.log(of: opening.database)
        let length = LogFile.length(of: framesToKeep, pageSize: pageSize)
        room = LogRoom()
        try File.cut(log, to: length)
        guard try File.size(log) ?? 0 == length else {
            throw .unsuitable(path: log, reason: "is shorter than what has been written to it")
        }
    }

    private func connected() throws(StoreError) -> Connection {
        if hasConnectionFailed { abandonConnection() }
        if let connection { return connection }
        try files?.verifyDatabase()
        try cutLog()
        let new = try opening.connect()
        files = OpenFiles(of: opening.database)
        guard new.obstacle == nil else {
            connection = new
            return new
        }
        let frames = try naming(opening.database) { () throws(SQLiteStatus) in
            try limit(new)
            return try new.checkpoint()
        }
        if let framesToKeep, frames != framesToKeep {
            throw .unsuitable(
                path: opening.database,
                reason: "has lost \(framesToKeep - frames) of \(framesToKeep) pages in its log")
        }
        framesToKeep = 0
        connection = new
        return new
    }

    /// Tries again to bring a file of an older version to this one.
    private func writable() throws(StoreError) -> Connection {
        if connection?.obstacle != nil { abandonConnection() }
        let connection = try connected()
        if let obstacle = connection.obstacle { throw obstacle }
        return connection
    }

    private func limit(_ connection: Connection) throws(SQLiteStatus) {
        if let pageLimit { try connection.execute("PRAGMA max_page_count = \(pageLimit)") }
    }
}
