import BusdProtocol

/// The folder of a store, and the names of the files in it.
struct StoreFolder: Sendable {
    let path: String
    var daemon = StoreDaemon.any

    /// The log of actions. A `send` only appends; entries that are not needed are removed later.
    var log: String { "\(path)/log.sqlite" }
    /// The states of things, as of an entry of the log.
    var states: String { "\(path)/state.sqlite" }
    /// A backup that was put back. A start reads it once, writes the two files above, and renames
    /// it.
    var backup: String { "\(path)/store.sqlite" }
    /// A backup that `busd restore` checks.
    var arriving: String { "\(path)/restore.sqlite" }
    /// Verified copies, in the form of a backup.
    var copies: [String] { ["\(path)/copy-1.sqlite", "\(path)/copy-2.sqlite"] }
    var lock: String { "\(path)/store.lock" }
    var ids: String { "\(path)/store.ids" }

    var databases: [String] { [states, log, backup] }

    /// Every file that busd or SQLite opens by a fixed name, and does not replace first.
    var files: [String] {
        [lock, ids] + copies
            + databases.flatMap { file in
                ["", "-wal", "-journal", "-shm"].map { file + $0 }
            }
    }

    /// Whether the folder or a file in it cannot be written, as in a snapshot.
    var isReadOnly: Bool {
        ([path] + files).contains { File.exists($0) && !File.mayBeWritten($0) }
    }

    /// SQLite's write-ahead log of a database.
    static func wal(of database: String) -> String { "\(database)-wal" }

    /// Bytes of a database and of its write-ahead log; `nil` if both are missing or empty.
    static func size(of database: String) throws(StoreError) -> (file: Int, wal: Int)? {
        let file = try File.size(database) ?? 0
        let wal = try File.size(wal(of: database)) ?? 0
        return file + wal > 0 ? (file, wal) : nil
    }

    /// Whether a database has a write-ahead log, but less than one page in its file.
    static func hasOnlyWAL(_ database: String) throws(StoreError) -> Bool {
        guard let size = try size(of: database) else { return false }
        return size.file < Database.pageSize && size.wal > 0
    }

    /// An unused name for a database that is set aside, such as `log.sqlite.damaged-1`.
    static func unusedName(_ database: String, _ why: String) -> String {
        var number = 1
        var name: String { "\(database).\(why)-\(number)" }
        while File.exists(name) || File.exists(wal(of: name)) { number += 1 }
        return name
    }
}
