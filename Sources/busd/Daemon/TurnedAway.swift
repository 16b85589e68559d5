import BusdEventLoop
import BusdProtocol
import Glibc

/// Answers the clients of a daemon that cannot start: its settings or its policy have a fault that
/// only a person can mend. Systemd keeps the sockets open, so without an answer each client would
/// wait, and systemd would start the daemon again for it.
struct TurnedAway {
    /// A client that tries again all the time starts the daemon this often at most.
    private static let longest = Duration.seconds(10)
    /// Clients that were answered, and stay connected.
    private static let most = 64

    private let sockets: [Descriptor]
    private let goodbye: [UInt8]

    /// - Parameter passed: the sockets that systemd has opened.
    init(_ passed: [Systemd.Passed], _ name: DaemonName) {
        sockets = passed.map { Descriptor(file: $0.descriptor) }
        var out = JSONWriter()
        out.object { out in
            out.key("bye")
            out.object { out in
                out.member("code", "closing")
                out.member(
                    "message", "\(name) cannot start: its log has the reason, for an administrator")
            }
        }
        goodbye = out.bytes + [.lineFeed]
    }

    func answer() {
        let end = ContinuousClock.now + Self.longest
        // A client may write its request later. If that failed, socat would not print the answer.
        var answered: [Descriptor] = []
        while !sockets.isEmpty, ContinuousClock.now < end {
            var polled = sockets.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
            let count = nfds_t(polled.count)  // fits: there are two sockets
            guard poll(&polled, count, 1_000) > 0 else { continue }
            for socket in polled where socket.revents != 0 {
                let number = accept(socket.fd, nil, nil)
                guard number >= 0 else { return }
                let client = Descriptor(file: number)
                // An empty socket has room for a line.
                _ = goodbye.withUnsafeBytes { client.write($0) }
                client.shutDownOutput()
                answered.append(client)
                if answered.count > Self.most { answered.removeFirst() }
            }
        }
    }
}
