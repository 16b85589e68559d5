import Glibc

/// The result of an attempt to connect, which never waits.
package enum Connecting {
    case connected(Descriptor)
    /// A process listens, but too many connections wait to be accepted: try again a little later.
    case backlogFull
    /// `ECONNREFUSED` (no process listens), `ENOENT` (no such file), `EACCES`, …
    case failed(SystemError)
}

/// Connects to the Unix stream socket at `path`.
package func connectUnix(path: String) -> Connecting { connectUnix(path: path, SOCK_STREAM) }

/// - Parameter type: the type of the socket at `path`; if it has another, the failure is
///   `EPROTOTYPE`.
func connectUnix(path: String, _ type: __socket_type) -> Connecting {
    do {
        let address = try UnixAddress(path: path)
        let socket = try unixSocket(type)
        try check("connect") { address.withPointer { connect(socket.number, $0, $1) } }
        return .connected(socket)
    } catch {
        return error.code == EAGAIN ? .backlogFull : .failed(error)
    }
}
