import BusdEventLoop
import Glibc
import Testing

/// A real busd that keeps its state in a room.
final class Daemon {
    let room: Room
    let process: Spawned

    /// The daemon listens when `init` returns.
    /// - Parameter wrapper: a command prefix that runs the daemon, such as strace.
    convenience init(in room: Room, under wrapper: [String] = []) throws {
        try self.init(starting: room, under: wrapper)
        try awaitReady()
    }

    /// Returns at once, so that a test can kill the daemon while it starts.
    init(
        starting room: Room, under wrapper: [String] = [], passing: [Descriptor] = [],
        state: String? = nil
    ) throws {
        self.room = room
        let words = [
            try Built.daemon(), "--socket", room.socket, "--state", state ?? room.state,
        ]
        process = try Spawned(wrapper + words, passing: passing)
    }

    func awaitReady() throws {
        guard try isReady(before: .deadline) else {
            throw GaveUp(description: "the daemon does not serve: \(process.said)")
        }
    }

    func isReady(before moment: Moment) throws -> Bool {
        try process.await(until: moment) { $0.hasPrefix("busd: serving") } != nil
    }

    /// A daemon that keeps its state in memory only.
    static func withoutState(in room: Room, under wrapper: [String] = []) throws -> Daemon {
        let daemon = try Daemon(starting: room, under: wrapper, state: ":memory:")
        try daemon.awaitReady()
        return daemon
    }

    /// The number of its open descriptors.
    var descriptors: Int {
        guard let folder = opendir("/proc/\(process.pid)/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count - 2
    }

    func connect() throws -> Client { try Client(room.socket) }

    func kill() {
        process.signal(SIGKILL)
        process.end()
    }

    /// Sends SIGTERM, waits for the end, and expects status 0.
    func stop() {
        process.signal(SIGTERM)
        #expect(process.end() == 0, "\(process.said)")
    }
}
