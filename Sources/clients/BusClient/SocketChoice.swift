public import BusdProtocol
import Glibc

/// Where the daemon's control socket is (docs/protocol.md, "Two sockets").
public enum SocketChoice {
    /// The paths to try, in order: the given path, else the environment variable (`BUSD_SOCKET`),
    /// else the socket of the user's own daemon and then of the system's.
    public static func paths(given: String? = nil, of daemon: DaemonName = .busd) -> [String] {
        daemon.sockets(given: given) { name in getenv(name).map { String(cString: $0) } }
    }
}
