import CSQLite

/// How a store is opened: made where it is missing, brought to this version, and read. A damaged
/// one is set aside, and what is whole of it goes on in a new one.
struct Opening: Sendable {
    let folder: StoreFolder
    let durability: Durability
    let steps: [String]

    var database: String { folder.database }
    private var log: String { StoreFolder.log(of: database) }

    func open() throws(StoreError) -> (Connection, Loaded) {
        let findings = try reviveLog()
        do {
            try File.make(database)
            let connection = try connect()
            var loaded = try naming(database) { () throws(SQLiteStatus) in
                // All is read once. What is kept would come to lie behind what is let go.
                try connection.setCache(kilobytes: 128)
                try verify(connection)
                let loaded = try load(connection)
                try connection.setCache(kilobytes: 512)
                return loaded
            }
            loaded.findings = findings + loaded.findings
            return (connection, loaded)
        } catch .database(let status, _) where status.isDamage {
            return try salvage(after: status)
        } catch {
            // Reading alone makes one.
            try? File.removeIfEmpty(log)
            throw error
        }
    }

    /// SQLite removes the log of an empty file; it may be all that is left of a store. With a page
    /// in the file it looks for it in the log.
    private func reviveLog() throws(StoreError) -> [String] {
        guard try File.size(database) ?? 0 == 0, try File.size(log) ?? 0 > 0 else { return [] }
        try File.make(database)
        try File.extend(database, to: 4096)
        return ["\(database) is missing or empty: what its log has is served"]
    }

    /// A connection that keeps its word. Brings the file to this version.
    func connect() throws(StoreError) -> Connection {
        let migration = Migration(steps: steps, path: database)
        let connection = try naming(database) { () throws(SQLiteStatus) in
            try Connection(path: database)
        }
        let version = try migration.version(of: connection)
        try naming(database) { () throws(SQLiteStatus) in
            if connection.isReadOnly {
                throw SQLiteStatus(code: SQLITE_READONLY, message: "it may not be written")
            }
            try connection.useLog(durability)
        }
        try migration.run(from: version, on: connection)
        return connection
    }

    private func verify(_ connection: Connection) throws(SQLiteStatus) {
        let problems = try connection.texts("PRAGMA quick_check(1)")
        if let first = problems.first, first != "ok" { throw .damage(first) }
    }

    private func load(_ connection: Connection) throws(SQLiteStatus) -> Loaded {
        do throws(SQLiteStatus) {
            var loader = Loader(connection)
            return try loader.load(withKeys: false)
        } catch {
            // The tables are not those that the file's version has.
            throw error.primary == SQLITE_ERROR ? .damage(error.message) : error
        }
    }

    // MARK: Setting aside

    private var unusedName: String {
        var number = 1
        var name: String { "\(database).damaged-\(number)" }
        while File.exists(name) || File.exists(StoreFolder.log(of: name)) { number += 1 }
        return name
    }

    /// At any moment there is a store of this name, the damaged or the new one. So a daemon that
    /// dies here begins again.
    private func salvage(after status: SQLiteStatus) throws(StoreError) -> (Connection, Loaded) {
        var loaded = readDamaged()
        loaded.books = loaded.books.map { ($0, $1.withoutHoles) }
        let new = "\(database).new"
        try makeStore(of: loaded, at: new)
        loaded.keys = []
        let aside = unusedName
        try File.keep(database, as: aside)
        if File.exists(log) { try File.keep(log, as: StoreFolder.log(of: aside)) }
        // First, because it does not fit the new file.
        try File.remove(log)
        try File.rename(new, to: database)
        try File.sync(folder.path)
        loaded.findings =
            [
                "\(database) is damaged (\(status)); it is kept as \(aside), "
                    + "and \(loaded.games.count) games, \(loaded.books.count) books and "
                    + "\(loaded.users.count) users of it are served"
            ] + loaded.findings
        return (try connect(), loaded)
    }

    private func readDamaged() -> Loaded {
        do throws(SQLiteStatus) {
            let connection = try Connection(path: database)
            // Else SQLite reads nothing of a file that is shorter than it says.
            try connection.execute("PRAGMA writable_schema = ON")
            var loader = Loader(connection, isDamaged: true)
            return try loader.load(withKeys: true)
        } catch {
            return Loaded(findings: ["nothing of it can be read: \(error)"])
        }
    }

    private func makeStore(of loaded: Loaded, at path: String) throws(StoreError) {
        try File.remove(path)
        try File.remove(StoreFolder.log(of: path))
        try File.make(path)
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
        users = loaded.users.map { .put($0, hash: $1) }
        keys = loaded.keys
    }
}
