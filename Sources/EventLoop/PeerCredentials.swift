import CBusdSystem

/// Who is at the other end, as the kernel noted it when the peer connected. It stays true of that
/// moment, whatever becomes of the process.
package struct PeerCredentials: Hashable, Sendable {
    /// 0 where the peer is outside of this process's namespace.
    package var process: Int32 = 0
    package var user: UInt32 = 0
    package var group: UInt32 = 0

    package init(of socket: Descriptor) throws(SystemError) {
        try check("getsockopt") {
            busd_peer_credentials(socket.number, &process, &user, &group)
        }
    }
}
