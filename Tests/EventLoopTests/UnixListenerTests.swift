import Glibc
import TestSupport
import Testing

@testable import BusdEventLoop

@Suite struct UnixListenerTests {
    /// A daemon that only notes its arrivals.
    final class Daemon {
        let loop: Loop
        let folder: Folder
        var listener: UnixListener?
        var accepted: [(client: Descriptor, peer: PeerCredentials)] = []
        var refused = 0
        var keepsRefused = false
        var kept: [Descriptor] = []
        var failures: [SystemError] = []

        var path: String { folder("busd.sock") }
        var arrived: Int { accepted.count + refused }

        init() throws {
            loop = try Loop()
            folder = try Folder()
            listener = try UnixListener(loop: loop, path: path, mode: 0o600) { [weak self] in
                self?.note($0)
            }
        }

        func note(_ arrival: UnixListener.Arrival) {
            switch arrival {
            case .accepted(let client, let peer): accepted.append((client, peer))
            case .overloaded(let client):
                #expect(client.write("overloaded\n") == .bytes(11))
                refused += 1
                if keepsRefused { kept.append(client) }
            case .failed(let error): failures.append(error)
            }
        }

        func connect(_ count: Int = 1) throws -> [Descriptor] {
            try (0..<count).map { _ in try #require(connectUnix(path: path).descriptor) }
        }
    }

    @Test func `A client is accepted, non-blocking, and known by its credentials`() throws {
        let daemon = try Daemon()
        let clients = try daemon.connect()

        #expect(daemon.loop.turn { daemon.accepted.count == 1 })

        let (client, peer) = try #require(daemon.accepted.first)
        #expect(peer.process == getpid())
        #expect(peer.user == getuid())
        #expect(peer.group == getgid())
        #expect(client.readOnce().0 == .wouldBlock)
        #expect(fcntl(client.number, F_GETFD) == FD_CLOEXEC)
        #expect(clients[0].write("abc") == .bytes(3))
        #expect(client.readOnce().1 == "abc")
        #expect(daemon.refused == 0)
        #expect(daemon.failures == [])
    }

    @Test func `A client has its credentials although it has closed already`() throws {
        let daemon = try Daemon()
        do { _ = try daemon.connect() }

        #expect(daemon.loop.turn { daemon.accepted.count == 1 })

        #expect(daemon.accepted.first?.peer.process == getpid())
        try eventuallyHungUp(daemon.accepted.first?.client)
    }

    @Test func `Reading the credentials of a file that is no socket is an error`() {
        let error = #expect(throws: SystemError.self) {
            try PeerCredentials(of: Descriptor(socket: open("/dev/null", O_RDONLY)))
        }
        #expect(error == SystemError(code: ENOTSOCK, function: "getsockopt"))
    }

    @Test func `Many connections are accepted in parts, 64 per turn`() throws {
        let daemon = try Daemon()
        let clients = try daemon.connect(150)

        daemon.loop.turn(block: true)
        #expect(daemon.accepted.count == 64)
        daemon.loop.turn(block: true)
        daemon.loop.turn(block: true)

        #expect(daemon.accepted.count == 150)
        withExtendedLifetime(clients) {}
    }

    @Test func `A dropped listener accepts no client`() throws {
        let daemon = try Daemon()
        let clients = try daemon.connect()

        daemon.listener = nil
        daemon.loop.settle()

        #expect(daemon.accepted.isEmpty)
        try eventuallyHungUp(clients[0])
        #expect(connectUnix(path: daemon.path).failure?.code == ENOENT)
    }

    @Test func `A full backlog is reported until the daemon accepts again`() throws {
        let folder = try Folder()
        let path = folder("s")
        let socket = try SocketPath(path).bind(mode: 0o600)
        try check("listen") { listen(socket.number, 0) }

        let first = connectUnix(path: path)
        guard case .connected = first, case .backlogFull = connectUnix(path: path) else {
            Issue.record("no backlog of one")
            return
        }
        close(accept(socket.number, nil, nil))

        #expect(connectUnix(path: path).descriptor != nil)
    }

