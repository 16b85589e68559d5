import BusdEventLoop
import Glibc
import Testing

/// A real Redis with its own folder and socket. It syncs each write.
package final class RedisFixture {
    package let folder: Folder
    private let settings: [String]
    private var process: pid_t = 0

    package var socket: String { folder("redis.sock") }

    package convenience init(_ settings: String...) throws { try self.init(settings) }

    package init(_ settings: [String]) throws {
        folder = try Folder()
        self.settings = settings
        signal(SIGPIPE, SIG_IGN)
        try start()
    }

    deinit { kill() }

    /// Returns when Redis has read its file, and answers.
    package func start() throws {
        let defaults = [
            "redis-server", "--port", "0", "--unixsocket", socket, "--unixsocketperm",
            "777", "--dir", folder.path,
            "--save", "", "--appendonly", "yes", "--appendfsync", "always", "--logfile",
            folder("log"),
        ]
        process = try spawn(defaults + settings, descriptors: [])
        try eventually("an answer of redis-server", answers)
    }

    private func answers() -> Bool {
        guard case .connected(let descriptor) = connectUnix(path: socket),
            case .bytes = Array("PING\r\n".utf8).withUnsafeBytes({ descriptor.write($0) }),
            Wait.forReadable(descriptor.number, milliseconds: 1_000)
        else { return false }
        var reply = [UInt8](repeating: 0, count: 5)
        _ = reply.withUnsafeMutableBytes { descriptor.read(into: $0) }
        return reply == Array("+PONG".utf8)
    }

    package func kill() {
        guard process > 0 else { return }
        Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        process = 0
    }

    /// Removes the data of a Redis that was killed.
    package func forget() { removeAll(folder("appendonlydir")) }

    package func suspend() { Glibc.kill(process, SIGSTOP) }
    package func resume() { Glibc.kill(process, SIGCONT) }
}
