import CSystem
import Glibc

/// Listens on a Unix stream socket and accepts who connects, in the loop.
///
/// Out of descriptors it neither spins nor lets anybody wait in vain: it keeps a spare descriptor, gives
/// that up to accept those who wait and to tell them so, and rests before it accepts again, for 10 ms
/// at first and for twice as long each time, up to 1 s.
package final class UnixListener {
    package enum Arrival {
        /// A client, non-blocking and close-on-exec.
        case accepted(Descriptor, PeerCredentials)
        /// There are no descriptors left: say so, and drop this one before you return.
        case overloaded(Descriptor)
        /// Nobody could be accepted. The listener tries again after its rest.
        case failed(SystemError)
    }

    private let loop: Loop
    private let file: SocketFile?
    private let socket: Descriptor
    private let arrived: (Arrival) -> Void

    /// Binds a socket at `path` with the permission bits `mode`, with no moment of looser ones. Makes
    /// the folder, with `folderMode`, where it is missing. Takes over the socket of a dead daemon,
    /// and nothing else. The file is removed with the listener, if it is still ours.
    package init(
        loop: Loop, path: String, mode: UInt32, folderMode: UInt32 = 0o755,
        arrived: @escaping (Arrival) -> Void
    ) throws(ListenError) {
        let file = try SocketFile(path: path, mode: mode, folderMode: folderMode)
        self.loop = loop
        self.file = file
        self.socket = file.socket
        self.arrived = arrived
    }

    /// Accepts on a socket that already listens, such as one from systemd. Owns it from now on.
    package init(
        loop: Loop, adopting descriptor: Int32, arrived: @escaping (Arrival) -> Void
    ) throws(ListenError) {
        self.loop = loop
        self.file = nil
        self.socket = Descriptor(socket: descriptor)
        self.arrived = arrived
    }
}
