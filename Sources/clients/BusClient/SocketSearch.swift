import BusdEventLoop
import Glibc

/// The sockets at which a client looks for its daemon. After the first connection only the socket
/// that was found is tried: a client that comes back must not end up at another daemon.
struct SocketSearch {
    private var paths: [String]
    private let dial: (String) -> Connecting

    init(_ paths: [String], dial: @escaping (String) -> Connecting) {
        self.paths = paths
        self.dial = dial
    }

    /// The socket that was found; before that, all that are tried, as a text for messages.
    var path: String { paths.joined(separator: " or ") }

    /// Tries one socket after the other. Returns the first at which a daemon listens or refuses;
    /// without one, the last failure and all the paths.
    func connect() -> (path: String, outcome: Connecting) {
        for path in paths.dropLast() {
            let outcome = dial(path)
            if !outcome.isWithoutDaemon { return (path, outcome) }
        }
        guard let last = paths.last else { return (path, .failed(.noSocket)) }
        let outcome = dial(last)
        return (outcome.isWithoutDaemon ? path : last, outcome)
    }

    mutating func found(_ path: String) { paths = [path] }
}

extension Connecting {
    fileprivate var isWithoutDaemon: Bool {
        guard case .failed(let error) = self else { return false }
        return error.code == ENOENT || error.code == ECONNREFUSED
    }
}

extension SystemError {
    fileprivate static var noSocket: SystemError { SystemError(code: ENOENT, function: "connect") }
}
