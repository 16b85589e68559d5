import BusdEventLoop
import Glibc

/// Why there is no connection. `description` is a message for the user.
public enum Loss: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not opened yet, or closed by this program.
    case notOpen
    /// The socket does not exist, or no process listens on it.
    case noDaemon(path: String)
    /// `advice` names the group that may connect, and the fix; nil if that is unknown.
    case notPermitted(path: String, advice: String? = nil)
    /// The backlog of the socket is full.
    case busy(path: String)
    /// The daemon closed the connection without a `bye`.
    case ended(path: String)
    /// The daemon closed the connection and gave a reason: `closing`, `badInput`, `overloaded`.
    case bye(code: String, message: String)
    /// The daemon runs as a user that `Trust` does not allow.
    case notTrusted(path: String, user: UInt32)
    /// The other side does not speak the protocol.
    case malformed(path: String, reason: String)
    /// The system refused to connect for another reason: `reason` is its message.
    case system(path: String, reason: String)
    /// ssh has started, and the daemon on the other machine has not answered yet.
    case connecting(host: String)
    /// ssh ended, or the daemon cannot be reached through it.
    case unreachable(host: String, reason: String)

    /// The other side is not a daemon that this client can use. Do not connect again.
    public var isOfWrongDaemon: Bool {
        switch self {
        case .malformed, .notTrusted: true
        case .notOpen, .noDaemon, .notPermitted, .busy, .ended, .bye, .system, .connecting,
            .unreachable:
            false
        }
    }

    public var description: String {
        switch self {
        case .notOpen: "the connection is not open"
        case .noDaemon(let path): "no daemon listens at \(path)"
        case .notPermitted(let path, let advice):
            "no permission to connect to \(path)" + (advice.map { ": \($0)" } ?? "")
        case .busy(let path): "the daemon at \(path) has too many clients waiting"
        case .ended(let path): "the daemon at \(path) closed the connection"
        case .bye(let code, let message): "the daemon closed the connection: \(message) (\(code))"
        case .notTrusted(let path, let user):
            "the daemon at \(path) runs as user \(user), who is neither root nor you; its socket "
                + "must be in a folder that only that user can write to"
        case .malformed(let path, let reason): "cannot use the daemon at \(path): \(reason)"
        case .system(let path, let reason): "\(path): \(reason)"
        case .connecting(let host): "connecting to \(host)"
        case .unreachable(let host, let reason): "\(host): \(reason)"
        }
    }

    init(connecting path: String, _ error: SystemError) {
        switch error.code {
        case ENOENT, ECONNREFUSED: self = .noDaemon(path: path)
        case EACCES, EPERM:
            self = .notPermitted(path: path, advice: SocketPermission(of: path)?.advice)
        default:
            self = .system(path: path, reason: error.folderProblem(in: path) ?? error.reason)
        }
    }
}
