import CBusdSystem
import Glibc

/// The peer as the kernel recorded it at connect. The record does not change, even if the process
/// does.
package struct PeerCredentials: Hashable, Sendable {
    /// 0 if the peer is outside of this process's namespace.
    package var process: Int32 = 0
    package var user: UInt32 = 0
    package var group: UInt32 = 0
    /// Its other groups.
    package var groups: [UInt32] = []

    package init(of socket: Descriptor) throws(SystemError) {
        try check("getsockopt") {
            busd_peer_credentials(socket.number, &process, &user, &group)
        }
        var count: UInt32 = 32
        repeat {
            groups = Array(repeating: 0, count: Int(count))  // fits: 32 bits do
            do {
                try check("getsockopt") { busd_peer_groups(socket.number, &groups, &count) }
            } catch {
                guard error.code == ERANGE, count > groups.count else { throw error }
            }
        } while count > groups.count
        groups.removeLast(groups.count - Int(count))  // fits: there were no more
    }
}
