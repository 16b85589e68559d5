import BusdClient
import BusdProtocol
import Glibc
import TestSupport
import Testing

/// A daemon of a house, its writers, and a view of its `bus/house`.
final class HouseMember {
    let name: String
    let writers: [HouseWriter]
    private let folder: Folder
    /// The socket of Redis, or a link to it.
    private let redis: String
    private var daemon: DaemonFixture?
    private var watcher: Client?
    private(set) var state = ""
    /// When the daemon was started.
    private(set) var started = Moment.now

    init(_ name: String, _ redis: String, _ writers: [HouseWriter]) throws {
        (self.name, self.redis, self.writers) = (name, redis, writers)
        folder = try Folder()
    }

    var socket: String { folder.socket }
    var isFollowing: Bool { state == "following" }
    var clients: [Client] { ([watcher] + writers.map(\.client)).compactMap { $0 } }
    /// What the daemon has printed, also before it was killed.
    private var earlier: [String] = []
    var lines: [String] { earlier + (daemon?.process.lines ?? []) }

    /// Whether it follows, and each writer has the answer to a send that began after `moment`.
    func isWell(since moment: Moment) -> Bool {
        isFollowing && writers.allSatisfy { $0.newest.map { $0 > moment } == true }
    }

    /// Returns at once.
    func start() throws {
        let options = ["--house", "league", "--log", "unix:\(redis)", "--member", name]
        daemon = try DaemonFixture(starting: folder, options: options)
        started = .now
    }

    func kill() throws {
        try readLines()
        daemon?.kill()
        earlier = lines
        (daemon, watcher, state) = (nil, nil, "")
        for writer in writers { writer.use(nil) }
    }

    private func readLines() throws { _ = try daemon?.process.await(until: .now) { _ in false } }

    func stop() throws {
        try readLines()
        daemon?.stop()
        earlier = lines
        (daemon, watcher, state) = (nil, nil, "")
    }

    /// Connects when the daemon listens, and reads what has arrived.
    func attend() throws {
        if watcher == nil, try daemon?.isReady(before: .now) == true {
            let client = try Client(socket)
            try client.send(#"{"op":"subscribe","to":"bus/house"}"#)
            watcher = client
            for writer in writers { writer.use(try Client(socket)) }
        }
        while case let line? = try watcher?.takeLine() {
            if case .event(let event) = line, let text = event.event["house"]?["state"]?.text {
                state = text
            }
        }
        for writer in writers { try writer.readAnswers() }
        if watcher?.hasEnded == true {
            try readLines()
            throw GaveUp(description: "\(name) has ended: \(lines)")
        }
    }

    func has(_ address: String) throws -> Bool {
        try Client(socket).ask(#"{"op":"get","to":"\#(address)"}"#)?.isDone == true
    }

    /// The count of each writer in `all`, as this daemon shows it.
    func counts(of all: [HouseWriter]) throws -> [Int] {
        let client = try Client(socket)
        return try all.map { writer in
            var count = -1
            let shown = try client.value(#"{"op":"get","to":"\#(writer.address)"}"#)
            try Library.forEachEvent(in: shown) { name, payload in
                if name == "assistMoveCount" { count = payload["count"]?.integer ?? -1 }
            }
            return count
        }
    }
}
