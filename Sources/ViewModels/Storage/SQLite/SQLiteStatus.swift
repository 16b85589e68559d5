import CBusdSQLite

/// What SQLite says when it can't do something: its extended result code, and its message.
package struct SQLiteStatus: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32
    package let message: String

    package init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    static func damage(_ message: String) -> Self {
        Self(code: SQLITE_CORRUPT, message: message)
    }

    /// The code without its details: `SQLITE_IOERR` of `SQLITE_IOERR_FSYNC`.
    package var primary: Int32 { code & 0xff }

    /// SQLite's own name, such as `SQLITE_FULL` or `SQLITE_IOERR_FSYNC`.
    package var name: String {
        let number = Int(primary)  // fits: 32 bits do
        guard Self.names.indices.contains(number) else { return "SQLITE_\(code)" }
        let name = "SQLITE_\(Self.names[number])"
        let detail = Int(code >> 8)  // fits: 32 bits do
        guard detail > 0 else { return name }
        guard primary == SQLITE_IOERR, Self.ioNames.indices.contains(detail - 1) else {
            return "\(name) (\(code))"
        }
        return "\(name)_\(Self.ioNames[detail - 1])"
    }

    /// `SQLITE_FULL: database or disk is full`
    package var description: String { "\(name): \(message)" }

    /// The file does not hold what was written to it, so trying again is no use.
    var isDamage: Bool {
        switch primary {
        case SQLITE_CORRUPT, SQLITE_NOTADB: true
        case SQLITE_IOERR: ["READ", "SHORT_READ", "DATA", "CORRUPTFS"].contains { isIO($0) }
        default: false
        }
    }

    private func isIO(_ detail: String) -> Bool { name == "SQLITE_IOERR_\(detail)" }

    /// By code. SQLite tells a code's meaning but not its name.
    private static let names = [
        "OK", "ERROR", "INTERNAL", "PERM", "ABORT", "BUSY", "LOCKED", "NOMEM", "READONLY",
        "INTERRUPT", "IOERR", "CORRUPT", "NOTFOUND", "FULL", "CANTOPEN", "PROTOCOL", "EMPTY",
        "SCHEMA", "TOOBIG", "CONSTRAINT", "MISMATCH", "MISUSE", "NOLFS", "AUTH", "FORMAT", "RANGE",
        "NOTADB", "NOTICE", "WARNING",
    ]

    /// The details of `SQLITE_IOERR`, from 1.
    private static let ioNames = [
        "READ", "SHORT_READ", "WRITE", "FSYNC", "DIR_FSYNC", "TRUNCATE", "FSTAT", "UNLOCK",
        "RDLOCK", "DELETE", "BLOCKED", "NOMEM", "ACCESS", "CHECKRESERVEDLOCK", "LOCK", "CLOSE",
        "DIR_CLOSE", "SHMOPEN", "SHMSIZE", "SHMLOCK", "SHMMAP", "SEEK", "DELETE_NOENT", "MMAP",
        "GETTEMPPATH", "CONVPATH", "VNODE", "AUTH", "BEGIN_ATOMIC", "COMMIT_ATOMIC",
        "ROLLBACK_ATOMIC", "DATA", "CORRUPTFS",
    ]
}

/// For statements that are right in every file of ours: where SQLite finds an error in one, the
/// tables are not those that they were, or the file has a form that there is not.
func blamingFile<Value>(
    _ body: () throws(SQLiteStatus) -> Value
) throws(SQLiteStatus) -> Value {
    do {
        return try body()
    } catch {
        throw error.primary == SQLITE_ERROR ? .damage(error.message) : error
    }
}
