import BusdBroker
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon
@testable import BusdEventLoop

@Suite struct DoorsTests {
    private let folder: Folder
    private let loop: Loop
    private let visitors = Visitors()

    private final class Visitors {
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

    private func open(_ passed: [Systemd.Passed] = []) throws -> Doors {
        let doors = try Doors(Settings(in: folder), passed)
        try doors.open(on: loop, arrived: visitors.arrived)
        return doors
    }

    /// As systemd makes it. Whoever adopts it owns the number.
    private func listeningSocket(_ path: String) throws -> Int32 {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let address = try UnixAddress(path: path)
        try #require(address.withPointer { bind(number, $0, $1) } == 0)
        try #require(listen(number, 5) == 0)
        return number
    }

    @Test func `each socket has its mode, and tells whom it lets in`() throws {
        let doors = try open()

        #expect(doors.addresses == [folder("busd.sock"), folder("view.sock")])
        #expect(mode(of: folder("busd.sock")) == 0o660)
        #expect(mode(of: folder("view.sock")) == 0o666)

        let control = try connect(to: folder("busd.sock"))
        #expect(loop.turn { visitors.accesses == [.control] })
        let view = try connect(to: folder("view.sock"))
        #expect(loop.turn { visitors.accesses == [.control, .view] })
        #expect(visitors.failures == 0)
        withExtendedLifetime((doors, control, view)) {}
    }

    @Test func `closed doors let nobody in, and leave no file`() throws {
        let doors = try open()
        doors.close()

        #expect(mode(of: folder("busd.sock")) == nil)
        #expect(mode(of: folder("view.sock")) == nil)
        #expect(throws: StartError.self) { try connect(to: folder("busd.sock")) }
    }

    @Test func `sockets that were passed are taken by their names`() throws {
        let doors = try open([
            .init(descriptor: listeningSocket(folder("v")), name: "view"),
            .init(descriptor: listeningSocket(folder("c")), name: "control"),
        ])

        #expect(doors.addresses == [folder("c"), folder("v")])
        #expect(mode(of: folder("busd.sock")) == nil)
        #expect(mode(of: folder("view.sock")) == nil)
        let view = try connect(to: folder("v"))
        #expect(loop.turn { visitors.accesses == [.view] })
        let control = try connect(to: folder("c"))
        #expect(loop.turn { visitors.accesses == [.view, .control] })
        withExtendedLifetime((doors, control, view)) {}
    }

    @Test func `the one that was not passed is made`() throws {
        let doors = try open([.init(descriptor: listeningSocket(folder("c")), name: "control")])

        #expect(doors.addresses == [folder("c"), folder("view.sock")])
        #expect(mode(of: folder("busd.sock")) == nil)
        #expect(mode(of: folder("view.sock")) == 0o666)
        withExtendedLifetime(doors) {}
    }

    @Test(arguments: ["", "unknown", "Control"])
    func `a socket of an unknown name is refused`(name: String) {
        let error = #expect(throws: StartError.self) {
            try open([.init(descriptor: 3, name: name)])
        }
        #expect(
            error?.description == "systemd passed a socket called '\(name)', not control or view")
        #expect(mode(of: folder("busd.sock")) == nil)
    }

    @Test func `what was passed and does not listen is refused`() {
        let error = #expect(throws: StartError.self) {
            try open([.init(descriptor: -1, name: "control")])
        }
        #expect(error?.description == "descriptor -1: getsockopt: Bad file descriptor")
    }

    @Test func `one daemon keeps another out, before that has made anything`() throws {
        let doors = try open()
        for name in ["busd.sock", "view.sock"] {
            var second = try Settings(in: folder)
            (second.socket, second.viewSocket) = (folder("new/other.sock"), folder(name))
            let error = #expect(throws: StartError.self) { try Doors(second, []) }
            #expect(error?.description == "\(folder(name)): another daemon listens there")
        }
        #expect(mode(of: folder("new")) == nil)
        #expect(mode(of: folder("busd.sock")) == 0o660)
        withExtendedLifetime(doors) {}
    }

    @Test func `doors that are only looked at are not there`() throws {
        let doors = try Doors(Settings(in: folder), [])
        #expect(mode(of: folder("busd.sock")) == nil)
        #expect(mode(of: folder("busd.sock.lock")) == nil)
        #expect(doors.addresses == [])
    }

    @Test func `of two that have looked, one opens`() throws {
        let (first, second) = (
            try Doors(Settings(in: folder), []), try Doors(Settings(in: folder), [])
        )
        try first.open(on: loop, arrived: visitors.arrived)
        let error = #expect(throws: StartError.self) {
            try second.open(on: loop, arrived: visitors.arrived)
        }
        #expect(error?.description == "\(folder("busd.sock")): another daemon listens there")
        #expect(second.addresses == [])
    }
}
