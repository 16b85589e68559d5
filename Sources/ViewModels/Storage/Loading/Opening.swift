import BusdProtocol
import BusdViewModels
import CBusdSQLite

/// How a store is opened: made where it is missing, brought to this version, and read. A damaged
/// one is set aside, and what is whole of it goes on in a new one.
struct Opening: Sendable {
    let folder: StoreFolder
    let durability: Durability
    let steps: [String]

    var database: String { folder.database }
    private var log: String { StoreFolder.log(of: database) }
    private var migration: Migration { Migration(steps: steps, path: database) }

    func open() throws(StoreError) -> (Connection, Loaded) {
        let finding = try setForeignLogAside()
        let reserved = ReservedIDs(of: folder)
        var (connection, loaded) = try open(reserved)
        if let finding { loaded.findings.insert(finding, at: 0) }
        loaded.reserved = reserved ?? ReservedIDs()
        if let obstacle = connection.obstacle {
            loaded.findings.append(
                "\(database) is of an older version, and can't be changed (\(obstacle)): "
                    + "it is served, and what is new is refused until it can")
        }
        var right = loaded.reserved
        right.games = max(right.games, loaded.nextGame.number)
        right.books = max(right.books, loaded.nextBook.number)
        guard right != reserved else { return (connection, loaded) }
        let isDamaged = reserved == nil && File.exists(folder.ids)
        do {
            try write(right, connection)
            loaded.reserved = right
            if isDamaged {
                loaded.findings.append("\(folder.ids) is damaged: it is written anew")
            }
        } catch {
            // The writer tries again.
            loaded.reservingFailure = error
        }
        return (connection, loaded)
    }

    /// It says that there is a store, so that must be on the disk.
    private func write(
        _ reserved: ReservedIDs, _ connection: Connection
    ) throws(StoreError) {
        if let obstacle = connection.obstacle { throw obstacle }
        try naming(database) { () throws(SQLiteStatus) in _ = try connection.checkpoint() }
        try reserved.write(to: folder)
    }

    private func open(_ reserved: ReservedIDs?) throws(StoreError) -> (Connection, Loaded) {
        if let reserved, let loss = try folder.loss { return try begin(after: loss, reserved) }
        let findings = try reviveLog()
        do {
            try File.make(database)
            let connection = try connect { version throws(StoreError) in
                try verify(version: version, reserved)
            }
            var loaded = try naming(database) { () throws(SQLiteStatus) in
                // All is read once. What is kept would come to lie behind what is let go.
                try connection.setCache(kilobytes: 128)
                try connection.checkIntegrity()
                let loaded = try load(connection, reserved)
                try connection.setCache(kilobytes: 512)
                return loaded
            }
            loaded.findings = findings + loaded.findings
            return (connection, loaded)
        } catch .database(let status, _) where status.isDamage {
            return try salvage(after: status, reserved)
        } catch {
            // Reading alone makes one.
            try? File.removeIfEmpty(log)
            throw error
        }
    }

    /// SQLite removes the log of an empty file. With a page in the file it looks for it in the log.
    private func reviveLog() throws(StoreError) -> [String] {
        guard try folder.hasOnlyLog else { return [] }
        try File.make(database)
        try File.extend(database, to: Pages.size)
        return ["\(database) is missing or empty: what its log has is served"]
    }

    /// A connection that keeps its word. Brings the file to this version, unless `verify` minds the
    /// one that it has. Where the disk is full, or fails, what is there can be read all the same.
    func connect(
        _ verify: (Int) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) -> Connection {
        let connection: Connection
        switch try migrated(verify) {
        case .success(let migrated): connection = migrated
        case .failure(let obstacle):
            connection = try unchanged(verify)
            try migration.rehearse(on: connection)
            connection.obstacle = obstacle
        }
        try naming(database) { () throws(SQLiteStatus) in
            try blamingFile { () throws(SQLiteStatus) in try connection.findRecentKeys() }
        }
        return connection
    }

    /// Of this version, or why the file can't be brought to it now.
    private func migrated(
        _ verify: (Int) throws(StoreError) -> Void
    ) throws(StoreError) -> Result<Connection, StoreError> {
        let connection = try unchanged(verify)
        let version = try migration.version(of: connection)
        do {
            try migration.run(from: version, on: connection)
            return .success(connection)
        } catch {
            guard version > 0, !error.isDamage else { throw error }
            return .failure(error)
        }
    }

