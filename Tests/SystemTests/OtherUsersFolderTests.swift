import Glibc
import TestSupport
import Testing

/// Commands that root runs on the store of another user.
@Suite(.needsRoot)
struct OtherUsersFolderTests {
    private static let user: uid_t = 65_534
    private let folder: Folder
    private let busd: String

    init() throws {
        folder = try Folder()
        busd = try Products.path("busd")
        chmod(folder.path, 0o755)
        try #require(mkdir(folder("home"), 0o755) == 0)
        chown(folder("home"), Self.user, Self.user)
    }

    private var state: String { folder("home/state") }

    private func busd(_ words: String..., input: String = "") throws -> Child.Outcome {
        try Child([busd] + words + ["--state", state], input: input).outcome()
    }

    /// A daemon of the folder's owner.
    private func serve() throws -> Child {
        let words = ["setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups"]
        let daemon = try Child(
            words + [busd, "--state", state, "--socket", folder("home/busd.sock")])
        #expect(try daemon.errors.line()?.hasPrefix("busd: serving ") == true)
        return daemon
    }

    private func stop(_ daemon: Child) throws {
        daemon.signal(SIGTERM)
        #expect(try daemon.outcome().status == 0)
    }

    /// What the command prints after a change.
    private func changed(_ line: String) -> String { "\(line)\nchanged the store in \(state)\n" }

    /// Expects that the folder and everything in it belong to its owner.
    private func expectOwner(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try Child.run("find", folder("home"), "!", "-uid", "\(Self.user)")
            .expect(sourceLocation: sourceLocation)
    }

    @Test func `A daemon starts again after root has added a user to its store`() throws {
        try stop(serve())
        try busd("user", "add", "ann", input: "hush").expect(output: changed("ann can sign in"))
        try expectOwner()
        #expect(mode(of: state) == 0o700)
        try stop(serve())
    }

    @Test(arguments: [false, true])
    func `Files keep their owner when root uses another user's store`(isServed: Bool) throws {
        try stop(serve())
        let daemon = isServed ? try serve() : nil
        try busd("user", "add", "ann", input: "hush").expect(output: changed("ann can sign in"))
        try busd("user", "list").expect(output: "ann\n")
        try busd("user", "remove", "ann").expect(output: changed("ann can't sign in any more"))
        try busd("backup", folder("copy")).expect(
            output: "\(folder("copy")): the copy is complete\n")
        var about = stat()
        #expect(lstat(folder("copy"), &about) == 0)
        #expect((about.st_uid, about.st_mode & 0o777) == (0, 0o600))
        try daemon.map(stop)
        try busd("check").expect(output: "\(state): the store is undamaged\n")
        try expectOwner()
        try stop(serve())
    }

    @Test func `Root joins and restores a house through a socket that only root may reach`() throws
    {
        let redis = try RedisFixture()
        let log = "unix:\(redis.socket)"
        #expect(mode(of: redis.folder.path) == 0o700)
        try stop(serve())
        try busd("user", "add", "ann", input: "hush").expect(output: changed("ann can sign in"))
        try stop(serve())
        try busd("house", "join", "league", "--log", log).expect(
            output: "the house league has the content of \(state): start busd with "
                + "--house league --log \(log)\n")
        try expectOwner()
        try busd("house", "restore", "--log", log).expect(
            output: "the house league now has the states of \(state), as of entry 1; the other "
                + "daemons load them\n")
        try expectOwner()
        try busd("house", "leave").expect(
            output: "\(state) has left the house league, and keeps its content\n")
        try expectOwner()
        try stop(serve())
    }

    @Test func `A daemon that root starts on another user's folder is refused`() throws {
        try stop(serve())
        try busd("--socket", folder("root.sock")).expect(
            status: 1,
            errors: "busd: \(state) belongs to user 65534, and the daemon runs as user 0: run the "
                + "daemon as user 65534, or name another folder with --state\n")
        try expectOwner()
    }

    @Test func `Root follows no link in another user's folder`() throws {
        try stop(serve())
        try folder.write("kept", to: "victim")
        unlink("\(state)/store.ids")
        symlink(folder("victim"), "\(state)/store.ids")
        try busd("user", "add", "ann", input: "hush").expect(
            status: 1,
            errors: "busd: \(state)/store.ids is a symbolic link, not a regular file: "
                + "move it away\n")
        try Child.run("cat", folder("victim")).expect(output: "kept")
        unlink("\(state)/store.ids")
    }

    @Test func `A folder that its owner cannot reach is refused with the reason`() throws {
        try stop(serve())
        chmod(folder.path, 0o700)
        try busd("user", "list").expect(
            status: 1,
            errors: "busd: \(state): its owner, user 65534, cannot reach it: let that user pass "
                + "through the folders above it\n")
        chmod(folder.path, 0o755)
    }

    @Test func `A file of root is reported with the command that fixes it`() throws {
        try stop(serve())
        chown("\(state)/log.sqlite", 0, 0)
        try busd("user", "list").expect(
            status: 1,
            errors: "busd: \(state)/log.sqlite belongs to user 0, not to user 65534, the owner "
                + "of its folder: run chown 65534 \(state)/log.sqlite\n")
        chown("\(state)/log.sqlite", Self.user, Self.user)
        try stop(serve())
    }
}