    @Test func `A failed connect has its reason`() throws {
        let folder = try Folder()
        let long = folder.path + "/" + String(repeating: "a", count: 100)

        #expect(
            connectUnix(path: folder("s")).failure?.description
                == "connect: No such file or directory")
        #expect(connectUnix(path: long).failure?.description == "sockaddr_un: File name too long")
        #expect(connectUnix(path: "").failure?.code == EINVAL)
        #expect(connectUnix(path: "\u{0}a").failure?.code == EINVAL)
    }

    // Passed sockets

    @Test func `A listening socket is adopted, made non-blocking and close-on-exec`() throws {
        let folder = try Folder()
        let path = folder("s")
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let address = try UnixAddress(path: path)
        try check("bind") { address.withPointer { bind(number, $0, $1) } }
        try check("listen") { listen(number, 5) }
        let loop = try Loop()
        var accepted = 0

        do {
            let listener = try UnixListener(loop: loop, adopting: number) { _ in accepted += 1 }
            let client = connectUnix(path: path)

            #expect(loop.turn { accepted == 1 })
            #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
            #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
            withExtendedLifetime((listener, client)) {}
        }

        #expect(folder.names == ["s"])
        try eventuallyRefused(path)
    }

    @Test func `A listener has the path that it is bound to`() throws {
        let loop = try Loop()
        func address(_ bound: UnixAddress) throws -> String {
            let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            try #require(bound.withPointer { bind(number, $0, $1) } == 0)
            try #require(listen(number, 1) == 0)
            return try UnixListener(loop: loop, adopting: number) { _ in }.address
        }
        let daemon = try Daemon()
        #expect(daemon.listener?.address == daemon.path)
        let folder = try Folder()
        let longest = folder(String(repeating: "x", count: 106 - folder.path.utf8.count))
        for path in [folder("s"), longest] {
            #expect(try address(UnixAddress(path: path)) == path)
        }
    }

    @Test func `Only a listening Unix stream socket with a path is adopted`() throws {
        func refusal(of number: Int32) -> String? {
            #expect(throws: ListenError.self) {
                try UnixListener(loop: try Loop(), adopting: number) { _ in }
            }?.description.drop { $0 != ":" }.description
        }
        let inet = Descriptor(socket: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        let file = Descriptor(file: open("/dev/null", O_RDONLY))
        let datagram = try unixSocket(SOCK_DGRAM)
        let silent = try unixSocket(SOCK_STREAM)

        // An abstract socket is in no folder, so no permissions protect it.
        let abstract = try unixSocket(SOCK_STREAM)
        let address = try UnixAddress(abstract: try Folder().path)
        try #require(address.withPointer { bind(abstract.number, $0, $1) } == 0)
        try #require(listen(abstract.number, 1) == 0)

        #expect(refusal(of: abstract.number) == ": is an abstract socket: use a path")
        #expect(refusal(of: inet.number) == ": is not a Unix socket")
        #expect(refusal(of: datagram.number) == ": is not a stream socket")
        #expect(refusal(of: silent.number) == ": is not listening")
        #expect(refusal(of: file.number) == ": getsockopt: Socket operation on non-socket")
        #expect(refusal(of: -1) == ": getsockopt: Bad file descriptor")
    }

    // Out of descriptors. The limit is for the whole process, so each test has its own process.

    @Test func `Without free descriptors, waiting clients are refused with the reason`() async {
        await #expect(processExitsWith: .success) {
            try onOwnDescriptors {
                let daemon = try Daemon()
                let clients = try daemon.connect(20)
                leaveDescriptors(3)

                #expect(daemon.loop.turn { daemon.arrived == 20 })
                #expect(daemon.accepted.count == 3)
                #expect(daemon.failures == [])
                #expect(clients[19].readOnce().1 == "overloaded\n")
                try eventuallyHungUp(clients[19])
                #expect(!clients[0].isHungUp)

                limit(RLIMIT_NOFILE, to: nil)
                let late = try daemon.connect()
                #expect(daemon.loop.turn { daemon.accepted.count == 4 })
                withExtendedLifetime(late) {}
            }
        }
    }

    @Test func `The pause doubles while there are no descriptors`() async {
        await #expect(processExitsWith: .success) {
            try onOwnDescriptors {
                let daemon = try Daemon()
                let waiting = try daemon.connect(400)
                leaveDescriptors(0)
                let start = daemon.loop.now()

                let turns = try #require(daemon.loop.turns { daemon.arrived == 400 })

                // 64 clients are refused at a time, with pauses of 10, 20, 40, 80, 100 and 100 ms.
                // The clock of the timers has a resolution of up to 10 ms.
                #expect(daemon.loop.now() - start >= 340_000)
                // A loop that spins has thousands of turns.
                #expect(turns <= 20)
                withExtendedLifetime(waiting) {}
            }
        }
    }

    @Test func `Pauses grow to a tenth of a second and no further`() {
        var backOff = BackOff()

        let rests = (0..<9).map { _ in backOff.next() / 1_000 }

        #expect(rests == [10, 20, 40, 80, 100, 100, 100, 100, 100])
    }

    @Test func `Without even a spare descriptor, waiting clients keep waiting`() async {
        await #expect(processExitsWith: .success) {
            try onOwnDescriptors {
                let daemon = try Daemon()
                daemon.keepsRefused = true
                let clients = try daemon.connect(5)
                leaveDescriptors(0)

                #expect(daemon.loop.turn { !daemon.kept.isEmpty })
                let turns = try #require(daemon.loop.turns(forMicroseconds: 100_000))
                #expect(turns <= 2 * 4 + 1)
                #expect(daemon.arrived < 5)
                #expect(!clients[4].isHungUp)

                limit(RLIMIT_NOFILE, to: nil)
                #expect(daemon.loop.turn { daemon.arrived == 5 })
            }
        }
    }
}
