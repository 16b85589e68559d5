import BusdEventLoop
import Glibc
import TestSupport
import Testing

/// A real busd that keeps its state in a folder.
final class DaemonFixture {
    let folder: Folder
    let process: Spawned

    /// The daemon listens when `init` returns.
    /// - Parameter wrapper: a command prefix that runs the daemon, such as strace.
    convenience init(in folder: Folder, under wrapper: [String] = []) throws {
        try self.init(starting: folder, under: wrapper)
        try awaitReady()
    }

    /// Returns at once, so that a test can kill the daemon while it starts.
    init(
        starting folder: Folder, under wrapper: [String] = [], passing: [Descriptor] = [],
        state: String? = nil, options: [String] = []
    ) throws {
        self.folder = folder
        let words =
            [try Programs.daemon(), "--socket", folder.socket, "--state", state ?? folder.state]
            + options
        process = try Spawned(wrapper + words, passing: passing)
    }

    func awaitReady() throws {
        guard try isReady(before: .deadline) else {
            throw GaveUp(description: "the daemon does not serve: \(process.lines)")
        }
    }

    func isReady(before moment: Moment) throws -> Bool {
        try process.await(until: moment) { $0.hasPrefix("busd: serving") } != nil
    }

    /// A daemon that keeps its state in memory only.
    static func inMemory(in folder: Folder, under wrapper: [String] = []) throws -> DaemonFixture {
        let daemon = try DaemonFixture(starting: folder, under: wrapper, state: ":memory:")
        try daemon.awaitReady()
        return daemon
    }

    /// The number of its open descriptors.
    var descriptors: Int {
        names(in: "/proc/\(process.pid)/fd").count
    }

    func connect() throws -> Client { try Client(folder.socket) }

    func kill() {
        process.signal(SIGKILL)
        process.end()
    }

    /// Sends SIGTERM, waits for the end, and expects status 0.
    func stop() {
        process.signal(SIGTERM)
        #expect(process.end() == 0, "\(process.lines)")
    }
}
