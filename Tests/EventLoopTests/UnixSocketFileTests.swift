import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BusdEventLoop

/// The file of a listening socket.
@Suite struct UnixSocketFileTests {
    let loop: Loop
    let folder: Folder
    var path: String { folder("busd.sock") }

    init() throws {
        loop = try Loop()
        folder = try Folder()
    }

    private func listen(
        at path: String, mode: UInt32 = 0o660, folderMode: UInt32 = 0o755
    ) throws(ListenError) -> UnixListener {
        try UnixListener(loop: loop, path: path, mode: mode, folderMode: folderMode) { _ in }
    }

    /// Expects a refusal. If `isSeen`, a check without opening must report the same error.
    private func refusal(at path: String, isSeen: Bool = true) -> ListenError? {
        let refusal = #expect(throws: ListenError.self) { try listen(at: path) }
        var seen: ListenError?
        do { try UnixListener.look(at: path) } catch { seen = error }
        #expect(seen == (isSeen ? refusal : nil))
        return refusal
    }

    /// Makes the file that a killed daemon leaves.
    private func leaveStaleSocket(_ path: String) throws {
        do {
            let socket = try unixSocket(SOCK_STREAM)
            let address = try UnixAddress(path: path)
            try check("bind") { address.withPointer { bind(socket.number, $0, $1) } }
            try check("listen") { Glibc.listen(socket.number, 1) }
        }
        try eventuallyRefused(path)
    }

    // Modes

