import Glibc
import TestSupport
import Testing

/// How daemons of a house reach Redis: with a password, with encryption, and after a failover.
@Suite(.enabled(if: getenv("BUSD_LAUNCHER") == nil, "the sandbox of the unit closes the network"))
struct HouseAccessTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// The path of a file with user and password.
    private func credentials(_ text: String, mode: mode_t = 0o600) throws -> String {
        try folder.write(text, to: "credentials")
        chmod(folder("credentials"), mode)
        return folder("credentials")
    }

    // MARK: Permissions

    /// The call of docs/several-machines.md that makes the user of busd.
    private func setUser() throws -> [String] {
        let page = try Package.text("docs/several-machines.md")
        let start = try #require(page.firstRange(of: "ACL SETUSER busd"))
        let text = page[start.lowerBound...]
        let end = try #require(text.firstRange(of: "ACL SETUSER default"))
        return text[..<end.lowerBound].split { " \n".contains($0) }.map(String.init)
    }

    private func permissions() throws -> [String] {
        try setUser().filter { $0.hasPrefix("+") }.map { String($0.dropFirst()) }
    }

    @Test func `The page has each command that the functions run`() throws {
        let code = try Package.text("Sources/busd/RedisLog/HouseFunctions.swift")
        let commands = Set(code.matches(of: #/redis\.call\('([A-Z]+)'/#).map { $0.output.1 })
        #expect(commands.count > 10)
        let permissions = try permissions()
        #expect(commands.filter { !permissions.contains($0.lowercased()) } == [])
    }

    @Test func `A daemon needs the permissions of the page, and no others`() throws {
        let house = try HouseFixture()
        try house.run(setUser().map { $0 == ">PASSWORD" ? ">open-sesame" : $0 })
        let credentials = try credentials("busd\nopen-sesame\n")
        let buses = try (0..<2).map { try house.serve($0, credentials: credentials) }
        try house.send(house.createGame, buses[0])
        try house.send(house.move, buses[0])
        // After 1,024 entries, the daemons compare their digests.
        let connection = try buses[0].connect()
        let undo = #"{"op":"send","to":"scoreboard/1","event":"undo","id":1}"#
        for _ in 1...550 {
            try connection.send(undo, house.move)
            for answer in try connection.lines(2) { #expect(answer.hasPrefix(#"{"ok":{"#)) }
        }
        // The second password replaces a secret, so Redis writes its file anew.
        let busd = try Products.path("busd")
        for password in ["hush", "hush2"] {
            let outcome = try buses[0].run(busd, "user", "add", "ann", input: password)
            #expect(outcome.status == 0, "\(outcome)")
        }
        try wait(for: "hdel", house)
        // These daemons load the states.
        let third = try house.serve(2, credentials: credentials)
        try house.expectScore("2 - 0", third)
        #expect(try buses[0].stop().status == 0)
        let restored = try Child.run(
            busd, "house", "restore", "--state", house.folders[0]("state"), "--log",
            "unix:\(house.redis.socket)", "--log-credentials", credentials)
        #expect(restored.status == 0 && restored.errors.isEmpty, "\(restored)")
        let again = try house.serve(0, credentials: credentials)
        try house.send(house.move, again)
        for bus in [again, buses[1], third] { try house.expectScore("4 - 0", bus) }

        // The slower daemon may still compare the last digests.
        try eventually("a daemon that uses each permission") {
            try Set(permissions()).subtracting(commands(house)).sorted()
        } is: {
            $0.isEmpty
        }
        #expect(try house.run(["ACL", "LOG"]).allSatisfy(\.isWhitespace))
    }

    /// The commands that Redis has run.
    private func commands(_ house: HouseFixture) throws -> [String] {
        try house.run(["INFO", "commandstats"]).matches(of: #/cmdstat_([a-z|_]+):/#)
            .map { String($0.output.1) }
    }

    private func wait(for command: String, _ house: HouseFixture) throws {
        try eventually(command) {
            try commands(house)
        } is: {
            $0.contains(command)
        }
    }

    // MARK: The file

    @Test func `A changed password is used without a restart, and is never shown`() throws {
        let house = try HouseFixture()
        try house.run(["ACL", "SETUSER", "busd", "reset", "on", ">sesame-1", "~*", "+@all"])
        let bus = try house.serve(0, credentials: credentials("busd\nsesame-1\n"))
        try house.send(house.createGame, bus)
        try house.run(["ACL", "SETUSER", "busd", "resetpass", ">sesame-2"])
        try house.run(["CLIENT", "KILL", "USER", "busd"])
        try house.expectState("Redis refuses: WRONGPASS", bus)
        #expect(try bus.connect().ask(house.move)?.contains("unavailable") == true)
        _ = try credentials("busd\nsesame-2\n")
        try house.expectState("following", bus)
        try house.send(house.move, bus)
        try house.expectScore("2 - 0", bus)
        let table = try #require(try bus.connect().ask("get bus/house"))
        let end = try bus.stop()
        #expect(end.status == 0 && end.errors.contains("correct the file of --log-credentials"))
        for text in [table, end.output, end.errors] { #expect(!text.contains("sesame")) }
    }

    @Test func `A file that others can read is refused until its mode is changed`() throws {
        let house = try HouseFixture()
        try house.run(["CONFIG", "SET", "requirepass", "sesame"])
        let path = try credentials("\nsesame\n", mode: 0o640)
        let words = [
            try Products.path("busd"), "--state", house.folders[0]("state"), "--socket",
            house.folders[0]("busd.sock"), "--house", "league", "--log",
            "unix:\(house.redis.socket)", "--log-credentials", path,
        ]
        let problem = "\(path) can be read by other users: chmod 600 \(path)"
        try Child(words).outcome().expect(status: 1, errors: "busd: \(problem)\n")
        chmod(path, 0o600)
        let first = try house.serve(0, credentials: path)
        try house.send(house.createGame, first)
        try house.send(house.move, first)
        #expect(try first.stop().status == 0)

        chmod(path, 0o644)
        let bus = try house.serve(0, credentials: path)
        try house.expectState(problem, bus)
        try house.expectScore("2 - 0", bus)
        chmod(path, 0o600)
        try house.send(house.move, bus)
        try house.expectScore("4 - 0", bus)
    }

    // MARK: Failover

    @Test func `Daemons follow the replica that was made the primary`() throws {
        let ports = try [freePort(), freePort()]
        let addresses = ports.map { "tcp:127.0.0.1:\($0)" }
        let log = addresses.joined(separator: ",")
        let replica = try RedisFixture(
            "--port", "\(ports[1])", "--replicaof", "127.0.0.1 \(ports[0])")
        let house = try HouseFixture(RedisFixture("--port", "\(ports[0])"))
        let buses = try (0..<2).map { try house.serve($0, log: log, reports: true) }
        try house.send(house.createGame, buses[0])
        try house.send(house.move, buses[0])
        try house.expectScore("2 - 0", buses[1])
        try expect("2", fromReplica: ["XLEN", "busd:league:log"], replica, house)
        house.redis.kill()
        for bus in buses {
            try house.expectState("\(addresses[0]): the link to Redis is lost: ", bus)
        }
        try house.expectReason("; \(addresses[1]): Redis is a replica: name its primary", buses[0])
        try house.expectScore("2 - 0", buses[0])

        try house.run(["REPLICAOF", "NO", "ONE"], at: replica)
        for bus in buses { try house.expectState("following", bus) }
        try house.send(house.move, buses[0])
        for bus in buses { try house.expectScore("4 - 0", bus) }
        // A daemon that starts looks for the primary too, and a second failover is as good.
        let third = try house.serve(2, log: log)
        try house.expectScore("4 - 0", third)
        try house.redis.start()
        try house.run(["REPLICAOF", "127.0.0.1", "\(ports[1])"])
        try expect("3", fromReplica: ["XLEN", "busd:league:log"], house.redis, house)
        replica.kill()
        try house.run(["REPLICAOF", "NO", "ONE"])
        for bus in buses + [third] { try house.expectState("following", bus) }
        try house.send(house.move, third)
        for bus in buses + [third] { try house.expectScore("6 - 0", bus) }
        let errors = try buses[0].stop().errors
        #expect(errors.contains("name its primary. This daemon still serves"), "\(errors)")
    }

    private func expect(
        _ text: String, fromReplica words: [String], _ replica: RedisFixture, _ house: HouseFixture
    ) throws {
        try eventually("\(text) at the replica") {
            try house.run(words, at: replica)
        } is: {
            $0 == text + "\n"
        }
    }

    // MARK: Encryption

    /// A configuration of stunnel in docs/several-machines.md, with other values for these names.
    private func tunnel(client: Bool, _ values: [String: String]) throws -> Child {
        let blocks = try Package.text("docs/several-machines.md").split(separator: "```\n")
            .filter { $0.hasPrefix("foreground = yes") && $0.contains("client = yes") == client }
        try #require(blocks.count == 1)
        var rest = values
        let lines = blocks[0].split(separator: "\n").map { line in
            let name = String(line.prefix { $0 != " " })
            return rest.removeValue(forKey: name).map { "\(name) = \($0)" } ?? String(line)
        }
        try #require(rest.isEmpty)
        let name = client ? "client.conf" : "server.conf"
        try folder.write(lines.joined(separator: "\n") + "\n", to: name)
        return try Child(["stunnel4", folder(name)])
    }

    @Test(.needs("stunnel4", "openssl"))
    func `Daemons reach Redis through stunnel, which encrypts`() throws {
        let made = try Child.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
            "/CN=redis", "-keyout", folder("key"), "-out", folder("certificate"))
        try #require(made.status == 0, "\(made)")
        chmod(folder("key"), 0o600)
        let house = try HouseFixture()
        let ports = try [freePort(), freePort()]
        let server = try tunnel(
            client: false,
            [
                "accept": "127.0.0.1:\(ports[0])", "connect": house.redis.socket,
                "cert": folder("certificate"), "key": folder("key"),
            ])
        let client = try tunnel(
            client: true,
            [
                "accept": "127.0.0.1:\(ports[1])", "connect": "127.0.0.1:\(ports[0])",
                "CAfile": folder("certificate"),
            ])
        // They report that Redis is away until the tunnel is there.
        let buses = try (0..<2).map {
            try house.serve($0, log: "tcp:127.0.0.1:\(ports[1])", reports: true)
        }
        try house.send(house.createGame, buses[0])
        try house.send(house.move, buses[0])
        for bus in buses { try house.expectScore("2 - 0", bus) }
        let plain = try Child.run("redis-cli", "-p", "\(ports[0])", "PING")
        #expect(!plain.output.contains("PONG"))
        withExtendedLifetime((server, client)) {}
    }
}
