import CBusdSystem

/// The peer as the kernel recorded it at connect. The record does not change, even if the process
/// does.
package struct PeerCredentials: Hashable, Sendable {
    /// 0 if the peer is outside of this process's namespace.
    package var process: Int32 = 0
    package var user: UInt32 = 0
    package var group: UInt32 = 0

    package init(of socket: Descriptor) throws(SystemError) {
        try check("getsockopt") {
            busd_peer_credentials(socket.number, &process, &user, &group)
        }
    }
}
