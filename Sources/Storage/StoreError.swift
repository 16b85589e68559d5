import BusdEventLoop
import Glibc

/// Why the store cannot be opened or written. Each description names the path.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite reported an error.
    case database(SQLiteStatus, path: String)
    /// Another daemon has the store in this folder.
    case inUse(path: String, process: Int?)
    /// A newer daemon has written the file. The file was not changed.
    case tooNew(path: String, version: Int, known: Int)
    /// A system call failed with this `errno`.
    case file(path: String, function: String, code: Int32)
    /// The file or folder cannot be used. The path and the reason form a sentence.
    case unsuitable(path: String, reason: String)

    /// The file does not hold what was written to it.
    package var isDamage: Bool { status?.isDamage ?? false }

    var isDamageOfRow: Bool { status?.isDamageOfRow ?? false }

    var status: SQLiteStatus? { if case .database(let status, _) = self { status } else { nil } }

    /// A disk or a quota is full.
    var isLackOfSpace: Bool {
        if case .file(_, _, let code) = self { return [ENOSPC, EDQUOT].contains(code) }
        return status?.isFull == true
    }

    static func notRegular(
        _ path: String, _ kind: String, remedy: String = "move it away"
    ) -> Self {
        .unsuitable(path: path, reason: "is \(kind), not a regular file: \(remedy)")
    }

    static func damage(_ message: String, path: String) -> Self {
        .database(.damage(message), path: path)
    }

    package var description: String {
        switch self {
        case .database(let status, let path): "\(path): \(status)"
        case .inUse(let path, let process?): "\(path) is in use by process \(process)"
        case .inUse(let path, nil): "\(path) is in use by another process"
        case .tooNew(let path, let version, let known):
            "\(path) has version \(version), and this program knows versions up to \(known): "
                + "start a newer version of the daemon"
        case .file(let path, let function, let code):
            "\(path): " + Self.text(of: SystemError(code: code, function: function), path)
        case .unsuitable(let path, let reason): "\(path) \(reason)"
        }
    }

    private static func text(of error: SystemError, _ path: String) -> String {
        error.folderProblem(in: path) ?? error.description
    }
}
