// For a store that no daemon has open. Nothing of it is changed.

extension Store {
    /// Looks for what is not as it should be; whole is a store without findings.
    package static func check(folder: String) throws(StoreError) -> [String] {
        try Resting(folder).check()
    }

    /// Writes a consistent copy to a file, in place of one that is there.
    package static func backup(folder: String, to path: String) throws(StoreError) {
        try Resting(folder).copy(to: path)
    }
}

/// A store that is locked, and not opened for work.
private struct Resting {
    private let path: String
    private let lock: FolderLock

    init(_ folder: String) throws(StoreError) {
        let folder = StoreFolder(path: folder)
        path = folder.database
        guard try File.size(path) != nil else {
            throw .unsuitable(path: path, reason: "is not there")
        }
        lock = try FolderLock(folder)
    }

    func copy(to path: String) throws(StoreError) {
        defer { try? File.removeIfEmpty(StoreFolder.log(of: self.path)) }
        try connect().copy(to: path)
    }

    private func connect() throws(StoreError) -> Connection {
        try naming(path) { () throws(SQLiteStatus) in try Connection(path: path) }
    }

    func check() throws(StoreError) -> [String] {
        defer { try? File.removeIfEmpty(StoreFolder.log(of: path)) }
        return try findings()
    }

    private func findings() throws(StoreError) -> [String] {
        let connection = try connect()
        do {
            let migration = Migration(steps: Schema.steps, path: path)
            let version = try migration.version(of: connection)
            return try naming(path) { () throws(SQLiteStatus) in
                let findings = try structure(connection)
                // The rows of an older version are read when it has been brought to this one.
                guard findings.isEmpty, version == Schema.steps.count else { return findings }
                var loader = Loader(connection)
                return try loader.load(withKeys: true).findings
            }
        } catch .database(let status, _) where status.isDamage {
            return [status.description]
        }
    }

    private func structure(_ connection: Connection) throws(SQLiteStatus) -> [String] {
        let problems = try connection.texts("PRAGMA integrity_check").filter { $0 != "ok" }
        let strays = try connection.texts("PRAGMA foreign_key_check")
        return problems + strays.map { "\($0) has a row of what is not there" }
    }
}
