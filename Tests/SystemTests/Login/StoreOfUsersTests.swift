import Glibc
import TestSupport
import Testing

/// Which store `busd user` and `busd backup` use.
struct StoreOfUsersTests {
    private let folder: Folder
    private let busd: String

    init() throws {
        folder = try Folder()
        busd = try Products.path("busd")
    }

    /// The home folder for the default store, which a daemon without options uses.
    private var home: String { folder("home") }
    private var defaultState: String { "\(home)/.local/state/busd" }

    private func user(
        _ words: String..., environment: [String: String] = [:]
    ) throws -> Child.Outcome {
        let variables = ["HOME": home].merging(environment) { $1 }
        return try Child([busd, "user"] + words, input: "hush", environment: variables).outcome()
    }

    private func serve(_ options: String...) throws -> BusFixture {
        try BusFixture(in: folder, options: options)
    }

    private func makeDefaultStore() throws {
        try Child.run("mkdir", "-p", home).expect()
        _ = try serve("--state", defaultState).stop()
    }

    @Test
    func `The command busd user changes the store of the daemon at the named socket`() throws {
        try makeDefaultStore()
        let bus = try serve("--state", folder("state"))
        let output = "ann can sign in\nchanged the store in \(folder("state"))\n"
        try user("add", "ann", "--socket", bus.socket).expect(output: output)
        let again = output.replacing("can sign in", with: "has a new password")
        try user("add", "ann", environment: ["BUSD_SOCKET": bus.socket]).expect(output: again)
        #expect(try bus.signIn("ann", "hush"))
        try user("list", "--socket", bus.socket).expect(output: "ann\n")
        _ = try bus.stop()
        try user("list", "--state", defaultState).expect()
    }

    @Test func `Without --socket, busd user uses the store of the user's daemon`() throws {
        try makeDefaultStore()
        let runtime = ["XDG_RUNTIME_DIR": folder.path, "BUSD_SOCKET": ""]
        let daemon = try Child(
            [busd, "--state", folder("state")], environment: runtime)
        let serving = "busd: serving \(folder("busd/busd.sock")) "
        #expect(try daemon.errors.line()?.hasPrefix(serving) == true)
        try user("add", "ann", environment: runtime).expect(
            output: "ann can sign in\nchanged the store in \(folder("state"))\n")
        let copied = try Child(
            [busd, "backup", folder("copy")], environment: runtime.merging(["HOME": home]) { $1 }
        ).outcome()
        copied.expect(output: "\(folder("copy")): the copy is complete\n")
    }

    @Test func `A relative state folder of the daemon is found from any folder`() throws {
        let line = "cd \(folder.path) && exec \(busd) --state mine --socket \(folder("busd.sock"))"
        let daemon = try Child(["bash", "-c", line])
        #expect(try daemon.errors.line()?.hasPrefix("busd: serving ") == true)
        try user("add", "ann", "--socket", folder("busd.sock")).expect(
            output: "ann can sign in\nchanged the store in \(folder("mine"))\n")
    }

    @Test
    func `The command busd user uses the store that --state names, whatever daemon runs`() throws {
        try makeDefaultStore()
        let bus = try serve("--state", ":memory:")
        try user("add", "ann", "--state", defaultState, "--socket", bus.socket).expect(
            output: "ann can sign in\nchanged the store in \(defaultState)\n")
    }

    @Test func `A socket without a daemon that keeps a store is refused with the reason`() throws {
        try makeDefaultStore()
        let socket = folder("busd.sock")
        for (words, environment) in [(["--socket", socket], [:]), ([], ["BUSD_SOCKET": socket])] {
            let variables = environment.merging(["HOME": home]) { $1 }
            try Child([busd, "user", "list"] + words, environment: variables).outcome().expect(
                status: 1,
                errors: "busd: \(socket): no daemon listens there: start it, or name the store "
                    + "with --state\n")
        }
        let bus = try serve("--state", ":memory:")
        try user("list", "--socket", bus.socket).expect(
            status: 1,
            errors: "busd: \(socket): this daemon has no store: start it with --state DIR\n")
        try user("list", "--socket", bus.viewSocket).expect(
            status: 1,
            errors: "busd: \(bus.viewSocket) is the view socket: name the control socket with "
                + "--socket\n")
    }

    @Test(.needsRoot)
    func `Another user cannot ask a daemon for the place of its store`() throws {
        let bus = try serve("--state", folder("state"))
        chmod(folder.path, 0o755)
        chmod(bus.socket, 0o666)
        let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let remedy =
            "only root and the daemon's own user may ask for its store: run the command as root, "
            + "or name the store with --state"
        try Child(other + [busd, "user", "list", "--socket", bus.socket]).outcome().expect(
            status: 1,
            errors: "busd: \(bus.socket): \(remedy)\n")
        chmod(bus.socket, 0o600)
        try Child(other + [busd, "backup", "/copy", "--socket", bus.socket]).outcome().expect(
            status: 1, errors: "busd: no permission to connect to \(bus.socket): \(remedy)\n")
    }

    @Test(.needs("socat"))
    func `The command busd user reports a socket of another program`() throws {
        let socket = folder("other.sock")
        let other = try Child(["socat", "-d", "-d", "UNIX-LISTEN:\(socket),fork", "EXEC:cat"])
        try other.errors.line(with: "listening")
        try user("list", "--socket", socket).expect(
            status: 1,
            errors: "busd: \(socket): no daemon answers there: name its control socket with "
                + "--socket\n")
    }
}
