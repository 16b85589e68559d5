import Glibc

/// The folder of a store, and the names of what is in it.
struct StoreFolder: Sendable {
    let path: String

    var database: String { "\(path)/store.sqlite" }
    var lock: String { "\(path)/store.lock" }
    var ids: String { "\(path)/store.ids" }

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

    /// Makes the folder where it is missing, and those above it, and lets nobody else in.
    func make() throws(StoreError) {
        for slash in path.indices.dropFirst() where path[slash] == "/" {
            // A folder that can't be made here is missed when the next one is.
            _ = try? Self.make(String(path[..<slash]))
        }
        if try !Self.make(path) { try close() }
    }

    /// False where there is something of that name.
    private static func make(_ path: String) throws(StoreError) -> Bool {
        guard mkdir(path, 0o700) == 0 else {
            let code = errno
            if code == EEXIST { return false }
            throw StoreError.file(path: path, function: "mkdir", code: code)
        }
        // Whatever the umask.
        try systemCall("chmod", path) { chmod(path, 0o700) }
        try? File.sync(File.folder(of: path))
        return true
    }

    /// A folder that was there: ours is closed to others, one that others write into is refused.
    private func close() throws(StoreError) {
        var about = stat()
        try systemCall("stat", path) { stat(path, &about) }
        guard about.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError.unsuitable(path: path, reason: "is not a folder")
        }
        if about.st_mode & 0o777 == 0o700 { return }
        let isShared = about.st_uid != geteuid() || about.st_mode & S_ISVTX != 0
        guard isShared else {
            try systemCall("chmod", path) { chmod(path, 0o700) }
            return
        }
        if about.st_mode & 0o022 != 0 {
            throw StoreError.unsuitable(path: path, reason: "can be written by others")
        }
    }
}
