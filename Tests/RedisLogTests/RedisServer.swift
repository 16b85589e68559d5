import Glibc
import TestSupport
import Testing

@testable import BusdRedisLog

/// A real Redis in a folder of its own.
final class RedisServer {
    let folder: Folder
    private let settings: [String]
    private var process: pid_t = 0

    var address: RedisAddress { .unix(path: folder("redis.sock")) }

    init(_ settings: String...) throws {
        folder = try Folder()
        self.settings = settings
        signal(SIGPIPE, SIG_IGN)
        try start()
    }

    deinit { kill() }

    func start() throws {
        let defaults = [
            "redis-server", "--port", "0", "--unixsocket", folder("redis.sock"), "--dir",
            folder.path, "--save", "", "--appendonly", "yes", "--appendfsync", "always",
            "--logfile", folder("log"),
        ]
        process = try spawn(defaults + settings, descriptors: [])
        let deadline = monotonicSeconds() + 30
        while monotonicSeconds() < deadline {
            if let caller = try? RedisCaller(address), (try? caller.run(["PING"])) != nil { return }
            poll(nil, 0, 5)
        }
        Issue.record("redis-server does not answer")
    }

    /// Like a power cut of the process.
    func kill() {
        guard process > 0 else { return }
        Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        process = 0
    }

    func suspend() { Glibc.kill(process, SIGSTOP) }
    func resume() { Glibc.kill(process, SIGCONT) }

    @discardableResult
    func run(_ words: String...) throws -> RedisValue { try RedisCaller(address).run(words) }
}

func monotonicSeconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
}
