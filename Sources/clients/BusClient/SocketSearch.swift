import BusdEventLoop
import Glibc

/// The sockets at which a client looks for its daemon. After the first connection it tries only
/// that socket: a client that reconnects must not get another daemon.
struct SocketSearch {
    private var paths: [String]
    private let dial: (String) -> Connecting

    init(_ paths: [String], dial: @escaping (String) -> Connecting) {
        self.paths = paths
        self.dial = dial
    }

    /// The socket, for messages. Until one is found: all sockets that are tried.
    var path: String { paths.joined(separator: " or ") }

    /// Tries the sockets in order. Returns the first one at which a daemon listens, or which fails
    /// for another reason. If there is no daemon at any, returns the last failure and all paths.
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
