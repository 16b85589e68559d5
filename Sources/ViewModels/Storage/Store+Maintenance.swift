// For a store that no daemon has open. Nothing of it is changed.

extension Store {
    /// Looks for what is not as it should be; whole is a store without findings.
    package static func check(folder: String) throws(StoreError) -> [String] {
        try Resting(folder).check()
    }

    /// The same of a copy, beside which nothing is read or made.
    package static func check(copy path: String) throws(StoreError) -> [String] {
        try FileStatus(of: path)?.requireRegular(path)
        return try Examination(path: path, alone: true, reserved: nil).findings()
    }

    /// Writes a consistent copy to a file, in place of one that is there. While the lock that it
    /// returns is held, no daemon opens the store, and no other copy is made.
    @discardableResult
    package static func backup(
        folder: String, to path: String
    ) throws(StoreError) -> FolderLock {
        let store = try Resting(folder)
        try store.copy(to: path)
        return store.lock
    }

    /// Whether the folder has files of a store.
    package static func isThere(folder: String) throws(StoreError) -> Bool {
        let folder = StoreFolder(path: folder)
        try folder.verify()
        let log = StoreFolder.log(of: folder.database)
        return [folder.database, log, folder.ids, folder.lock].contains { File.exists($0) }
    }
}

/// A store that is locked, and not opened for work.
private struct Resting {
    private let folder: StoreFolder
    private let path: String
    let lock: FolderLock
    private let hasForeignLog: Bool

    init(_ path: String) throws(StoreError) {
        folder = StoreFolder(path: path)
        self.path = folder.database
        try folder.verify()
        // A daemon that runs may still have a removed database open, and can copy it.
        let lock = File.exists(folder.lock) ? try FolderLock(folder) : nil
        let (size, loss) = (try File.size(self.path), try folder.loss)
        guard size != nil || loss != nil else {
            throw .unsuitable(path: self.path, reason: "is not there")
        }
        self.lock = if let lock { lock } else { try FolderLock(folder) }
        hasForeignLog = LogFile.isForeign(to: self.path)
    }

    func copy(to path: String) throws(StoreError) {
        defer { try? File.removeIfEmpty(StoreFolder.log(of: self.path)) }
        if hasForeignLog { throw .unsuitable(path: self.path, reason: Self.foreignLog) }
        if let loss = try folder.loss { throw .unsuitable(path: self.path, reason: loss) }
        if try folder.hasOnlyLog { throw .unsuitable(path: self.path, reason: Self.onlyLog) }
        if let damage = LogFile(of: self.path).damage {
            throw .database(damage, path: self.path)
        }
        let connection = try naming(self.path) { () throws(SQLiteStatus) in
            try Connection(path: self.path)
        }
        try connection.copy(to: path)
    }

    private static let onlyLog =
        "is missing or empty: a daemon that opens it serves what its log has"

    private static let foreignLog =
        "is a copy beside the log of another file: a daemon that opens it sets that log aside"

    func check() throws(StoreError) -> [String] {
        defer { try? File.removeIfEmpty(StoreFolder.log(of: path)) }
        var findings = hasForeignLog ? ["\(path) \(Self.foreignLog)"] : []
        if let loss = try folder.loss { return ["\(path) \(loss)"] }
        // SQLite would remove the log of an empty file.
        if !hasForeignLog, try folder.hasOnlyLog { return ["\(path) \(Self.onlyLog)"] }
        let reserved = ReservedIDs(of: folder)
        if reserved == nil && File.exists(folder.ids) {
            findings.append("\(folder.ids) is damaged")
        }
        let examination = Examination(path: path, alone: hasForeignLog, reserved: reserved)
        return findings + (try examination.findings())
    }
}

/// A look at all that is in a file.
private struct Examination {
    let path: String
    /// Without its log, or any other file beside it.
    let alone: Bool
    let reserved: ReservedIDs?

    func findings() throws(StoreError) -> [String] {
        var damage: [String] = []
        do {
            let connection = try naming(path) { () throws(SQLiteStatus) in
                try Connection(path: path, alone: alone)
            }
            let migration = Migration(steps: Schema.steps, path: path)
            let version = try migration.version(of: connection)
            damage = try self.damage(connection)
            if damage.isEmpty, version == 0, reserved == nil { return [] }
            // An older one that can't be written is read without SQLite.
            if damage.isEmpty, !alone || version == Schema.steps.count {
                try migration.rehearse(on: connection)
                return try rows(connection)
            }
        } catch .database(let status, _) where status.isDamage {
            damage = [status.description]
        }
        // What a daemon will say that opens it.
        return damage + Salvage(path, reserved: reserved, alone: alone).loaded.findings
    }

    private func damage(_ connection: Connection) throws(StoreError) -> [String] {
        if !alone, let damage = LogFile(of: path).damage { return [damage.description] }
        return try naming(path) { () throws(SQLiteStatus) in
            try connection.texts("PRAGMA integrity_check").filter { $0 != "ok" }
        }
    }

    private func rows(_ connection: Connection) throws(StoreError) -> [String] {
        try naming(path) { () throws(SQLiteStatus) in
            try connection.findRecentKeys()
            let strays = try connection.texts("PRAGMA foreign_key_check")
            var loader = Loader(connection, reserved: reserved ?? ReservedIDs())
            return strays.map { "\($0) has a row of what is not there" }
                + (try loader.load(withKeys: true).findings)
        }
    }
}
