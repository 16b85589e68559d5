import BusdEventLoop
import TestSupport
import Testing

/// The daemon's end of a socket, for a test that breaks the protocol.
final class FakeDaemon {
    let folder: Folder
    var socket: String { folder("busd.sock") }
    private let loop: Loop
    private let listener: UnixListener
    private let arrivals: Arrivals

    private final class Arrivals {
        var waiting: [Descriptor] = []
    }

    init() throws {
        let folder = try Folder()
        let loop = try Loop()
        let arrivals = Arrivals()
        self.folder = folder
        self.loop = loop
        self.arrivals = arrivals
        listener = try UnixListener(loop: loop, path: folder("busd.sock"), mode: 0o600) {
            if case .accepted(let client, _) = $0 { arrivals.waiting.append(client) }
        }
    }

    /// The next client that connects.
    func accept() -> Conversation {
        while arrivals.waiting.isEmpty { loop.turn(block: true) }
        return Conversation(over: arrivals.waiting.removeFirst())
    }

    func start(_ program: String, _ words: String..., input: String = "") throws -> Child {
        try Child(
            [try Products.path(program)] + words, input: input,
            environment: ["BUSD_SOCKET": socket])
    }
}
