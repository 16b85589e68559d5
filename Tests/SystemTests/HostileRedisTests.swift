import Glibc
import TestSupport
import Testing

/// A daemon whose Redis is another program.
@Suite struct HostileRedisTests {
    struct Script: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let start: String
        let rest: String

        init(_ description: String, _ start: String, then rest: String) {
            (testDescription, self.start, self.rest) = (description, start, rest)
        }

        func serve() throws -> FakeRedis {
            try FakeRedis(
                Array(start.utf8), then: Array(String(repeating: rest, count: 10_000).utf8))
        }
    }

    private static let scripts = [
        Script("a text without an end", "$9223372036854775807\r\n", then: "a"),
        Script("a list without an end", "*2147483647\r\n", then: ":1\r\n"),
        Script("empty lists", "*2147483647\r\n", then: "*0\r\n"),
        Script("lists in lists", "", then: "*7\r\n"),
        Script("a line without an end", "+", then: "a"),
        Script("numbers", "", then: ":9223372036854775807\r\n"),
        Script("lists of nothing", "", then: "*3\r\n*1\r\n$-1\r\n$0\r\n\r\n*-1\r\n"),
        Script("errors", "", then: "-LOADING\r\n"),
        Script("no reply", "", then: ""),
    ]
    /// Bytes, with the 20 MiB that the daemon takes alone.
    private static let mostMemory = 128 << 20

    private let folder: Folder

    init() throws { folder = try Folder() }

    private func options(_ redis: FakeRedis) -> [String] {
        [
            "--state", folder("state"), "--house", "league", "--log", "unix:\(redis.socket)",
            "--member", "m",
        ]
    }

    /// The most memory that a process has had, in bytes.
    private func peakMemory(of process: pid_t) throws -> Int {
        let file = try #require(fopen("/proc/\(process)/status", "r"))
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            guard text.hasPrefix("VmHWM:") else { continue }
            return try #require(Int(text.filter(\.isNumber))) << 10
        }
        throw Conversation.NotThere(path: "VmHWM")
    }

    @Test(arguments: scripts)
    func `A daemon without a store says why it waits or ends`(script: Script) throws {
        let redis = try script.serve()
        let daemon = try Child(
            [try Products.path("busd"), "--socket", folder("busd.sock")] + options(redis))
        let reason = try #require(try daemon.errors.line())
        #expect(reason.hasPrefix("busd: ") && reason.utf8.count < 1_000)
        let isWaiting = reason.hasPrefix("busd: waiting for the house league: ")
        if isWaiting { daemon.signal(SIGTERM) }
        #expect(try daemon.outcome().status == (isWaiting ? 128 + SIGTERM : 1))
    }

    // Without a version or with errors, it would not start.
    @Test(.enabled(if: getenv("BUSD_LAUNCHER") == nil), arguments: scripts[..<5] + scripts[8...])
    func `A daemon of a house serves what it has, in little memory, and ends at a signal`(
        script: Script
    ) throws {
        let redis = try script.serve()
        try Child.run("mkdir", "-m", "700", folder("state")).expect()
        try folder.write("league\n0123456789abcdef\n", to: "state/house")
        let bus = try BusFixture(in: folder, options: options(redis), reports: true)
        let view = try bus.connect()
        // The daemon has given up at least two of them.
        try eventually("four connections") {
            let state = try #require(try view.ask("get bus/house"))
            #expect(!state.contains("following"))
            return redis.connections
        } is: {
            $0 >= 4
        }
        let peak = try peakMemory(of: bus.daemon.pid)
        #expect(peak < Self.mostMemory)
        #expect(try bus.stop().status == 0)
    }
}
