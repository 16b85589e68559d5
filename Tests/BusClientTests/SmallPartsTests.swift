import BusdClientTestSupport
import BusdEventLoop
import BusdProtocol
import Glibc
import Testing

@testable import BusdClient

@Suite struct SocketChoiceTests {
    private func paths(given: String? = nil, _ variables: [String: String]) -> [String] {
        DaemonName.busd.sockets(given: given) { variables[$0] }
    }

    @Test func `A given path comes before the variable, and the variable before the default`() {
        let all = ["BUSD_SOCKET": "/b", "XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(paths(given: "/a", all) == ["/a"])
        #expect(paths(all) == ["/b"])
        #expect(
            paths(["XDG_RUNTIME_DIR": "/run/user/7"]) == [
                "/run/user/7/busd/busd.sock", "/run/busd/busd.sock",
            ])
        #expect(paths([:]) == ["/run/busd/busd.sock"])
    }

    @Test func `An empty variable counts as none`() {
        #expect(paths(["BUSD_SOCKET": "", "XDG_RUNTIME_DIR": ""]) == ["/run/busd/busd.sock"])
    }
}

@Suite struct DaemonNameTests {
    @Test func `Another daemon has its own variable and sockets`() {
        let variables = ["BUSD_SOCKET": "/b", "XDG_RUNTIME_DIR": "/r"]
        let counterd: DaemonName = "my-counterd2"
        #expect(counterd.socketVariable == "MY_COUNTERD2_SOCKET")
        #expect(
            counterd.sockets(given: nil) { variables[$0] } == [
                "/r/my-counterd2/my-counterd2.sock", "/run/my-counterd2/my-counterd2.sock",
            ])
    }

    @Test func `A valid name of a daemon has no problem`() {
        for name: DaemonName in [.busd, "counterd", "d", "my-counterd2"] {
            #expect(name.problem == nil, "\(name)")
        }
        for name in ["", "Busd", "2d", "-d", "a b", "a/b", "é", String(repeating: "d", count: 33)] {
            #expect(DaemonName(name).problem != nil, "\(name)")
        }
    }
}

/// Two sockets with daemons that the test controls.
@Suite struct SocketSearchTests {
    private let world: ClientFixture
    private let system = FakeDaemon()
    private let connection: BusConnection

    init() throws {
        let world = try ClientFixture()
        self.world = world
        let (own, system) = (world.daemon, system)
        connection = BusConnection(loop: world.loop, paths: ["/own", "/system"]) { path in
            path == "/own" ? own.dial() : system.dial()
        }
    }

    @Test func `Without a user's daemon the client uses the machine's, and stays with it`() {
        world.daemon.acceptance = .closed(ENOENT)
        connection.open()
        #expect(connection.isConnected)
        #expect(connection.path == "/system")

        world.daemon.acceptance = .accepts
        system.acceptance = .closed(ECONNREFUSED)
        system.hangUp()
        world.settle()
        world.wait(.seconds(9))
        #expect(connection.loss == .noDaemon(path: "/system"))
        #expect(world.daemon.attempts == 1)
    }

    @Test func `The user's own daemon comes first`() {
        connection.open()
        #expect(connection.path == "/own")
        #expect(system.attempts == 0)
    }

    @Test func `Without any daemon both sockets are named`() {
        world.daemon.acceptance = .closed(ENOENT)
        system.acceptance = .closed(ECONNREFUSED)
        connection.open()
        #expect(connection.loss?.description == "no daemon listens at /own or /system")
        system.acceptance = .accepts
        world.wait(.milliseconds(150))
        #expect(connection.path == "/system")
    }

    @Test func `A socket without permission is named`() {
        world.daemon.acceptance = .closed(ENOENT)
        system.acceptance = .closed(EACCES)
        connection.open()
        #expect(connection.loss?.description == "no permission to connect to /system")

        world.daemon.acceptance = .closed(EACCES)
        system.acceptance = .accepts
        world.wait(.milliseconds(150))
        #expect(connection.loss?.description == "no permission to connect to /own")
    }
}

