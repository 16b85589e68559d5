import BusdOptions
import Glibc
import TestSupport
import Testing

@testable import BusdSite

/// The note of the running server, and the place of the state folder.
@Suite struct PairingServerTests {
    private let fixture: PairingFixture
    private let note = ServerNote(url: "http://court.example:8080", pairsPhones: true)

    init() throws { fixture = try PairingFixture() }

    private func found() throws -> ServerNote? {
        try fixture.state.open().flatMap { try ServerNote(in: $0) }
    }

    @Test func `The note of a server is found while the server runs, and not longer`() throws {
        #expect(try found() == nil)
        let lock = try note.publish(in: fixture.state)
        #expect(try found() == note)
        withExtendedLifetime(lock) {}
        #expect(mode(of: fixture.folder("server")) == 0o600)
    }

    @Test func `A note that a killed server has left counts for nothing`() throws {
        _ = try note.publish(in: fixture.state)
        #expect(fixture.folder.names == ["server"])
        #expect(try found() == nil)
        let next = ServerNote(url: "https://next.example", pairsPhones: false)
        let lock = try next.publish(in: fixture.state)
        #expect(try found() == next)
        withExtendedLifetime(lock) {}
    }

    @Test func `A second server on the folder does not start, and the first stays`() throws {
        let lock = try note.publish(in: fixture.state)
        let error = #expect(throws: StateFault.self) {
            try ServerNote(url: "http://other", pairsPhones: true).publish(in: fixture.state)
        }
        #expect(error?.status == .tryAgain)
        #expect(try found() == note)
        withExtendedLifetime(lock) {}
    }

    @Test func `A server that is just writing its note is asked again`() throws {
        let lock = try note.publish(in: fixture.state)
        try write(Array(#"{"url":"http"#.utf8), to: fixture.folder("server"))
        let error = #expect(throws: StateFault.self) { try found() }
        #expect(error?.status == .tryAgain)
        withExtendedLifetime(lock) {}
    }

    @Test func `A damaged note is refused, and never a trap`() throws {
        _ = try note.publish(in: fixture.state)
        let whole = Array(try fixture.folder.text(of: "server").utf8)
        #expect(ServerNote(content: whole) == note)
        for place in whole.indices {
            #expect(ServerNote(content: Array(whole[..<place])) == nil)
            for bit in 0..<8 {
                var bytes = whole
                bytes[place] ^= 1 << bit
                // A flipped bit of a name is not seen; what a terminal would execute is.
                let url = ServerNote(content: bytes)?.url ?? "http://"
                #expect(url.utf8.starts(with: "http".utf8))
                #expect(url.utf8.allSatisfy { 0x21..<0x7F ~= $0 })
            }
        }
    }

    @Test func `A note that is a link is not followed`() throws {
        #expect(symlink(fixture.folder("elsewhere"), fixture.folder("server")) == 0)
        #expect(throws: StateFault.self) { try note.publish(in: fixture.state) }
        #expect(try found() == nil)
        #expect(fixture.folder.names == ["server"])
    }

    @Test func `A loopback address is known as such`() {
        let urls = [
            "http://127.0.0.1:8080": true, "http://localhost:8080": true, "https://[::1]": true,
            "http://192.168.1.20:8080": false, "https://court.example": false,
        ]
        for (url, isLoopback) in urls {
            #expect(ServerNote(url: url, pairsPhones: true).isLoopback == isLoopback, "\(url)")
        }
    }

    // MARK: The state folder

    private func path(
        given: String? = nil, isOfMachine: Bool = false, _ variables: [String: String]
    ) throws -> String {
        let arguments = try pairingArguments(["pairs"] + (given.map { ["--state", $0] } ?? []))
        let state = try PairingFolder(
            arguments, variable: { variables[$0] }, isOfMachine: isOfMachine)
        return state.path
    }

    @Test func `The state folder is given, or of systemd, the machine or the user`() throws {
        let all = ["STATE_DIRECTORY": "/s/a:/s/b", "XDG_STATE_HOME": "/x", "HOME": "/home/ann"]
        #expect(try path(given: "d", isOfMachine: true, all) == "d")
        #expect(try path(isOfMachine: true, all) == "/s/a")
        let user = all.filter { $0.key != "STATE_DIRECTORY" }
        #expect(try path(isOfMachine: true, user) == "/var/lib/busd-web")
        #expect(try path(user) == "/x/busd-web")
        let home = ["XDG_STATE_HOME": "relative", "HOME": "/home/ann"]
        #expect(try path(home) == "/home/ann/.local/state/busd-web")
        #expect(usageMessage { try path(["HOME": ""]) }?.contains("--state") == true)
    }

    @Test func `A missing state folder is made with its parents, for its owner alone`() throws {
        let state = PairingFolder(path: fixture.folder("a/b"))
        let lock = try note.publish(in: state)
        #expect(mode(of: fixture.folder("a")) == 0o700)
        #expect(mode(of: fixture.folder("a/b")) == 0o700)
        withExtendedLifetime(lock) {}
    }
}
