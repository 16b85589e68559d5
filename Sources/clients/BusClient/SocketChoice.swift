public import BusdProtocol
import Glibc

/// Where the daemon's control socket is (PROTOCOL.md, section 10).
public enum SocketChoice {
    /// The paths to try, in order: the one that was given, else the one of the environment variable
    /// (`BUSD_SOCKET`), else the socket of the user's own daemon and then of the machine's.
    public static func paths(given: String? = nil, of daemon: DaemonName = .busd) -> [String] {
        daemon.sockets(given: given) { name in getenv(name).map { String(cString: $0) } }
    }
}
