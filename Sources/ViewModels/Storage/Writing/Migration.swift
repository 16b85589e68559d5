/// Brings a file to the version that this program knows.
struct Migration {
    let steps: [String]
    let path: String

    /// Versions are counted: there will never be so many.
    private static let most = 255

    /// What this program can work with: 0, for a new file, to the last step. Nothing is written.
    func version(of connection: Connection) throws(StoreError) -> Int {
        let version = try naming(path) { () throws(SQLiteStatus) in
            let version = try blamingFile { () throws(SQLiteStatus) in
                try connection.integer("PRAGMA user_version")
            }
            if version == 0, try connection.integer("SELECT count(*) FROM sqlite_schema") > 0 {
                throw SQLiteStatus.damage("it has tables and no version")
            }
            guard 0...Self.most ~= version else {
                throw SQLiteStatus.damage("its version is \(version)")
            }
            return version
        }
        guard 0...steps.count ~= version else {
            throw .tooNew(path: path, version: version, known: steps.count)
        }
        return version
    }

    /// All the steps that are missing, or none. A copy of the older file is kept beside it.
    func run(from version: Int, on connection: Connection) throws(StoreError) {
        guard version < steps.count else { return }
        if version > 0 { try connection.copy(to: "\(path).version-\(version)") }
        try naming(path) { () throws(SQLiteStatus) in
            try connection.transaction { () throws(SQLiteStatus) in
                try take(from: version, on: connection)
                try connection.execute("PRAGMA user_version = \(steps.count)")
            }
        }
    }

    /// Takes the steps that are missing in a transaction that stays open, so what is read is as it
    /// will be, and the file is as it was. Throws where the steps can't be taken.
    func rehearse(on connection: Connection) throws(StoreError) {
        let version = try version(of: connection)
        guard version < steps.count else { return }
        try naming(path) { () throws(SQLiteStatus) in
            try connection.execute("PRAGMA cache_spill = OFF; BEGIN")
            try take(from: version, on: connection)
        }
    }

    /// Where a step can't be taken, the version is not what the file says.
    private func take(from version: Int, on connection: Connection) throws(SQLiteStatus) {
        for step in steps[version...] {
            try blamingFile { () throws(SQLiteStatus) in try connection.execute(step) }
        }
    }
}
