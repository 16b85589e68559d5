import BusdGamesEvents
import Glibc
import TestSupport
import Testing

/// Clients of a machine that never stops sending.
struct SSHFloodTests {
    private static let flood = #"exec yes '{"ping":1}'"#
    private static let connect = #"read -r ping; echo '{"ok":{},"id":0}'"#
    private static let event =
        #"exec yes '{"from":"echo/x","seq":6,"event":{"said":{"text":"a"}}}'"#

    /// If nothing reads its output, a client waits to write it, as any program does.
    private func start(_ ssh: FakeSSH, _ program: String, _ words: String...) throws -> Child {
        let command = ["sh", "-c", #"exec "$@" >/dev/null"#, "sh", try Products.path(program)]
        return try Child(
            command + ["--host", "court"] + words, input: "secret\n",
            environment: ["PATH": try ssh.path])
    }

    @Test(arguments: [flood, "exec yes >&2", "exec tr '\\0' a </dev/zero >&2"])
    func `Connecting ends at the timeout while the other machine never stops sending`(
        flood: String
    ) throws {
        let ssh = try FakeSSH(flood)
        let outcome = try start(ssh, "viewctl", "get", "games", "--timeout", "1").outcome()
        #expect(outcome.status == 1)
        let message = "viewctl: court: timed out while connecting\n"
        #expect(outcome.errors.hasSuffix(message), "\(outcome.errors.suffix(200))")
        #expect(ssh.folder.names.contains("pid"))
    }

    @Test(
        arguments: [
            ["viewctl", "get", "games"], ["viewctl", "watch", "echo/x"],
            ["viewctl", "send", "echo/x", "say"], ["scoreboard", "--plain"], ["books", "--once"],
            ["busd-login", "--user", "ann"],
        ], [flood, event, "yes >&2 & exec yes '{}'"])
    func `A client ends at its timeout while ssh never stops sending`(
        words: [String], flood: String
    ) throws {
        let ssh = try FakeSSH("\(Self.connect); \(flood)")
        let command = ["sh", "-c", #"exec "$@" >/dev/null 2>&1"#, "sh"]
        let client = try Child(
            command + [try Products.path(words[0]), "--host", "court", "--timeout", "1"]
                + words.dropFirst(),
            input: "secret\n", environment: ["PATH": try ssh.path])
        #expect(try client.outcome().status == 3)
        #expect(ssh.folder.names.contains("pid"))
    }

    @Test(
        arguments: [SIGINT, SIGTERM, SIGHUP],
        [("true", #"{"ping":1}"#), (connect, #"{"from":"echo/x","seq":6,"event":{"said":{}}}"#)])
    func `A signal ends watch while ssh never stops sending`(
        signal: Int32, other: (connect: String, line: String)
    ) throws {
        // The socket does not hold so many lines: then the client is reading.
        let ssh = try FakeSSH(
            #"""
            \#(other.connect)
            yes '\#(other.line)' | head -n 50000
            touch "${0%/*}/floods"
            exec yes '\#(other.line)'
            """#)
        let watch = try start(ssh, "viewctl", "watch", "echo/x")
        try eventually("a flood", { ssh.folder.names }) { $0.contains("floods") }
        watch.signal(signal)
        #expect(try watch.outcome().status == 128 + signal)
    }

    @Test func `The relay ends at its timeout while the daemon never stops sending`() throws {
        let daemon = try FakeDaemon()
        let relay = try Child(
            ["sh", "-c", #"exec "$@" >/dev/null"#, "sh", try Products.path("viewctl"), "relay"]
                + ["--timeout", "1"],
            environment: ["BUSD_SOCKET": daemon.socket])
        try daemon.accept().sendAll(Array("{\"ping\":1}\n".utf8), untilClosed: true)
        try relay.outcome().expect(status: 3, errors: "viewctl: timed out\n")
    }

    // MARK: Standard error

    @Test func `Messages of ssh are escaped, and the last one needs no line feed`() throws {
        let body = #"printf 'a\033[2Jb\r\n\nc\001\302\233' >&2; exit 255"#
        let ssh = try FakeSSH(body)
        try ssh.run("viewctl", "list", on: "/s").expect(
            status: 1,
            errors: #"""
                a\u{1B}[2Jb

                c\u{01}\u{009B}
                viewctl: court: ssh cannot connect

                """#)
        #expect(ssh.folder.names.contains("pid"))
    }

    @Test func `A long message of ssh is cut into lines`() throws {
        let body = "head -c 1500 /dev/zero | tr '\\0' a >&2; exit 255"
        let ssh = try FakeSSH(body)
        let errors = try ssh.run("viewctl", "list", on: "/s").errors
        let lines = errors.split(separator: "\n")
        #expect(lines.dropLast().map(\.count) == [600, 600, 300])
        #expect(lines.last == "viewctl: court: ssh cannot connect")
        #expect(ssh.folder.names.contains("pid"))
    }
}

/// Screens that show a machine that never stops sending.
@Suite(.needs("tmux"), .showsScreens)
struct SSHFloodTerminalTests {
    private let tmux: Tmux

    init() throws { tmux = try Tmux() }

    /// Runs the scoreboard until `q`, and expects that it leaves the terminal as it was.
    private func quit(_ ssh: FakeSSH) throws {
        try tmux.open(
            "court",
            "stty -a >\(ssh.folder("before")); env PATH=\(try ssh.path) scoreboard --host court; "
                + "stty -a | cmp - \(ssh.folder("before"))")
        try eventually("a flood", { ssh.folder.names }) { $0.contains("floods") }
        try tmux.awaitText(#/Games/#, "the games", in: "court")
        try tmux.press("q", in: "court")
        try tmux.awaitText(#/ended with 0/#, "the end", in: "court")
        #expect(try !tmux.screen("court").contains("differ"))
    }

    private static let connect = #"read -r ping; echo '{"ok":{},"id":0}'"#

    @Test(arguments: [
        #"{"ping":1}"#, #"{"from":"games","seq":6,"event":{"games":{"games":[]}}}"#,
    ])
    func `A screen quits while ssh never stops sending`(line: String) throws {
        try quit(FakeSSH(#"\#(Self.connect); touch "${0%/*}/floods"; exec yes '\#(line)'"#))
    }

    @Test func `A screen quits while the next connection never stops sending`() throws {
        let body = #"""
            if mkdir "${0%/*}/once" 2>/dev/null; then
                \#(Self.connect)
                read -r hello
                exit
            fi
            touch "${0%/*}/floods"
            exec yes '{"ping":1}'
            """#
        try quit(FakeSSH(body))
    }
}