    @Test(
        arguments: [0o660, 0o666, 0o600, 0o777] as [UInt32], [0, 0o022, 0o077, 0o777] as [UInt32])
    func `The mode of a socket does not depend on the umask`(mode: UInt32, mask: UInt32) async {
        await #expect(processExitsWith: .success) { [mode, mask] in
            let folder = try Folder()
            umask(mask)
            let listener = try UnixListener(
                loop: try Loop(), path: folder("a/busd.sock"), mode: mode, folderMode: 0o750
            ) { _ in }

            #expect(TestSupport.mode(of: folder("a/busd.sock")) == mode)
            #expect(TestSupport.mode(of: folder("a")) == 0o750)
            #expect(TestSupport.mode(of: folder("a/busd.sock.lock")) == 0o600)
            withExtendedLifetime(listener) {}
        }
    }

    @Test func `A socket has its mode before it listens`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            umask(0)
            let path = try SocketPath(folder("busd.sock"))

            let bound = try path.bind(mode: 0o660)

            #expect(mode(of: folder("busd.sock")) == 0o660)
            withExtendedLifetime(bound) {}
        }
    }

    @Test func `A folder that exists keeps its mode`() throws {
        let folderMode = mode(of: folder.path)

        let listener = try listen(at: path, folderMode: 0o777)

        #expect(mode(of: folder.path) == folderMode)
        withExtendedLifetime(listener) {}
    }

    @Test func `Only the last folder of a socket's path is made`() {
        let refusal = refusal(at: folder("a/b/busd.sock"))

        #expect(refusal?.description == "\(folder("a/b")): mkdir: No such file or directory")
        #expect(folder.names == [])
    }

    @Test func `A socket below a file is refused, and the file is named`() throws {
        try folder.write("", to: "file")
        for path in ["file/busd.sock", "file/a/busd.sock"] {
            #expect(
                refusal(at: folder(path))?.description
                    == "\(folder("file")): is not a folder: choose another path")
        }
    }

    @Test func `A folder that every user may write to is refused, with the fix`() throws {
        chmod(folder.path, 0o777)
        #expect(
            refusal(at: path)?.description
                == "\(folder.path): every user may write to the folder and replace the "
                + "socket: run chmod o-w \(folder.path)")
        #expect(folder.names == [])
        chmod(folder.path, 0o1777)
        let listener = try listen(at: path)
        #expect(connectUnix(path: path).descriptor != nil)
        withExtendedLifetime(listener) {}
    }

    @Test func `A lock file that has a second name keeps its mode`() throws {
        try folder.write("kept", to: "victim")
        chmod(folder("victim"), 0o644)
        link(folder("victim"), path + ".lock")
        let listener = try listen(at: path)
        #expect(mode(of: folder("victim")) == 0o644)
        withExtendedLifetime(listener) {}
    }

    @Test func `Beside the socket there is only its lock file, which is for its owner only`() throws
    {
        let listener = try listen(at: path)

        #expect(folder.names == ["busd.sock", "busd.sock.lock"])
        #expect(mode(of: path + ".lock") == 0o600)
        withExtendedLifetime(listener) {}
        #expect(connectUnix(path: path).descriptor != nil)
    }

    @Test func `A path without a folder is in the current folder`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            chdir(folder.path)

            let listener = try UnixListener(loop: try Loop(), path: "s", mode: 0o600) { _ in }

            #expect(folder.names == ["s", "s.lock"])
            withExtendedLifetime(listener) {}
        }
    }

    @Test func `The peer name of a connection is the path of the socket`() throws {
        let listener = try listen(at: path)
        let client = try #require(connectUnix(path: path).descriptor)
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(client.number, $0, &length)
            }
        }
        #expect(status == 0)
        let name = withUnsafeBytes(of: address.sun_path) { $0.prefix { $0 != 0 } }
        #expect(String(decoding: name, as: UTF8.self) == path)
        withExtendedLifetime(listener) {}
    }

    // Existing files

    @Test func `The socket of a dead daemon is taken over`() throws {
        try leaveStaleSocket(path)

        let listener = try listen(at: path)

        #expect(connectUnix(path: path).descriptor != nil)
        #expect(folder.names == ["busd.sock", "busd.sock.lock"])
        withExtendedLifetime(listener) {}
    }

    @Test func `The socket of a running daemon is refused, and stays reachable`() throws {
        let first = try listen(at: path)

        #expect(refusal(at: path)?.description == "\(path): another daemon listens there")

        #expect(connectUnix(path: path).descriptor != nil)
        withExtendedLifetime(first) {}
    }

    @Test func `A live socket of another program is refused, also if it is busy`() throws {
        let socket = try SocketPath(path).bind(mode: 0o600)
        try check("listen") { Glibc.listen(socket.number, 0) }
        var waiting: [Descriptor] = []
        while let client = connectUnix(path: path).descriptor { waiting.append(client) }

        #expect(refusal(at: path)?.reason == .live)

        #expect(folder.names == ["busd.sock"])
    }

    @Test(arguments: [
        "datagram", "seqpacket", "listening seqpacket", "stream that does not listen",
    ])
    func `A socket of another kind is refused while a process holds it`(kind: String) throws {
        let type =
            switch kind {
            case "datagram": SOCK_DGRAM
            case "stream that does not listen": SOCK_STREAM
            default: SOCK_SEQPACKET
            }
        do {
            let socket = try unixSocket(type)
            let address = try UnixAddress(path: path)
            try check("bind") { address.withPointer { bind(socket.number, $0, $1) } }
            if kind.hasPrefix("listening") {
                try check("listen") { Glibc.listen(socket.number, 1) }
            }
            let before = try FileIdentity(of: path)

            #expect(
                refusal(at: path)?.description
                    == "\(path): is a socket of another program: choose another path")

            #expect(try FileIdentity(of: path) == before)
            #expect(folder.names == ["busd.sock"])
            withExtendedLifetime(socket) {}
        }
        // No process holds the socket any more.
        try eventually("a free path") { (try? listen(at: path)) != nil }
    }

    @Test func `A daemon is refused while another holds the lock file`() throws {
        let lock = try SocketPath(path).lock()

        #expect(
            refusal(at: path, isSeen: false)?.description
                == "\(path): another daemon holds its lock file")
        #expect(folder.names == ["busd.sock.lock"])

        withExtendedLifetime(lock) {}
    }

    @Test func `Of many daemons that start at once, one takes over a stale socket`() async throws {
        for round in 0..<10 {
            let path = folder("\(round).sock")
            try leaveStaleSocket(path)
            let race = Race(path: path, count: 8)
            let wins = await withTaskGroup { group in
                for _ in 0..<race.count { group.addTask { await race.start() } }
                return await group.reduce(0) { $1 ? $0 + 1 : $0 }
            }
            #expect(wins == 1)
        }
    }

    private final class Race: Sendable {
        let path: String
        let count: Int
        private let tried = Mutex(0)

        init(path: String, count: Int) {
            self.path = path
            self.count = count
        }

        /// Whether this attempt won. It holds the socket until all have tried.
        func start() async -> Bool {
            let listener = try? UnixListener(loop: Loop(), path: path, mode: 0o600) { _ in }
            tried.withLock { $0 += 1 }
            while tried.withLock({ $0 < count }) { await Task.yield() }
            return listener != nil
        }
    }

    @Test func `A lock file that no process holds is ignored`() throws {
        do { _ = try listen(at: path) }

        #expect(folder.names == ["busd.sock.lock"])
        try eventually("a free path") { (try? listen(at: path)) != nil }
    }

    /// Between fork and exec, a program that is started at that moment has the descriptor too.
    @Test func `A lock is released although a child has its descriptor too`() throws {
        var first: UnixListener? = try listen(at: path)
        #expect(first != nil)
        let lock = inode(of: path + ".lock")
        let number = try #require(
            (Int32(3)..<1_024).first { inode(of: "/proc/self/fd/\($0)") == lock })
        let child = Descriptor(file: try check("dup") { dup(number) })
        first = nil
        first = try listen(at: path)
        withExtendedLifetime(child) {}
    }

    private func inode(of path: String) -> ino_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_ino : nil
    }

    @Test func `A link in the place of the lock file is not followed`() throws {
        symlink(folder("elsewhere"), path + ".lock")

        let link = SystemError(code: ELOOP, function: "open")
        #expect(
            refusal(at: path, isSeen: false)
                == ListenError(path: path + ".lock", reason: .system(link)))
        #expect(folder.names == ["busd.sock.lock"])
    }

    @Test(arguments: ["file", "folder", "FIFO", "link to nothing", "link to a file", "device"])
    func `A file that is no socket is refused, and not changed`(kind: String) throws {
        switch kind {
        case "file": close(open(path, O_CREAT, 0o600))
        case "folder": mkdir(path, 0o700)
        case "FIFO": mkfifo(path, 0o600)
        case "link to nothing": symlink(folder("nothing"), path)
        case "link to a file": symlink("/etc/passwd", path)
        default: break
        }
        let path = kind == "device" ? "/dev/null" : path
        let before = try FileIdentity(of: path)

        let thing = kind.hasPrefix("link") ? "link" : kind
        #expect(
            refusal(at: path)?.description
                == "\(path): is a \(thing), not a socket: move it, or choose another path")

        #expect(try FileIdentity(of: path) == before)
        #expect(folder.names == (kind == "device" ? [] : ["busd.sock"]))
    }

    @Test func `A link to a live socket is refused`() throws {
        let listener = try listen(at: folder("real.sock"))
        symlink(folder("real.sock"), path)

        #expect(refusal(at: path)?.reason == .occupied(by: "a link"))
        withExtendedLifetime(listener) {}
    }

    // Paths

    @Test func `A path of 107 bytes is accepted, and a longer path is refused`() throws {
        let longest =
            folder.path + "/" + String(repeating: "a", count: 106 - folder.path.utf8.count)
        #expect(longest.utf8.count == 107)
        let listener = try listen(at: longest)
        #expect(connectUnix(path: longest).descriptor != nil)
        withExtendedLifetime(listener) {}

        let refusal = refusal(at: longest + "a")
        #expect(
            refusal?.description == "\(longest)a: the path of a socket must have at most 107 bytes")
    }

    @Test func `A path that is empty, abstract or has a NUL in it is refused`() {
        #expect(refusal(at: "")?.description == "'': is not a valid socket path")
        #expect(refusal(at: "\u{0}abstract")?.reason == .unusablePath)
        #expect(refusal(at: folder("a\u{0}b"))?.reason == .unusablePath)
        #expect(folder.names == [])
    }

    // The end

    @Test func `A dropped listener removes its socket, and leaves its lock file`() throws {
        do { _ = try listen(at: path) }

        #expect(folder.names == ["busd.sock.lock"])
        #expect(connectUnix(path: path).failure?.code == ENOENT)
    }

    @Test func `A dropped listener leaves a file that has replaced its socket`() throws {
        do {
            let listener = try listen(at: path)
            unlink(path)
            close(open(path, O_CREAT, 0o600))
            withExtendedLifetime(listener) {}
        }

        #expect(folder.names == ["busd.sock", "busd.sock.lock"])
    }

    @Test func `A listener can be dropped after its socket was removed`() throws {
        do {
            let listener = try listen(at: path)
            unlink(path)
            withExtendedLifetime(listener) {}
        }

        #expect(folder.names == ["busd.sock.lock"])
    }
}
