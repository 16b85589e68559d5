import BusdEventLoop
import BusdHosting
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon
@testable import BusdStorage

/// `bus/users` and `bus/store`, and the commands that use them.
@Suite struct AdministrationTests {
    private let folder: Folder
    private let bus: ServerFixture
    private let state: String

    init() throws {
        folder = try Folder()
        bus = try ServerFixture(in: folder, keepsState: true)
        state = folder("state")
    }

    /// The output of a command, or the reason why it fails.
    private func perform(_ request: UserRequest) throws -> String {
        let report = SharedText()
        let maintenance = Maintenance(
            try Settings(in: folder), folder: state, timeout: 120_000)
        let refusal = bus.beside {
            let client = try maintenance.awaitDaemon().client
            report.set(try request.perform(on: ServedUsers(client: client)))
        }
        return refusal ?? report.text
    }

    private static let hash = "$argon2id$v=19$m=65536,t=3,p=1$c2FsdA$aGFzaA"

    // MARK: Users

    @Test func `Users are added, changed, listed and removed`() throws {
        #expect(try perform(.list) == "")
        #expect(try perform(.add(name: "bob", hash: Self.hash)) == "bob can sign in\n")
        #expect(try perform(.add(name: "ann", hash: Self.hash)) == "ann can sign in\n")
        #expect(try perform(.add(name: "bob", hash: Self.hash + "x")) == "bob has a new password\n")
        #expect(try perform(.list) == "ann\nbob\n")
        #expect(try perform(.remove("ann")) == "ann can't sign in any more\n")
        #expect(try perform(.remove("ann")) == "there is no user ann")
        #expect(try perform(.list) == "bob\n")
        #expect(
            bus.logged.lines() == [
                "testd: bob can sign in", "testd: ann can sign in", "testd: bob has a new password",
                "testd: ann can't sign in any more",
            ])
        bus.kill()
    }

    @Test func `An added user is there after a kill`() throws {
        #expect(try perform(.add(name: "ann", hash: Self.hash)) == "ann can sign in\n")
        bus.kill()
        let users = try OfflineUsers(in: state, timeout: 120_000)
        #expect(users.names() == ["ann"])
        #expect(try UserRequest.remove("ann").perform(on: users) == "ann can't sign in any more\n")
        #expect(throws: StartError.self) { try UserRequest.remove("ann").perform(on: users) }
        users.close()
    }

    @Test func `A list of a thousand users is complete`() throws {
        let client = try bus.connect()
        for number in 1...1_000 {
            let name = "\(number) " + String(repeating: "é", count: 35)
            client.send(
                """
                {"op":"send","to":"bus/users","event":{"addUser":{"name":"\(name)",\
                "hash":"\(Self.hash)"}}}
                """)
            if number.isMultiple(of: 50) { bus.settle() }
        }
        client.send(#"{"op":"ping","id":1}"#)
        client.expect(#"{"ok":{},"id":1}"#)
        #expect(try perform(.list).split(separator: "\n").count == 1_000)
        bus.kill()
    }

    @Test(arguments: [
        ("", hash, "the name is missing"), ("a\u{202E}", hash, "the name has the invisible"),
        ("ann ", hash, "the name begins or ends with a space"),
        ("ann", "hush", "the hash must begin"),
    ])
    func `A bad name and a bad hash are refused`(name: String, hash: String, problem: String) throws
    {
        #expect(try perform(.add(name: name, hash: hash)).hasPrefix(problem))
        #expect(try perform(.list) == "")
        bus.kill()
    }

    @Test func `The users are readable on the control socket only, and never listed`() throws {
        let list = #"{"op":"list","to":"bus/*","id":1}"#
        let get = #"{"op":"get","to":"bus/users","id":1}"#
        let view = try bus.connect(throughViewSocket: true)
        view.send(get)
        var lines: [String] = []
        _ = bus.turn {
            lines += view.takeLines()
            return !lines.isEmpty
        }
        #expect(lines.joined().contains("unknownViewModel"))
        let control = try bus.connect()
        control.send(get, list)
        lines = []
        _ = bus.turn {
            lines += control.takeLines()
            return lines.count == 2
        }
        #expect(lines.first?.contains(#""address":"bus/users""#) == true)
        #expect(lines.last?.contains("bus/users") == false)
        bus.kill()
    }

    // MARK: Copies

    private static let watch =
        #"{"op":"subscribe","to":"bus/store","only":["backedUp","failed"],"id":1}"#
    private static let ask = #"{"op":"send","to":"bus/store","event":"backUp","id":2}"#

    private func lines(_ client: TestClient, until word: String) -> [String] {
        var lines: [String] = []
        let isThere = bus.turn {
            lines += client.takeLines()
            return lines.contains { $0.contains(word) }
        }
        #expect(isThere)
        return lines
    }

    @Test func `A second copy is refused until the connection of the first has ended`() throws {
        let (first, second) = (try bus.connect(), try bus.connect())
        first.send(Self.watch, Self.ask)
        _ = lines(first, until: #"{"backedUp":"#)
        #expect(mode(of: folder("state/backup.sqlite")) == 0o600)
        second.send(Self.ask)
        #expect(lines(second, until: "another copy is being made").count == 1)

        first.hangUp()
        #expect(bus.turn { bus.server.clientCount == 1 })
        bus.settle()
        second.send(Self.watch, Self.ask)
        _ = lines(second, until: #"{"backedUp":"#)
        bus.kill()
    }

    @Test func `A copy is removed if the connection that requested it has ended`() throws {
        let client = try bus.connect()
        client.send(Self.ask)
        client.hangUp()
        var logged: [String] = []
        #expect(
            bus.turn {
                logged += bus.logged.lines()
                return !logged.isEmpty
            })
        #expect(logged == ["testd: a copy of the store has been made"])
        #expect(mode(of: folder("state/backup.sqlite")) == nil)
        bus.kill()
    }

    // MARK: The link to the daemon

    @Test func `A link in the folder leads to the daemon while it runs`() throws {
        #expect(ControlLink.target(in: state) == folder("busd.sock"))
        bus.end()
        #expect(ControlLink.target(in: state) == nil)
    }

    @Test func `A daemon replaces a link of another daemon, and removes only its own link`() throws
    {
        let other = try Folder()
        symlink("/nowhere", other("control.sock"))
        var link: ControlLink? = try ControlLink(in: other.path, to: "/here")
        #expect(ControlLink.target(in: other.path) == "/here")
        unlink(other("control.sock"))
        symlink("/there", other("control.sock"))
        link = nil
        #expect(link == nil)
        #expect(ControlLink.target(in: other.path) == "/there")
        bus.kill()
    }

    @Test func `A daemon that serves another folder is not asked`() throws {
        let other = try Folder()
        let link = try ControlLink(in: other.path, to: folder("busd.sock"))
        let maintenance = Maintenance(
            try Settings(in: other), folder: other.path, timeout: 100)
        let refusal = bus.beside { _ = try maintenance.awaitDaemon() }
        #expect(refusal == "cannot reach the daemon in \(other.path): see its log")
        withExtendedLifetime(link) {}
        bus.kill()
    }

    @Test func `A command does not wait without end for a daemon that is silent`() throws {
        // The loop does not turn, so the daemon does not answer.
        let error = #expect(throws: StartError.self) {
            try Maintenance(Settings(in: folder), folder: state, timeout: 100).awaitDaemon()
        }
        #expect(error?.description == "cannot reach the daemon in \(state): see its log")
        bus.kill()
    }
}
