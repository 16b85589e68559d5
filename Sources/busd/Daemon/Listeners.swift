import BusdBroker
import BusdEventLoop
import BusdOptions

/// The two sockets that the daemon listens on. Sockets from systemd are used; missing sockets are
/// made. `close` or `deinit` closes them, and removes the files that the daemon has made.
///
/// They are checked before the store is opened, and opened after it. So a daemon with an occupied
/// socket creates nothing, and clients find a ready daemon.
final class Listeners {
    private let passed: [(access: Access, descriptor: Int32)]
    private let missing: [(access: Access, path: String, mode: UInt32)]
    private var listeners: [(access: Access, listener: UnixListener)] = []

    /// Creates nothing.
    /// - Throws: if it is already clear that they cannot be opened.
    init(_ settings: Settings, _ passed: [Systemd.Passed]) throws(StartError) {
        self.passed = try passed.map { socket throws(StartError) in
            guard let access = Access(rawValue: socket.name) else {
                throw StartError(
                    "systemd passed a socket named '\(socket.name)': name it control or view")
            }
            return (access, socket.descriptor)
        }
        // `--history` serves nobody.
        let isServing = settings.replay?.history == nil
        let all: [(access: Access, path: String, mode: UInt32)] =
            !isServing
            ? []
            : [
                (.control, settings.socket, 0o660), (.view, settings.viewSocket, 0o666),
            ]
        missing = all.filter { address in !passed.contains { $0.name == address.access.rawValue } }
        for address in missing {
            try Self.starting { () throws(ListenError) in try UnixListener.look(at: address.path) }
        }
    }

    /// Opens the sockets.
    func open(
        on loop: Loop, arrived: @escaping (UnixListener.Arrival, Access) -> Void
    ) throws(StartError) {
        try Self.starting { () throws(ListenError) in
            for (access, descriptor) in passed {
                let listener = try UnixListener(loop: loop, adopting: descriptor) {
                    arrived($0, access)
                }
                listeners.append((access, listener))
            }
            for (access, path, mode) in missing {
                let listener = try UnixListener(loop: loop, path: path, mode: mode) {
                    arrived($0, access)
                }
                listeners.append((access, listener))
            }
        }
    }

    private static func starting(_ step: () throws(ListenError) -> Void) throws(StartError) {
        do {
            try step()
        } catch {
            throw StartError("\(error)")
        }
    }

    /// The addresses of the control socket and of the view socket.
    var addresses: [String] {
        [.control, .view].flatMap { access in
            listeners.filter { $0.access == access }.map(\.listener.address)
        }
    }

    /// Accepts no more clients.
    func close() { listeners = [] }
}

/// Why the daemon does not start, or a command fails: a text with the path and the reason.
struct StartError: Error, CustomStringConvertible {
    let description: String
    let status: ExitStatus

    init(_ description: String, _ status: ExitStatus = .failed) {
        self.description = description
        self.status = status
    }
}
