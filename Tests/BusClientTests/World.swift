import BusdProtocol

@testable import BusdClient
@testable import BusdEventLoop

/// A connection, with a daemon and a time that the test controls.
final class World {
    let daemon = FakeDaemon()
    let timeline = Timeline()
    let loop: ClientLoop
    let connection: BusConnection

    init(name: String? = nil) throws {
        loop = ClientLoop(loop: try Loop(), clock: timeline)
        connection = BusConnection(loop: loop, path: "/bus", name: name, dial: daemon.dial)
    }

    /// Lets the client read all that the daemon has sent.
    func settle() { for _ in 0..<4 { loop.loop.turn(block: false) } }

    func send(_ lines: String...) {
        daemon.send(lines)
        settle()
    }

    func hangUp() {
        daemon.hangUp()
        settle()
    }

    /// The lines of a client that sends more than the socket holds.
    func takeAll() -> [String] {
        var lines: [String] = []
        while case let more = daemon.take(), !more.isEmpty {
            lines += more
            settle()
        }
        return lines
    }

    /// Advances the time, and lets the client react.
    func wait(_ span: Duration) {
        timeline.advance(to: timeline.now + span)
        settle()
    }
}

/// Records the events of a connection, one text for each.
final class EventRecorder {
    private var entries: [String] = []

    init(_ connection: BusConnection) {
        connection.listen(self) { recorder, event in recorder.note(event) }
    }

    func take() -> [String] {
        defer { entries = [] }
        return entries
    }

    private func note(_ event: BusConnection.Event) {
        switch event {
        case .connected: entries.append("connected")
        case .line(_, let object): entries.append(String(decoding: object.json, as: UTF8.self))
        case .lost(let loss): entries.append("lost: \(loss)")
        }
    }
}

/// Records the answers to requests, one text for each.
final class AnswerRecorder {
    private var entries: [String] = []

    func note(_ name: String) -> (BusConnection.Answer) -> Void {
        { [weak self] answer in self?.entries.append("\(name) \(Self.text(answer))") }
    }

    func take() -> [String] {
        defer { entries = [] }
        return entries
    }

    private static func text(_ answer: BusConnection.Answer) -> String {
        switch answer {
        case .success(let value): String(decoding: value.json, as: UTF8.self)
        case .failure(.refused(let error)): "refused \(error.code): \(error.message)"
        case .failure(.lost(let loss)): "lost: \(loss)"
        case .failure(.timedOut): "timed out"
        }
    }
}
