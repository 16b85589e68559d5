/// The folder of a store, and the names of the files in it.
struct StoreFolder: Sendable {
    let path: String

    var database: String { "\(path)/store.sqlite" }
    var lock: String { "\(path)/store.lock" }
    var ids: String { "\(path)/store.ids" }

    /// Every file that busd or SQLite opens under a fixed name, and does not make anew first.
    var files: [String] {
        [lock, ids, database] + ["-wal", "-journal", "-shm"].map { database + $0 }
    }

    /// SQLite's write-ahead log of a database.
    static func log(of database: String) -> String { "\(database)-wal" }

    /// What is to be said of the database where it is gone though there was one; `nil` where it is
    /// there, where its log is, or where nothing tells of it.
    var loss: String? {
        get throws(StoreError) {
            guard let reserved = ReservedIDs(of: self), try File.size(database) ?? 0 == 0,
                try File.size(Self.log(of: database)) ?? 0 == 0
            else { return nil }
            let what = File.exists(database) ? "empty" : "missing"
            return "is \(what), and there was one: its games, books and users are lost, "
                + "and ids go on at game \(reserved.games) and book \(reserved.books)"
        }
    }

    /// The log is all that is left of the store: of the database there is not a whole page.
    var hasOnlyLog: Bool {
        get throws(StoreError) {
            let (size, logSize) = (
                try File.size(database), try File.size(Self.log(of: database))
            )
            return size ?? 0 < Pages.size && logSize ?? 0 > 0
        }
    }
}
