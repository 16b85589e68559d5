import BusdBroker
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon
@testable import BusdEventLoop

@Suite struct ListenersTests {
    private let folder: Folder
    private let loop: Loop
    private let clients = Clients()

    private final class Clients {
        var accesses: [Access] = []
        var failures = 0

        func arrived(_ arrival: UnixListener.Arrival, through access: Access) {
            if case .accepted = arrival { accesses.append(access) } else { failures += 1 }
        }
    }

    init() throws {
        folder = try Folder()
        loop = try Loop()
    }

    private func open(_ passed: [Systemd.Passed] = []) throws -> Listeners {
        let listeners = try Listeners(Settings(in: folder), passed)
        try listeners.open(on: loop, arrived: clients.arrived)
        return listeners
    }

    /// A listening socket, as systemd makes it. The code that gets the descriptor owns it.
    private func listeningSocket(_ path: String) throws -> Int32 {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let address = try UnixAddress(path: path)
        try #require(address.withPointer { bind(number, $0, $1) } == 0)
        try #require(listen(number, 5) == 0)
        return number
    }

    @Test func `Each socket has its mode, and reports the access of its clients`() throws {
        let listeners = try open()

        #expect(listeners.addresses == [folder("busd.sock"), folder("view.sock")])
        #expect(mode(of: folder("busd.sock")) == 0o660)
        #expect(mode(of: folder("view.sock")) == 0o666)

        let control = try connect(to: folder("busd.sock"))
        #expect(loop.turn { clients.accesses == [.control] })
        let view = try connect(to: folder("view.sock"))
        #expect(loop.turn { clients.accesses == [.control, .view] })
        #expect(clients.failures == 0)
        withExtendedLifetime((listeners, control, view)) {}
    }

    @Test func `Closed listeners accept no client, and leave no file`() throws {
        let listeners = try open()
        listeners.close()

        #expect(mode(of: folder("busd.sock")) == nil)
        #expect(mode(of: folder("view.sock")) == nil)
        #expect(throws: StartError.self) { try connect(to: folder("busd.sock")) }
    }

    @Test func `Sockets that were passed are assigned by their names`() throws {
        let listeners = try open([
            .init(descriptor: listeningSocket(folder("v")), name: "view"),
            .init(descriptor: listeningSocket(folder("c")), name: "control"),
        ])

        #expect(listeners.addresses == [folder("c"), folder("v")])
        #expect(mode(of: folder("busd.sock")) == nil)
        #expect(mode(of: folder("view.sock")) == nil)
        let view = try connect(to: folder("v"))
        #expect(loop.turn { clients.accesses == [.view] })
        let control = try connect(to: folder("c"))
        #expect(loop.turn { clients.accesses == [.view, .control] })
        withExtendedLifetime((listeners, control, view)) {}
    }

    @Test func `A socket that was not passed is made`() throws {
        let listeners = try open([.init(descriptor: listeningSocket(folder("c")), name: "control")])

        #expect(listeners.addresses == [folder("c"), folder("view.sock")])
        #expect(mode(of: folder("busd.sock")) == nil)
        #expect(mode(of: folder("view.sock")) == 0o666)
        withExtendedLifetime(listeners) {}
    }

    @Test(arguments: ["", "unknown", "Control"])
    func `A socket of an unknown name is refused`(name: String) {
        let error = #expect(throws: StartError.self) {
            try open([.init(descriptor: 3, name: name)])
        }
        #expect(
            error?.description
                == "systemd passed a socket named '\(name)': name it control or view")
        #expect(mode(of: folder("busd.sock")) == nil)
    }

    @Test func `A passed descriptor that does not listen is refused`() {
        let error = #expect(throws: StartError.self) {
            try open([.init(descriptor: -1, name: "control")])
        }
        #expect(error?.description == "descriptor -1: getsockopt: Bad file descriptor")
    }

    @Test func `A second daemon is refused before it makes anything`() throws {
        let listeners = try open()
        for name in ["busd.sock", "view.sock"] {
            var second = try Settings(in: folder)
            (second.socket, second.viewSocket) = (folder("new/other.sock"), folder(name))
            let error = #expect(throws: StartError.self) { try Listeners(second, []) }
            #expect(error?.description == "\(folder(name)): another daemon listens there")
        }
        #expect(mode(of: folder("new")) == nil)
        #expect(mode(of: folder("busd.sock")) == 0o660)
        withExtendedLifetime(listeners) {}
    }

    @Test func `Listeners make no file before they are opened`() throws {
        let listeners = try Listeners(Settings(in: folder), [])
        #expect(mode(of: folder("busd.sock")) == nil)
        #expect(mode(of: folder("busd.sock.lock")) == nil)
        #expect(listeners.addresses == [])
    }

    @Test func `Of two daemons that have checked the sockets, only one opens them`() throws {
        let (first, second) = (
            try Listeners(Settings(in: folder), []), try Listeners(Settings(in: folder), [])
        )
        try first.open(on: loop, arrived: clients.arrived)
        let error = #expect(throws: StartError.self) {
            try second.open(on: loop, arrived: clients.arrived)
        }
        #expect(error?.description == "\(folder("busd.sock")): another daemon listens there")
        #expect(second.addresses == [])
    }
}
