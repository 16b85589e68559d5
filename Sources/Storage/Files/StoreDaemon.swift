package import BusdProtocol

/// The daemon that a store belongs to. Its id, a hash of its name, is in each file of the store.
package struct StoreDaemon: Sendable, CustomStringConvertible {
    package let name: DaemonName
    /// Each of these kinds checks its states when the store is read.
    package let kinds: [KindCheck]
    /// 0: no id is compared or written.
    let id: Int32

    /// Accepts the store of each daemon, because the caller has checked it.
    package static let any = Self("")

    package init(_ name: DaemonName, _ kinds: [KindCheck] = []) {
        (self.name, self.kinds) = (name, kinds)
        let hash = FNV1a(name.text.utf8).value
        let id = Int32(truncatingIfNeeded: hash ^ hash >> 32)
        self.id = name.text.isEmpty ? 0 : id == 0 ? 1 : id
    }

    package var description: String { name.text }

    /// Whether the databases are of another daemon. An id may be damaged, so they must agree.
    fileprivate func isOther(_ databases: String...) -> Bool {
        let ids = Set(databases.compactMap(Self.id))
        return id != 0 && ids.count == 1 && !ids.isSubset(of: [0, id])
    }

    /// The id in the header of a database; `nil` without a header. SQLite would make files beside
    /// the database. See https://sqlite.org/fileformat2.html#database_header.
    static func id(in database: String) -> Int32? {
        guard let header = File.read(database, most: 72), header.count == 72,
            header.starts(with: Store.databaseMark)
        else { return nil }
        return header[68...].reduce(0) { $0 << 8 | Int32($1) }  // fits: 4 bytes
    }

    /// Throws if the backup is of another daemon.
    func requireOwn(
        _ backup: String, named path: String, or remedy: String = "name another file"
    ) throws(StoreError) {
        guard isOther(backup) else { return }
        throw .unsuitable(
            path: path, reason: "is a backup of another daemon than \(self): \(remedy)")
    }
}

extension StoreFolder {
    /// Throws if the store, or a backup that was put back, is of another daemon.
    func requireOwn() throws(StoreError) {
        guard !daemon.isOther(log, states) else {
            let reason = "is the store of another daemon than \(daemon)"
            throw .unsuitable(path: path, reason: "\(reason): name another folder with --state")
        }
        try daemon.requireOwn(backup, named: backup, or: "move it away")
    }
}
