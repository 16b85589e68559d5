import Glibc
import TestSupport
import Testing

/// Attacks on a `login` by another client of the control socket, which knows the password of one
/// other user.
struct ForgedLoginTests {
    private let bus: BusFixture
    private let program: String

    init() throws {
        bus = try BusFixture.withUser("eve", password: "eves")
        program = try Products.path("busd-login")
    }

    /// Starts busd-login, and returns the address of its login when the watcher sees it.
    private func start(
        _ arguments: [String], input: String, seenBy watcher: Conversation
    ) throws -> (login: Child, address: String) {
        let login = try bus.start([program, "--timeout", "30"] + arguments, input: input)
        while true {
            let line = try #require(try watcher.line())
            guard let match = line.firstMatch(of: #/"(?:from|live)":"(login/[^"*]+)"/#) else {
                continue
            }
            return (login, String(match.output.1))
        }
    }

    private func watch() throws -> Conversation {
        let watcher = try bus.connect()
        #expect(try watcher.ask("subscribe login/*")?.hasPrefix(#"{"ok":"#) == true)
        return watcher
    }

    /// Sends a request, and returns its answer; skips events.
    private func answer(_ line: String, of client: Conversation) throws -> String {
        try client.send(line)
        while true {
            let line = try #require(try client.line())
            if line.hasPrefix(#"{"ok":"#) || line.hasPrefix(#"{"error":"#) { return line }
        }
    }

    @Test func `A login with a wrong password fails, whatever other clients send to it`() throws {
        for _ in 0..<5 {
            let eve = try watch()
            let (login, address) = try start(["--user", "ann"], input: "wrong\n", seenBy: eve)
            for event in [
                #"usernameChanged {"username":"eve"}"#, #"passwordChanged {"password":"eves"}"#,
                "loginTapped",
            ] {
                #expect(
                    try answer("send \(address) \(event)", of: eve)
                        == #"{"error":{"code":"notAllowed","message":"\#(address) takes events "#
                        + #"only from the connection that made it: use another address"}}"#)
            }
            let outcome = try login.outcome()
            #expect(outcome.status == 5)
            #expect(outcome.output == "")
            #expect(outcome.errors.hasPrefix("busd-login: Wrong name or password."))
        }
    }

    @Test func `A login ends with its program, and leaves nothing for others to use`() throws {
        let eve = try watch()
        let (login, address) = try start(["--user", "eve"], input: "eves\n", seenBy: eve)
        try login.outcome().expect(output: "Login Successful!\n")
        try eve.line(with: #"{"gone":"\#(address)"}"#)
        try eve.send("get \(address)")
        #expect(
            try eve.line(with: #"{"ok":{"address""#)
                .contains(#"{"loginButtonEnabled":{"isEnabled":false}}"#))
    }
}
