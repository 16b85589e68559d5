import BusdProtocol
import Testing

@testable import BusdClient

@Suite struct RemoteHostTests {
    @Test(arguments: [
        "court", "ann@court", "ann@court.example", "::1", "ssh://ann@court:22", "höf",
    ])
    func `A host of ssh is accepted`(name: String) {
        #expect(RemoteHost(name)?.name == name)
    }

    @Test(arguments: [
        "", "-oProxyCommand=x", "ann@-oProxyCommand=x", "@court", "ann@", "a b", "a\nb", "a\0b",
        "a\u{1B}[31m", "a\u{9B}", "a\u{7F}",
    ]) func `A name that ssh could take for an option, and one that no host has, is refused`(
        name: String
    ) {
        #expect(RemoteHost(name) == nil)
        #expect(throws: RemoteHost.Malformed.self) {
            try RemoteHost.choice(given: name, variable: nil)
        }
    }

    @Test func `The option comes before the variable, and an empty variable counts as none`()
        throws
    {
        #expect(try RemoteHost.choice(given: "a", variable: "b")?.name == "a")
        #expect(try RemoteHost.choice(given: nil, variable: "b")?.name == "b")
        #expect(try RemoteHost.choice(given: nil, variable: "") == nil)
        #expect(try RemoteHost.choice(given: nil, variable: nil) == nil)
        #expect(throws: RemoteHost.Malformed.self) {
            try RemoteHost.choice(given: nil, variable: "-x")
        }
    }
}

@Suite struct SSHCommandTests {
    private func words(
        daemon: DaemonName = .busd, path: String? = nil, trust: Trust = .anyUser, asks: Bool = true
    ) throws -> [String] {
        let host = try #require(RemoteHost("ann@court"))
        return SSHCommand(host: host, daemon: daemon, path: path, trust: trust)
            .words(asks: asks)
    }

    @Test func `The program ssh runs a relay`() throws {
        #expect(
            try words() == [
                "ssh", "-T", "-o", "ClearAllForwardings=yes", "-o", "ControlMaster=no", "-o",
                "ServerAliveInterval=5", "--", "ann@court", "viewctl relay",
            ])
    }

    @Test func `The program ssh asks no question while a screen is shown`() throws {
        #expect(try words(asks: false).contains("BatchMode=yes"))
    }

    @Test func `The relay looks for another daemon by its name, unless a socket is given`() throws {
        #expect(try words(daemon: "kitchend").last == "viewctl relay --daemon 'kitchend'")
        #expect(try words(daemon: "kitchend", path: "/s").last == "viewctl relay --socket '/s'")
    }

    @Test func `The relay of a program that sends passwords checks the daemon`() throws {
        #expect(try words(trust: .daemonOfTrustedUser).last == "viewctl relay --trusted")
    }

    @Test(arguments: [
        ("/run/a b.sock", "'/run/a b.sock'"), ("it's", #"'it'\''s'"#),
        ("$(rm -r ~)", "'$(rm -r ~)'"),
        (#"a\b"#, #"'a\b'"#), ("-x", "'-x'"),
    ]) func `The socket's path is quoted for the remote shell`(path: String, word: String) throws {
        #expect(try words(path: path).last == "viewctl relay --socket \(word)")
    }
}
