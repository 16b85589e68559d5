package import BusdClient
import BusdEventLoop
package import BusdProtocol

/// A connection, with a daemon and a time that the test controls.
package final class ClientFixture {
    package let daemon = FakeDaemon()
    package let timeline = Timeline()
    package let loop: ClientLoop
    package let connection: BusConnection

    package init(name: String? = nil) throws {
        loop = ClientLoop(loop: try Loop(), clock: timeline)
        connection = BusConnection(loop: loop, paths: ["/bus"], name: name) { [daemon] _ in
            daemon.dial()
        }
    }

    /// Lets the client read all that the daemon has sent.
    package func settle() { for _ in 0..<4 { loop.loop.turn(block: false) } }

    package func send(_ lines: String...) {
        daemon.send(lines)
        settle()
    }

    package func hangUp() {
        daemon.hangUp()
        settle()
    }

    /// The lines of a client that sends more than the socket holds.
    package func takeAll() -> [String] {
        var lines: [String] = []
        while case let more = daemon.take(), !more.isEmpty {
            lines += more
            settle()
        }
        return lines
    }

    /// Advances the time, and lets the client react.
    package func wait(_ span: Duration) {
        timeline.advance(to: timeline.now + span)
        settle()
    }
}
