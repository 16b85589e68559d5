import TestSupport
import Testing

/// `viewctl --daemon kitchend`: a busd is at the socket of kitchend.
struct OtherDaemonTests {
    private let bus: BusFixture
    private let ssh: FakeSSH
    /// busd and kitchend have the same runtime folder.
    private var runtime: [String: String] {
        ["XDG_RUNTIME_DIR": bus.folder.path, "BUSD_SOCKET": ""]
    }

    init() throws {
        bus = try BusFixture()
        ssh = try FakeSSH()
        try Child.run("mkdir", bus.folder("kitchend")).expect()
        try Child.run("ln", "-s", bus.socket, bus.folder("kitchend/kitchend.sock")).expect()
    }

    private func viewctl(_ words: String..., in environment: [String: String]) throws
        -> Child.Outcome
    {
        try Child([Products.path("viewctl")] + words, input: "ping\n", environment: environment)
            .outcome()
    }

    @Test func `The verbs find a daemon by its name, at its default socket`() throws {
        let pong = "{}\n"
        try viewctl("--daemon", "kitchend", "ping", in: runtime).expect(output: pong)
        try viewctl("ping", in: runtime.merging(["BUSD_DAEMON": "kitchend"]) { $1 })
            .expect(output: pong)
        try viewctl("ping", "--daemon=kitchend", in: ["KITCHEND_SOCKET": bus.socket])
            .expect(output: pong)
        try viewctl("relay", "--daemon", "kitchend", in: runtime).expect(
            output: #"{"ok":{}}"# + "\n")
        try viewctl("--complete", "--daemon", "kitchend", "get", "bus/st", in: runtime).expect(
            output: "bus/statistics\tstatistics\n")
    }

    @Test func `An option counts more than a variable, and busd's variable is for busd`() throws {
        let failure =
            "viewctl: no daemon listens at /nonexistent/a/a.sock or /run/a/a.sock: start one with "
            + "a\n"
        try viewctl("ping", "--daemon", "a", in: ["BUSD_DAEMON": "b", "BUSD_SOCKET": bus.socket])
            .expect(status: 1, errors: failure)
        try viewctl("ping", "--socket", bus.socket, in: ["BUSD_DAEMON": "a"]).expect(output: "{}\n")
    }

    @Test func `A name that no daemon can have is an error of usage`() throws {
        try viewctl("ping", in: ["BUSD_DAEMON": "Kitchen"]).expect(
            status: 64,
            errors: """
                viewctl ping: BUSD_DAEMON 'Kitchen': a daemon's name must have 1 to 32 characters: \
                lowercase letters, digits and '-', with a letter first
                Try 'viewctl ping --help'.

                """)
    }

    @Test func `The name reaches a daemon on another machine`() throws {
        let path = ["PATH": try ssh.path]
        try viewctl(
            "ping", "--host", "court", "--daemon", "kitchend",
            in: runtime.merging(path) { $1 }
        ).expect(output: "{}\n")
    }
}
