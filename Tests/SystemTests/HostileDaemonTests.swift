import Glibc
import TestSupport
import Testing

/// Clients of a daemon that breaks the protocol. Each client ends by itself, with the status and
/// the message in its manual.
struct HostileDaemonTests {
    private static let programs = [
        ["scoreboard", "--plain"], ["scoreboard", "--plain", "4"],
        ["scoreboard", "--until-finished", "4"], ["scoreboard", "--once", "4"],
        ["books", "--plain"], ["books", "--plain", "4"], ["books", "--once"],
        ["busd-login", "--user", "ann"], ["viewctl", "list"], ["viewctl", "get", "games"],
        ["viewctl", "watch", "games"], ["viewctl", "send", "echo/a", "say"],
    ]

    private func start(
        _ daemon: FakeDaemon, _ words: [String], _ timeout: String, under shell: [String] = []
    ) throws -> Child {
        try Child(
            shell + [try Products.path(words[0])] + words.dropFirst() + ["--timeout", timeout],
            input: "secret\n", environment: ["BUSD_SOCKET": daemon.socket])
    }

    @Test(arguments: programs)
    func `A client ends at its timeout if the daemon sends a line and then none`(
        words: [String]
    ) throws {
        let daemon = try FakeDaemon()
        let client = try start(daemon, words, "0.2")
        let conversation = daemon.accept()
        _ = try conversation.line()
        try conversation.sendAll(Array("{}\n".utf8))
        #expect(try client.outcome().status == 3)
    }

    private static let games =
        #"{"from":"games","seq":5,"snapshot":true,"event":{"games":{"games":[]}}}"#
    private static let gamesLive = #"{"live":"games","cursor":"k1:5"}"#

    @Test func `A client ends at its timeout if events arrive but no answer`() throws {
        let daemon = try FakeDaemon()
        let client = try start(daemon, ["scoreboard", "--plain"], "0.2")
        let conversation = daemon.accept()
        _ = try conversation.line()
        try conversation.sendAll(Array("\(Self.games)\n\(Self.gamesLive)\n".utf8))
        let outcome = try client.outcome()
        #expect(outcome.status == 3)
        #expect(outcome.errors.hasSuffix("scoreboard: timed out\n"))
    }

    @Test(arguments: programs)
    func `A client ends at its timeout if the daemon never stops sending`(words: [String]) throws {
        let daemon = try FakeDaemon()
        // If nothing reads its output, a client waits to write it, as any program does.
        let unread = ["sh", "-c", #"exec "$@" >/dev/null"#, "sh"]
        let client = try start(daemon, words, "0.2", under: unread)
        let conversation = daemon.accept()
        let line = #"{"from":"games","seq":6,"event":{"games":{"games":[]}}}"# + "\n"
        try conversation.sendAll(
            Array(String(repeating: line, count: 100_000).utf8), untilClosed: true)
        #expect(try client.outcome().status == 3)
    }

    @Test(arguments: [["scoreboard", "--plain"], ["viewctl", "watch", "games"]])
    func `A signal that the parent has blocked still ends a client`(words: [String]) throws {
        let daemon = try FakeDaemon()
        let client = try Child(
            ["env", "--block-signal=TERM", try Products.path(words[0])] + words.dropFirst()
                + ["--timeout", "600"],
            environment: ["BUSD_SOCKET": daemon.socket])
        _ = try daemon.accept().line()
        client.signal(SIGTERM)
        #expect(try client.outcome().status == 128 + SIGTERM)
    }

    @Test(arguments: [["scoreboard", "--plain"], ["viewctl", "watch", "games"]])
    func `A client that receives an endless line reports it and ends`(words: [String]) throws {
        let daemon = try FakeDaemon()
        let client = try start(daemon, words, "600")
        let conversation = daemon.accept()
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        try conversation.sendAll(bytes, untilClosed: true)
        try client.outcome().expect(
            status: 1,
            errors: "\(words[0]): cannot use the daemon at \(daemon.socket): a line is "
                + "longer than 64 MiB\n")
    }

    @Test(arguments: programs)
    func `No text of the daemon reaches standard error unescaped`(words: [String]) throws {
        let daemon = try FakeDaemon()
        let client = try start(daemon, words, "600")
        let conversation = daemon.accept()
        _ = try conversation.line()
        let evil = "\u{9B}31m\u{7F}\u{61C}\u{202E}\u{2028}" + #"\u001b]0;x\u0007"#
        for id in 1...3 {
            try conversation.sendAll(
                Array(
                    #"{"error":{"code":"\#(evil)","message":"\#(evil)"},"id":\#(id)}\#n"#.utf8))
        }
        let errors = try client.outcome().errors
        #expect(errors.contains(#"\u{009B}31m\u{7F}\u{061C}\u{202E}\u{2028}\u{1B}]0;x\u{07}"#))
        #expect(errors.utf8.allSatisfy { $0 == UInt8(ascii: "\n") || 0x20..<0x7F ~= $0 })
    }
}

/// The daemons to which a client sends a password.
struct TrustTests {
    @Test(.needsRoot)
    func `A password goes to another user's daemon only if only that user can write to its folder`()
        throws
    {
        let folder = try Folder()
        let socket = folder("busd.sock")
        try Child.run("chmod", "1777", folder.path).expect()
        let daemon = try Child([
            "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
            try Products.path("busd"), "--socket", socket, "--state", ":memory:",
        ])
        #expect(try daemon.errors.line()?.hasPrefix("busd: serving ") == true)
        // Each ends by itself: 0 is no time limit.
        func logIn() throws -> Child.Outcome {
            try Child.run(
                Products.path("busd-login"), "--user", "ann", "--socket", socket, "--timeout", "0",
                input: "secret\n")
        }

        try logIn().expect(
            status: 1,
            errors:
                "busd-login: the daemon at \(socket) runs as user 65534, who is neither root nor you; "
                + "its socket must be in a folder that only that user can write to\n")
        try Child.run(Products.path("viewctl"), "--socket", socket, "list", "echo/*").expect()

        try Child.run("chown", "65534", folder.path).expect()
        try Child.run("chmod", "0755", folder.path).expect()
        let answered = try logIn()
        #expect(answered.status == 5)
        #expect(answered.errors.hasPrefix("busd-login: Wrong name or password."))
    }
}
