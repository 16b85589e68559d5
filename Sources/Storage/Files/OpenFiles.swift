/// The files of a database, as they were when a connection opened them.
///
/// A commit to a file that has been removed or replaced is lost when the process ends, and the
/// system reports no error. So each commit compares the names in the folder with the open files.
struct OpenFiles {
    private let database: String
    private let databaseIdentity: FileStatus.Identity?
    private let walIdentity: FileStatus.Identity?

    init(of database: String) {
        self.database = database
        databaseIdentity = Self.identity(of: database)
        walIdentity = Self.identity(of: StoreFolder.wal(of: database))
    }

    /// Throws if the name of the database belongs to no file, or to another file.
    func verifyDatabase() throws(StoreError) {
        guard databaseIdentity == nil || Self.identity(of: database) != databaseIdentity else {
            return
        }
        throw .unsuitable(
            path: database,
            reason: "was removed or replaced while the daemon runs: put it back, or save its "
                + "content with the verb backup and restart the daemon")
    }

    /// Whether every file that was open still has its name.
    var haveNames: Bool {
        databaseIdentity != nil && Self.identity(of: database) == databaseIdentity
            && (walIdentity == nil || hasWAL)
    }

    /// Whether the write-ahead log still has its name.
    var hasWAL: Bool {
        walIdentity != nil && Self.identity(of: StoreFolder.wal(of: database)) == walIdentity
    }

    private static func identity(of path: String) -> FileStatus.Identity? {
        (try? FileStatus(of: path))?.identity
    }
}
