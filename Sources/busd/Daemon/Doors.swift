import Broker
import EventLoop

/// The two sockets that the daemon listens on. Those that systemd hands over are taken; the others
/// are made. Dropping the doors closes them and removes the files that are ours.
final class Doors {
    private var listeners: [(access: Access, listener: UnixListener)] = []

    init(
        _ settings: Settings, _ passed: [Systemd.Passed], loop: Loop,
        arrived: @escaping (UnixListener.Arrival, Access) -> Void
    ) throws(StartError) {
        var missing: [Access: (path: String, mode: UInt32)] = [
            .control: (settings.socket, 0o660), .view: (settings.viewSocket, 0o666),
        ]
        for socket in passed {
            guard let access = Access(rawValue: socket.name) else {
                throw StartError(
                    "systemd passed a socket called '\(socket.name)', not control or view")
            }
            missing[access] = nil
            try listen(access) { () throws(ListenError) in
                try UnixListener(loop: loop, adopting: socket.descriptor) { arrived($0, access) }
            }
        }
        for (access, door) in missing.sorted(by: { $0.value.path < $1.value.path }) {
            try listen(access) { () throws(ListenError) in
                try UnixListener(loop: loop, path: door.path, mode: door.mode) {
                    arrived($0, access)
                }
            }
        }
    }

    private func listen(
        _ access: Access, _ make: () throws(ListenError) -> UnixListener
    ) throws(StartError) {
        do {
            listeners.append((access, try make()))
        } catch {
            throw StartError("\(error)")
        }
    }

    /// Where clients come in: at the control socket, and at the view socket.
    var addresses: [String] {
        [.control, .view].flatMap { access in
            listeners.filter { $0.access == access }.map(\.listener.address)
        }
    }

    /// Nobody else comes in.
    func close() { listeners = [] }
}

/// Why the daemon does not start: a line that names the path and the reason.
struct StartError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
