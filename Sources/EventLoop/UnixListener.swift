import CBusdSystem
import Glibc

/// Listens on a Unix stream socket and accepts connections, in the loop.
///
/// Without descriptors it neither spins nor closes connections silently. It uses a spare descriptor
/// to accept each waiting connection, so that its owner can send a refusal. Then it pauses: 10 ms
/// at first, doubled each time up to 100 ms.
package final class UnixListener {
    package enum Arrival {
        /// A client, non-blocking and close-on-exec.
        case accepted(Descriptor, PeerCredentials)
        /// Out of descriptors: refuse this client, and drop it before you return.
        case overloaded(Descriptor)
        /// No connection could be accepted. The listener pauses and tries again.
        case failed(SystemError)
    }

    /// The path at which clients find it.
    package let address: String
    private let file: SocketFile?
    private let socket: Descriptor
    private let arrived: (Arrival) -> Void
    private let spare = SpareDescriptor()
    private var backOff = BackOff()
    private var waiting: DescriptorEvent?
    private var rest: LoopTimer?

    /// Binds a socket at `path` with the permission bits `mode`; the file never has looser ones.
    /// Makes the folder, with `folderMode`, if it is missing. Takes over the socket of a dead
    /// daemon and nothing else. The file is removed with the listener, if it is still ours.
    package convenience init(
        loop: Loop, path: String, mode: UInt32, folderMode: UInt32 = 0o755,
        arrived: @escaping (Arrival) -> Void
    ) throws(ListenError) {
        let file = try SocketFile(path: path, mode: mode, folderMode: folderMode)
        self.init(loop: loop, address: path, file: file, socket: file.socket, arrived: arrived)
    }

    /// Checks whether a socket can be bound at `path`, and makes nothing.
    /// - Throws: if it cannot: a daemon listens there, something else has the name, the folder does
    ///   not allow it, or no socket can have such a path.
    package static func look(at path: String) throws(ListenError) {
        let path = try SocketPath(path)
        _ = try path.isStale()
        try path.verifyFolder()
    }

    /// Accepts on a socket that listens already, such as one from systemd, and owns it from now on.
    package convenience init(
        loop: Loop, adopting descriptor: Int32, arrived: @escaping (Arrival) -> Void
    ) throws(ListenError) {
        let socket = try Descriptor(listening: descriptor)
        let address = (try? UnixAddress(of: descriptor))?.text ?? "descriptor \(descriptor)"
        self.init(loop: loop, address: address, file: nil, socket: socket, arrived: arrived)
    }

    private init(
        loop: Loop, address: String, file: SocketFile?, socket: Descriptor,
        arrived: @escaping (Arrival) -> Void
    ) {
        self.address = address
        self.file = file
        self.socket = socket
        self.arrived = arrived
        waiting = DescriptorEvent(loop: loop, descriptor: socket.number) { [weak self] _ in
            self?.acceptWaiting()
        }
        rest = LoopTimer(loop: loop) { [weak self] in self?.watch() }
        watch()
    }

    private func watch() {
        do {
            try waiting?.watch(for: .readable)
        } catch {
            arrived(.failed(error))
            pause()
        }
    }

    private func pause() {
        waiting?.disable()
        rest?.arm(afterMicroseconds: backOff.next())
    }

    // Bounded per turn, so many new connections do not delay existing ones.
    private func acceptWaiting() {
        for _ in 0..<64 {
            do {
                guard let client = try accept() else { return }
                arrived(.accepted(client, try PeerCredentials(of: client)))
                backOff = BackOff()
            } catch {
                if error.isOutOfDescriptors { refuseWaiting() } else { arrived(.failed(error)) }
                return pause()
            }
        }
    }

    private func refuseWaiting() {
        for _ in 0..<64 {
            let wasRefused = spare.lend {
                guard let client = try? accept() else { return false }
                arrived(.overloaded(client))
                return true
            }
            if !wasRefused { return }
        }
    }

    /// Nil if no connection waits.
    private func accept() throws(SystemError) -> Descriptor? {
        let listening = socket.number
        do {
            return Descriptor(socket: try check("accept4") { busd_accept(listening) })
        } catch {
            if error.code == EAGAIN { return nil }
            throw error
        }
    }
}