    /// Of the version that the file has.
    private func unchanged(
        _ verify: (Int) throws(StoreError) -> Void
    ) throws(StoreError) -> Connection {
        // SQLite would wait for the other end of a FIFO.
        try folder.verify()
        let connection = try naming(database) { () throws(SQLiteStatus) in
            try Connection(path: database)
        }
        try verify(migration.version(of: connection))
        try naming(database) { () throws(SQLiteStatus) in
            if connection.isReadOnly {
                throw File.mayBeWritten(database)
                    ? .damage("its head says that it may not be written")
                    : SQLiteStatus(code: SQLITE_READONLY, message: "it may not be written")
            }
            try blamingFile { () throws(SQLiteStatus) in try connection.useLog(durability) }
        }
        return connection
    }

    /// SQLite takes a log that is broken for one that ends there, and a file of which only the head
    /// is left for a new one.
    private func verify(version: Int, _ reserved: ReservedIDs?) throws(StoreError) {
        if let damage = LogFile(of: database).damage { throw .database(damage, path: database) }
        if version == 0, reserved != nil {
            throw .database(.damage("there is nothing in it"), path: database)
        }
    }

    private func load(
        _ connection: Connection, _ reserved: ReservedIDs?
    ) throws(SQLiteStatus) -> Loaded {
        try blamingFile { () throws(SQLiteStatus) in
            var loader = Loader(connection, reserved: reserved ?? ReservedIDs())
            return try loader.load(withKeys: false)
        }
    }

    // MARK: Setting aside

    private func unusedName(_ why: String) -> String {
        var number = 1
        var name: String { "\(database).\(why)-\(number)" }
        while File.exists(name) || File.exists(StoreFolder.log(of: name)) { number += 1 }
        return name
    }

    private func setForeignLogAside() throws(StoreError) -> String? {
        guard LogFile.isForeign(to: database) else { return nil }
        let aside = StoreFolder.log(of: unusedName("replaced"))
        try File.rename(log, to: aside)
        try File.syncFolder(folder.path)
        return "\(database) is a copy that was put in place of another file: it is served, and "
            + "the log of that file is kept as \(aside) and not used"
    }

    /// At any moment there is a store of this name, the damaged or the new one. So a daemon that
    /// dies here begins again.
    private func salvage(
        after status: SQLiteStatus, _ reserved: ReservedIDs?
    ) throws(StoreError) -> (Connection, Loaded) {
        var loaded = Salvage(database, reserved: reserved).loaded
        loaded.books = loaded.books.map { ($0, $1.withoutHoles) }
        let aside = unusedName("damaged")
        loaded.findings.insert(
            "\(database) is damaged (\(status)); it is kept as \(aside), "
                + "and \(loaded.games.count) games, \(loaded.books.count) books and "
                + "\(loaded.users.count) users of it are served", at: 0)
        return try goOn(with: loaded) { () throws(StoreError) in
            try File.keep(database, as: aside)
            // Reading alone makes one.
            try File.removeIfEmpty(log)
            if File.exists(log) { try File.keep(log, as: StoreFolder.log(of: aside)) }
            // First, because it does not fit the new file.
            try File.remove(log)
        }
    }

    /// A new store, in which no id is that of a thing in the one that is gone.
    private func begin(
        after loss: String, _ reserved: ReservedIDs
    ) throws(StoreError) -> (Connection, Loaded) {
        var loaded = Loaded(findings: ["\(database) \(loss)"])
        loaded.nextGame = GameID(reserved.games) ?? .first
        loaded.nextBook = BookID(reserved.books) ?? .first
        return try goOn(with: loaded) {}
    }

    /// In a new file, which takes the place of the one that `setAside` keeps.
    private func goOn(
        with loaded: Loaded, _ setAside: () throws(StoreError) -> Void
    ) throws(StoreError) -> (Connection, Loaded) {
        let new = "\(database).new"
        try makeStore(of: loaded, at: new)
        try setAside()
        try File.rename(new, to: database)
        try File.syncFolder(folder.path)
        var loaded = loaded
        loaded.keys = []
        return (try connect(), loaded)
    }

    private func makeStore(of loaded: Loaded, at path: String) throws(StoreError) {
        try File.remove(StoreFolder.log(of: path))
        try File.makeNew(path)
        let connection = try naming(path) { () throws(SQLiteStatus) in
            let connection = try Connection(path: path)
            try connection.useLog(.full)
            return connection
        }
        try Migration(steps: steps, path: path).run(from: 0, on: connection)
        try naming(path) { () throws(SQLiteStatus) in
            try connection.transaction { () throws(SQLiteStatus) in
                try connection.write(Transaction(all: loaded))
            }
            try connection.checkpoint()
            try connection.removeLogOnClose()
        }
    }
}

extension Transaction {
    /// Writes a whole store.
    fileprivate init(all loaded: Loaded) {
        games = loaded.games.map { .put($0, $1, before: nil) }
        nextGame = loaded.nextGame
        books = loaded.books.map { .put($0, $1, before: nil) }
        nextBook = loaded.nextBook
        users = loaded.users.map { .put($0.text, hash: $1) }
        keys = loaded.keys
    }
}
