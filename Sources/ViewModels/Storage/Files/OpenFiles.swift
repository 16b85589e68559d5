/// The files that the writer has open, as they were when it opened them.
///
/// A commit to a file that has been removed or replaced is lost when the process ends, and the
/// system reports no error. So the writer compares the names in the folder with the open files.
struct OpenFiles {
    private let database: String
    private let databaseIdentity: FileStatus.Identity?
    private let logIdentity: FileStatus.Identity?

    init(of database: String) {
        self.database = database
        databaseIdentity = Self.identity(of: database)
        logIdentity = Self.identity(of: StoreFolder.log(of: database))
    }

    /// Throws if another file, or none, has the name of the database now.
    func verifyDatabase() throws(StoreError) {
        guard databaseIdentity == nil || Self.identity(of: database) != databaseIdentity else {
            return
        }
        throw .unsuitable(
            path: database,
            reason: "was removed or replaced while busd runs: put it back, or save its content "
                + "with 'busd backup FILE' and restart busd")
    }

    /// Every file that was open has its name still.
    var haveNames: Bool {
        databaseIdentity != nil && Self.identity(of: database) == databaseIdentity
            && (logIdentity == nil || hasLog)
    }

    /// Whether the log has its name still.
    var hasLog: Bool {
        logIdentity != nil && Self.identity(of: StoreFolder.log(of: database)) == logIdentity
    }

    private static func identity(of path: String) -> FileStatus.Identity? {
        (try? FileStatus(of: path))?.identity
    }
}
