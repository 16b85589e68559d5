import Glibc
import TestSupport
import Testing

/// `busd restore`, with a real daemon and without one.
struct RestoreTests {
    private let folder: Folder
    private var state: String { folder("state") }
    private var backup: String { folder("backup") }

    init() throws { folder = try Folder() }

    private func serve() throws -> BusFixture {
        try BusFixture(in: folder, options: ["--state", folder("state")], reports: true)
    }

    private func busd(_ words: String...) throws -> Child.Outcome {
        try Child([try Products.path("busd")] + words).outcome()
    }

    private func isThere(_ game: Int) throws -> Bool {
        let answer = try Conversation(with: folder("busd.sock")).ask("get scoreboard/\(game)")
        return try #require(answer).hasPrefix(#"{"ok""#)
    }

    /// A daemon with two games. The backup has one of them.
    private func serveTwoGames() throws -> BusFixture {
        let bus = try serve()
        try bus.createGame()
        #expect(try busd("backup", backup, "--state", state).status == 0)
        try bus.createGame()
        return bus
    }

    private func names() throws -> [String] {
        try Child.run("ls", state).output.split(separator: "\n").map(String.init)
    }

    @Test func `A running daemon starts again with the backup, and keeps what was there`() throws {
        let bus = try serveTwoGames()
        let view = try bus.connect()
        #expect(try view.ask("ping") == #"{"ok":{}}"#)
        try busd("restore", backup, "--state", state).expect(
            output: """
                \(state)/log.sqlite.replaced-1 is what was there before
                \(state)/state.sqlite.replaced-1 is what was there before
                \(state): \(backup) is restored

                """)
        #expect(try view.line()?.contains(#""bye""#) == true)
        #expect(try isThere(1) && !isThere(2))
        // The id of the second game is not given again.
        try bus.createGame()
        #expect(try !isThere(2))
        #expect(try !names().contains("restore.sqlite"))
        #expect(try bus.stop().status == 0)
    }

    @Test func `The store of a stopped daemon is replaced`() throws {
        #expect(try serveTwoGames().stop().status == 0)
        let restored = try busd("restore", backup, "--state", state)
        #expect(restored.status == 0 && restored.errors == "")
        #expect(restored.output.hasSuffix("\(state): \(backup) is restored\n"))
        #expect(restored.output.contains("\(state)/log.sqlite.replaced-1 is what was there before"))
        let bus = try serve()
        #expect(try isThere(1) && !isThere(2))
        #expect(try bus.stop().status == 0)
    }

    @Test func `A backup is restored into a folder that is not there yet`() throws {
        #expect(try serveTwoGames().stop().status == 0)
        let other = folder("other")
        #expect(try busd("restore", backup, "--state", other).status == 0)
        #expect(try busd("check", "--state", other).status == 0)
    }

    @Test(arguments: [false, true])
    func `A file that is no undamaged backup changes nothing`(isServed: Bool) throws {
        let bus = try serveTwoGames()
        if !isServed { #expect(try bus.stop().status == 0) }
        let before = try names()
        try folder.write("no backup", to: "text")
        try Child.run(
            "sh", "-c",
            "head -c 9000 \(backup) >\(folder("half")); cp \(backup) \(folder("bits"));"
                + "dd if=/dev/zero of=\(folder("bits")) bs=4096 seek=1 count=2 conv=notrunc 2>/dev/null"
        ).expect()
        for name in ["text", "half", "bits", "state/log.sqlite", "state", "missing"] {
            let outcome = try busd("restore", folder(name), "--state", state)
            #expect(outcome.status != 0 && outcome.output == "", "\(name): \(outcome)")
            #expect(outcome.errors.hasPrefix("busd: \(folder(name))"), "\(name): \(outcome)")
            #expect(try names() == before, "\(name)")
        }
        let served = isServed ? bus : try serve()
        #expect(try isThere(1) && isThere(2))
        #expect(try served.stop().status == 0)
    }

    /// systemd has the socket of a daemon that it has not started. A process that has ended keeps
    /// the name of a daemon until its parent asks for its status.
    @Test(.needs("socat"))
    func `A check connects to no socket that no daemon serves`() throws {
        let socket = folder("busd.sock")
        let systemd = try Child(["socat", "-d", "-d", "-u", "UNIX-LISTEN:\(socket)", "STDOUT"])
        #expect(try systemd.errors.line()?.contains("listening on") == true)
        let ended = try Child([try Products.path("busd"), "--version"])
        while try ended.output.line() != nil {}
        for verb in [["check"], ["house", "leave"]] {
            let outcome = try Child(
                [try Products.path("busd")] + verb,
                environment: ["BUSD_SOCKET": socket, "XDG_STATE_HOME": folder("states")]
            ).outcome()
            #expect(outcome.status == 1 && outcome.errors.contains(folder("states")))
        }
        #expect(try ended.outcome().status == 0)
        try Conversation(with: socket).send("the first")
        #expect(try systemd.outcome().output == "the first\n")
    }

    @Test func `A running daemon warns of a backup that its next start would read`() throws {
        let bus = try serveTwoGames()
        try Child.run("cp", backup, folder("state/store.sqlite")).expect()
        var line = try bus.daemon.errors.line()
        while line?.contains("store.sqlite is there") == false {
            line = try bus.daemon.errors.line()
        }
        #expect(line?.hasPrefix("busd: \(state)/store.sqlite is there: the next start") == true)
        bus.daemon.signal(SIGKILL)
    }
}