@Suite struct LossTests {
    @Test(arguments: [
        (ENOENT, "no daemon listens at /bus"), (ECONNREFUSED, "no daemon listens at /bus"),
        (EACCES, "no permission to connect to /bus"), (EPERM, "no permission to connect to /bus"),
        (ENAMETOOLONG, "/bus: File name too long"),
    ]) func `A failed attempt to connect has its reason`(code: Int32, text: String) {
        let error = SystemError(code: code, function: "connect")
        #expect(Loss(connecting: "/bus", error).description == text)
    }

    @Test func `Every other loss has its reason`() {
        let losses: [Loss] = [
            .notOpen, .busy(path: "/bus"), .ended(path: "/bus"),
            .bye(code: "closing", message: "the daemon is stopping"),
            .malformed(path: "/bus", reason: "a line is not an object"),
            .connecting(host: "court"),
            .unreachable(host: "court", reason: "ssh cannot connect"),
        ]
        #expect(
            losses.map(\.description) == [
                "the connection is not open",
                "the daemon at /bus has too many clients waiting",
                "the daemon at /bus closed the connection",
                "the daemon closed the connection: the daemon is stopping (closing)",
                "cannot use the daemon at /bus: a line is not an object",
                "connecting to court",
                "court: ssh cannot connect",
            ])
    }
}

@Suite struct RetryDelaysTests {
    private let away = Duration.milliseconds(50)...Duration.milliseconds(150)

    @Test func `While no daemon listens, each attempt follows within 150 ms`() {
        var rests = RetryDelays()
        let found = (0..<1_000).map { _ in rests.next(afterLasting: nil) }
        #expect(found.allSatisfy(away.contains))
    }

    @Test func `Clients do not retry in step`() {
        let rests = (0..<100).map { _ in
            var rests = RetryDelays()
            return rests.next(afterLasting: nil)
        }
        #expect(Set(rests).count > 10)
    }

    @Test func `After short connections, delays double from 50 ms up to 2 s`() {
        var rests = RetryDelays()
        let found = (0..<8).map { _ in rests.next(afterLasting: .milliseconds(1999)) }
        let expected = [50, 100, 200, 400, 800, 1600, 2000, 2000].map { Duration.milliseconds($0) }
        #expect(found == expected)
    }

    @Test func `Failed attempts between short connections do not change the doubling`() {
        var rests = RetryDelays()
        #expect(rests.next(afterLasting: .zero) == .milliseconds(50))
        #expect(away.contains(rests.next(afterLasting: nil)))
        #expect(rests.next(afterLasting: .zero) == .milliseconds(100))
    }

    @Test func `After failed logins, delays double from 1 s up to 16 s`() {
        var rests = RetryDelays(needsLogin: true)
        let found = (0..<6).map { _ in rests.next(afterLasting: nil) }
        #expect(found == [1, 2, 4, 8, 16, 16].map { Duration.seconds($0) })
        #expect(rests.next(afterLasting: .seconds(2)) == .zero)
        #expect(rests.next(afterLasting: nil) == .seconds(1))
    }

    @Test func `After a good connection the first attempt is made at once`() {
        var rests = RetryDelays()
        for _ in 0..<5 { _ = rests.next(afterLasting: .zero) }
        #expect(rests.next(afterLasting: .seconds(2)) == .zero)
        #expect(rests.next(afterLasting: .zero) == .milliseconds(50))
    }
}

@Suite struct EditingEventTests {
    private func row(_ id: String) -> Boards.Row {
        Boards.Row(id: id, address: "board/\(id)")
    }

    @Test func `A view that binds late gets the list with its edits`() {
        let output = Output<Boards.ViewModelEvent>()
        output.sendEdited(.boards(boards: [row("1")]))
        output.sendEdited(.boardsEdited(edits: [.insert(at: 0, row: row("2"))]))
        output.sendEdited(.created(board: "2"))
        #expect(output.current == [.boards(boards: [row("2"), row("1")])])
    }

    @Test func `Edits that fit no list change nothing`() {
        let output = Output<Boards.ViewModelEvent>()
        output.sendEdited(.boardsEdited(edits: [.delete(at: 0)]))
        #expect(output.current == [])
        output.sendEdited(.boards(boards: [row("1")]))
        output.sendEdited(.boardsEdited(edits: [.delete(at: 3)]))
        #expect(output.current == [.boards(boards: [row("1")])])
    }
}
