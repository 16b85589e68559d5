import BusdProtocol
import CBusdSQLite

/// An error of SQLite: its extended result code, and its message.
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

    /// The code without its details: `SQLITE_IOERR` for `SQLITE_IOERR_FSYNC`.
    package var primary: Int32 { code & 0xff }

    /// SQLite's own name, with the detail if there is one: `SQLITE_FULL`, `SQLITE_IOERR (4)`.
    package var name: String {
        let number = Int(widening: primary)
        let name = Self.names.indices.contains(number) ? Self.names[number] : "\(number)"
        return code == primary ? "SQLITE_\(name)" : "SQLITE_\(name) (\(code >> 8))"
    }

    /// `SQLITE_FULL: database or disk is full`
    package var description: String { "\(name): \(message)" }

    /// The file does not hold what was written to it, so a second try fails too.
    var isDamage: Bool {
        switch primary {
        // Our statements are correct, so an ERROR in one means that the tables are damaged.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR: true
        // READ, SHORT_READ, DATA, CORRUPTFS
        case SQLITE_IOERR: [1, 2, 32, 33].contains(code >> 8)
        default: false
        }
    }

    /// While rows are read, also a lack of memory: a damaged row can claim to have any number of
    /// bytes.
    var isDamageOfRow: Bool { isDamage || [SQLITE_NOMEM, SQLITE_TOOBIG].contains(primary) }

    var isFull: Bool { primary == SQLITE_FULL }

    /// A commit failed after its data were written: they may or may not be on the disk.
    var isFailedSync: Bool { primary == SQLITE_IOERR && [4, 5].contains(code >> 8) }

    /// Indexed by code. SQLite has no function that returns the name of a code.
    private static let names = [
        "OK", "ERROR", "INTERNAL", "PERM", "ABORT", "BUSY", "LOCKED", "NOMEM", "READONLY",
        "INTERRUPT", "IOERR", "CORRUPT", "NOTFOUND", "FULL", "CANTOPEN", "PROTOCOL", "EMPTY",
        "SCHEMA", "TOOBIG", "CONSTRAINT", "MISMATCH", "MISUSE", "NOLFS", "AUTH", "FORMAT", "RANGE",
        "NOTADB", "NOTICE", "WARNING",
    ]
}
