import Glibc
import TestSupport
import Testing

/// What each use of busd does to the folder that `--state` names.
struct StateFolderTests {
    private let folder: Folder
    private let busd: String

    init() throws {
        folder = try Folder()
        busd = try Products.path("busd")
    }

    private var state: String { folder("state") }

    private func busd(_ words: [String], socket: String = "busd.sock") throws -> Child.Outcome {
        let options =
            ["--state", state] + (words == ["check"] ? [] : ["--socket", folder(socket)])
        return try Child([busd] + words + options, input: "hush").outcome()
    }

    private static let uses = [
        [], ["check"], ["user", "list"], ["user", "add", "ann"], ["backup", "/tmp/busd-test-none"],
    ]

    @Test(arguments: uses)
    func `A folder that others may enter is refused, and not changed`(words: [String]) throws {
        try #require(mkdir(state, 0o700) == 0)
        chmod(state, 0o755)
        try busd(words).expect(
            status: 1,
            errors:
                "busd: \(state) is open to other users (mode 755): if it is only for the daemon, "
                + "run chmod 700 \(state)\n")
        #expect(mode(of: state) == 0o755)
        rmdir(state)
        #expect(folder.names == [])
    }

    @Test(arguments: ["no/such/busd.sock", "file/busd.sock"])
    func `A daemon that cannot listen makes no state folder`(socket: String) throws {
        try folder.write("kept", to: "file")
        let refusal = try busd([], socket: socket)
        #expect(refusal.status == 1)
        #expect(refusal.errors.hasPrefix("busd: \(folder.path)/"), "\(refusal.errors)")
        #expect(folder.names == ["file"])
    }

    @Test func `Sends are refused after the store was removed, and logged once`() throws {
        let bus = try BusFixture(in: folder, options: ["--state", state])
        let client = try bus.connect()
        // The folder is moved first: rm fails if the daemon writes a file into it meanwhile.
        try #require(rename(state, folder("moved")) == 0)
        try Child.run("rm", "-r", folder("moved")).expect()
        let answer =
            #"{"error":{"code":"unavailable","message":"storage cannot write now: nothing has changed"},"id":1}"#
        for _ in 1...3 {
            #expect(try client.ask(Self.game) == answer)
        }
        #expect(try client.ask("ping") == #"{"ok":{}}"#)
        let log = try bus.stop().errors
        // The folder may be removed before or after the log is opened for writing.
        #expect(log.ranges(of: "\(state)/log.sqlite").count == 1, "\(log)")
        #expect(log.hasSuffix("\nbusd: done\n") && log.ranges(of: "\n").count <= 4, "\(log)")
    }

    @Test func `A backup has the changes answered before the database was removed`() throws {
        var bus = try BusFixture(in: folder, options: ["--state", state])
        #expect(try bus.connect().ask(Self.game)?.hasPrefix(#"{"ok":{"seq":"#) == true)
        unlink("\(state)/log.sqlite")
        #expect(try bus.connect().ask(Self.game)?.contains("unavailable") == true)
        try busd(["backup", folder("copy")]).expect(
            output: "\(folder("copy")): the copy is complete\n")
        _ = try bus.stop()
        rename(folder("copy"), "\(state)/store.sqlite")
        bus = try BusFixture(in: folder, options: ["--state", state], reports: true)
        let games = try bus.connect().ask(#"{"op":"get","to":"games"}"#)
        #expect(games?.ranges(of: #""home":"Hawks""#).count == 1)
    }

    private static let game = """
        {"op":"send","to":"games","event":{"createGame":{\
        "home":{"name":"Hawks","players":["Ann","Bo","Cy"]},\
        "away":{"name":"Jets","players":["Di","Ed","Flo"]}}},"id":1}
        """
}
