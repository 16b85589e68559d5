import Glibc
import TestSupport
import Testing

/// Sentinel of Redis makes a replica the primary, and the daemons of a house follow it.
@Suite(.enabled(if: getenv("BUSD_LAUNCHER") == nil, "the sandbox of the unit closes the network"))
struct HouseSentinelTests {
    private let ports: [UInt16]
    private let servers: [RedisFixture]
    private let house: HouseFixture
    private let folder: Folder

    /// A primary and two replicas, with the settings of docs/several-machines.md.
    init() throws {
        let ports = try (0..<4).map { _ in try freePort() }
        servers = try (0..<3).map { place in
            let replication = place == 0 ? [] : ["--replicaof", "127.0.0.1 \(ports[0])"]
            return try RedisFixture(
                [
                    "--port", "\(ports[place])", "--min-replicas-to-write", "1",
                    "--min-replicas-max-lag", "2", "--repl-diskless-sync-delay", "0",
                ] + replication)
        }
        self.ports = ports
        house = try HouseFixture(servers[0])
        folder = try Folder()
    }

    /// Sentinel rewrites its configuration.
    private func startSentinel() throws -> Child {
        try folder.write(
            """
            port \(ports[3])
            bind 127.0.0.1
            dir \(folder.path)
            logfile \(folder("log"))
            sentinel monitor league 127.0.0.1 \(ports[0]) 1
            sentinel down-after-milliseconds league 1000
            sentinel failover-timeout league 10000

            """, to: "sentinel.conf")
        let sentinel = try Child(["redis-server", folder("sentinel.conf"), "--sentinel"])
        // On a busy machine, Sentinel would do nothing for 30 s after each delay of 2 s.
        try wait(for: "OK", ports[3], "SENTINEL", "DEBUG", "tilt-trigger", "600000")
        return sentinel
    }

    /// Waits until the answer of a server contains a text as often.
    private func wait(for text: String, times: Int = 1, _ port: UInt16, _ words: String...) throws {
        try eventually("\(text) after \(words)") {
            let outcome = try Child(["redis-cli", "-p", "\(port)"] + words).outcome()
            let hasLog = folder.names.contains("log")
            return (outcome, logOfSentinel: hasLog ? try folder.text(of: "log") : "none")
        } is: {
            try $0.0.output.matches(of: Regex(text)).count == times
        }
    }

    /// Waits until both replicas have all that the primary has now. It is lost if they lack it when
    /// the primary is killed.
    private func awaitReplicas() throws {
        func offsets(_ name: String) throws -> [Int] {
            let text = try Child.run("redis-cli", "-p", "\(ports[0])", "INFO", "replication").output
            return text.matches(of: try Regex("\(name)(\\d+)", as: (Substring, Substring).self))
                .compactMap { Int($0.1) }
        }
        let wanted = try #require(try offsets("master_repl_offset:").first)
        try eventually("\(wanted) bytes in both replicas") {
            try offsets(",offset=")
        } is: { offsets in
            offsets.count { $0 >= wanted } == 2
        }
    }

    @Test func `Daemons follow the replica that Sentinel has made the primary`() throws {
        try wait(for: "min_slaves_good_slaves:2", ports[0], "INFO", "replication")
        let sentinel = try startSentinel()
        let log = ports[..<3].map { "tcp:127.0.0.1:\($0)" }.joined(separator: ",")
        let buses = try (0..<2).map { try house.serve($0, log: log, reports: true) }
        try house.send(house.createGame, buses[0])
        try house.send(house.move, buses[0])
        try house.expectScore("2 - 0", buses[1])
        // Sentinel knows both replicas, and has their state.
        try wait(
            for: "master-link-status\nok", times: 2, ports[3], "SENTINEL", "REPLICAS", "league")

        try awaitReplicas()
        servers[0].kill()
        try wait(
            for: "\n(\(ports[1])|\(ports[2]))\n",
            ports[3], "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "league")
        for bus in buses { try bus.daemon.errors.line(with: "link to Redis is lost") }
        for bus in buses { try house.expectState("following", bus) }
        try house.send(house.move, buses[1])
        for bus in buses { try house.expectScore("4 - 0", bus) }

        // The old primary becomes a replica, and the daemons stay with the new one.
        try servers[0].start()
        try wait(for: "master_link_status:up", ports[0], "INFO", "replication")
        try house.send(house.move, buses[0])
        for bus in buses { try house.expectScore("6 - 0", bus) }
        withExtendedLifetime(sentinel) {}
    }
}
