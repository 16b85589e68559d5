import BusdEventLoop
import Glibc
import TestSupport
import Testing

/// Starting, refusing to start, and ending.
struct LifecycleTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `A stopped daemon sends bye to all clients and removes its sockets`(signal: Int32) throws {
        let bus = try BusFixture()
        let idle = try bus.connect(throughViewSocket: true)
        let watcher = try bus.connect()
        _ = try watcher.ask("subscribe games")
        #expect(try watcher.line()?.hasPrefix(#"{"from":"games","seq":0,"snapshot":true"#) == true)
        #expect(try watcher.line()?.hasPrefix(#"{"live":"games""#) == true)

        bus.daemon.signal(signal)
        for client in [idle, watcher] {
            #expect(try client.line()?.hasPrefix(#"{"bye":{"code":"closing","#) == true)
            #expect(try client.line() == nil)
        }
        try bus.daemon.outcome().expect(errors: "busd: done\n")
        #expect(access(bus.socket, F_OK) != 0)
        #expect(access(bus.viewSocket, F_OK) != 0)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `A signal that the parent has blocked still ends the daemon`(signal: Int32) throws {
        let daemon = try serve(under: "env", "--block-signal=\(signal)")
        try #require(try Self.signals("SigBlk", of: daemon).isEmpty)
        daemon.signal(signal)
        try daemon.outcome().expect(errors: "busd: done\n")
    }

    @Test func `A daemon that nohup has started ignores SIGHUP, and ends with SIGTERM`() throws {
        let daemon = try serve(under: "env", "--ignore-signal=SIGHUP")
        try #require(try Self.signals("SigIgn", of: daemon).contains(SIGHUP))
        daemon.signal(SIGTERM)
        try daemon.outcome().expect(errors: "busd: done\n")
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `A signal that the parent has ignored still ends the daemon`(signal: Int32) throws {
        let daemon = try serve(under: "env", "--ignore-signal=\(signal)")
        daemon.signal(signal)
        try daemon.outcome().expect(errors: "busd: done\n")
    }

    private func serve(under words: String...) throws -> Child {
        let folder = try Folder()
        let busd = try Products.path("busd")
        let daemon = try Child(
            words + [busd, "--state", ":memory:", "--socket", folder("busd.sock")])
        #expect(try daemon.errors.line()?.hasPrefix("busd: serving ") == true)
        return daemon
    }

    /// A set of signals in /proc/PID/status, such as `SigBlk`.
    private static func signals(_ set: String, of daemon: Child) throws -> [Int32] {
        let status = try Child.run("cat", "/proc/\(daemon.pid)/status").output
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(set):") })
        let bits = try #require(UInt64(line.split(separator: "\t").last ?? "", radix: 16))
        return (1...64).filter { bits & (1 << ($0 - 1)) != 0 }
    }

    @Test func `A new daemon takes over the sockets of a killed daemon`() throws {
        let folder = try Folder()
        let killed = try BusFixture(in: folder)
        killed.daemon.signal(SIGKILL)
        #expect(try killed.daemon.outcome().status == 128 + SIGKILL)
        #expect(access(killed.socket, F_OK) == 0)
        let next = try BusFixture(in: folder)
        #expect(try next.connect().ask("ping") == #"{"ok":{}}"#)
    }

    @Test func `A second daemon on the same socket is refused, and the first goes on`() throws {
        let first = try BusFixture()
        let client = try first.connect()
        let second = try start(on: first.socket)
        second.expect(status: 1, errors: second.errors)
        #expect(second.errors.hasPrefix("busd: \(first.socket): another daemon "))
        #expect(try client.ask("ping") == #"{"ok":{}}"#)
        #expect(try first.connect(throughViewSocket: true).ask("ping") == #"{"ok":{}}"#)
    }

    @Test(arguments: [
        ("echo kept > PATH", "cat PATH", "kept\n"),
        ("mkdir PATH", "ls -d PATH", "PATH\n"),
        ("mkfifo PATH", "stat -c %F PATH", "fifo\n"),
        ("ln -s nowhere PATH", "readlink PATH", "nowhere\n"),
        ("echo kept > PATH.else && ln -s PATH.else PATH", "cat PATH", "kept\n"),
    ])
    func `A daemon is refused if its socket's path is taken, and keeps the file`(
        make: String, look: String, found: String
    ) throws {
        let folder = try Folder()
        let path = folder("busd.sock")
        func shell(_ line: String) throws -> Child.Outcome {
            try Child.run("bash", "-c", line.replacing("PATH", with: path))
        }
        try shell(make).expect()
        let refusal = try start(on: path)
        #expect(refusal.status == 1)
        #expect(refusal.errors.hasPrefix("busd: \(path): "))
        try shell(look).expect(output: found.replacing("PATH", with: path))
    }

    @Test func `A daemon does not take over a socket of another program`() throws {
        let folder = try Folder()
        let path = folder("busd.sock")
        let other = try Child(
            ["socat", "-d", "-d", "UNIX-LISTEN:\(path),fork", "EXEC:cat"])
        try other.errors.line(with: "listening")
        let refusal = try start(on: path)
        #expect(refusal.status == 1)
        #expect(refusal.errors.hasPrefix("busd: \(path): "))
        #expect(try Conversation(with: path).ask("mine") == "mine")
    }

    @Test func `A socket path that is too long or has no folder is refused`() throws {
        for path in ["/nowhere/of/all/busd.sock", "/tmp/" + String(repeating: "x", count: 200)] {
            let refusal = try start(on: path)
            #expect(refusal.status == 1)
            #expect(refusal.errors.hasPrefix("busd: /"), "\(refusal.errors)")
        }
    }

    @Test(arguments: ["000", "022", "077", "777"])
    func `The modes of the sockets do not depend on the umask`(umask: String) throws {
        let folder = try Folder()
        let path = folder("busd.sock")
        let busd = try Products.path("busd")
        let daemon = try Child([
            "bash", "-c", "umask \(umask) && exec \(busd) --state :memory: --socket \(path)",
        ])
        #expect(try daemon.errors.line()?.hasPrefix("busd: serving ") == true)
        try Child.run("stat", "-c", "%a", path, folder("view.sock")).expect(output: "660\n666\n")
        daemon.signal(SIGTERM)
        try daemon.outcome().expect(errors: "busd: done\n")
    }

    @Test func `The default place of the sockets is the user's runtime folder`() throws {
        let folder = try Folder()
        let daemon = try Child(
            [try Products.path("busd"), "--state", ":memory:"],
            environment: ["XDG_RUNTIME_DIR": folder.path])
        let sockets = "\(folder.path)/busd/busd.sock and \(folder.path)/busd/view.sock"
        #expect(try daemon.errors.line() == "busd: serving \(sockets)")
        #expect(try Conversation(with: folder("busd/view.sock")).ask("ping") == #"{"ok":{}}"#)
    }

    @Test(.needs("systemd-socket-activate"))
    func `Sockets that systemd opened are assigned by their names`() throws {
        let folder = try Folder()
        let daemon = try Child([
            "systemd-socket-activate", "--fdname=view:control", "--listen=\(folder("a"))",
            "--listen=\(folder("b"))", try Products.path("busd"), "--state", ":memory:",
            "--socket", folder("unused"), "--view-socket", folder("unused too"),
        ])
        try daemon.errors.line(with: "Listening on \(folder("b"))")
        let control = try Conversation(with: folder("b"))
        let serving = "busd: serving \(folder("b")) and \(folder("a"))"
        try daemon.errors.line(with: serving)
        #expect(try control.ask("send echo/x say").map { $0.contains("badEvent") } == true)
        let view = try Conversation(with: folder("a"))
        #expect(try view.ask("send echo/x say").map { $0.contains("notAllowed") } == true)
        #expect(access(folder("unused"), F_OK) != 0)
        #expect(access(folder("unused too"), F_OK) != 0)
    }

    private func start(on path: String) throws -> Child.Outcome {
        try Child.run(try Products.path("busd"), "--state", ":memory:", "--socket", path)
    }
}
