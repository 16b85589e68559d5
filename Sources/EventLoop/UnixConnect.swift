import Glibc

/// What an attempt to connect came to. It never waits.
package enum Connecting {
    case connected(Descriptor)
    /// The listener is there, but too many wait to be accepted: try again a little later.
    case backlogFull
    /// `ECONNREFUSED` (nobody listens any more), `ENOENT` (no such file), `EACCES`, …
    case failed(SystemError)
}

/// Connects to the Unix stream socket at `path`.
package func connectUnix(path: String) -> Connecting { connectUnix(path: path, SOCK_STREAM) }

/// - Parameter type: of the socket at `path`; where it is of another, `EPROTOTYPE` is the failure.
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
