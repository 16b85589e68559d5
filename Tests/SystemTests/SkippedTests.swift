import TestSupport
import Testing

/// scripts/skipped.sh, whose line ends `make test`.
struct SkippedTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func summary(of log: String) throws -> Child.Outcome {
        try folder.write(log, to: "log")
        return try Child.run(Package.path("scripts/skipped.sh"), folder("log"))
    }

    @Test func `All skipped tests are named in one line, each once and with its reason`() throws {
        let log = """
            ◇ Test "a test that says skipped: no" started.
            \u{1B}[90m➜\u{1B}[0m Test "a game is shown" skipped: "there is no tmux"
            ➜ Suite TerminalTests skipped: "there is no tmux"
            ➜ Test plain() skipped: "only root can act as another user"
            skipped: a full disk: no small file system can be mounted
            skipped: a full disk: no small file system can be mounted
            unit: ➜ Test "a house begins" skipped: "systemd starts the daemons"
            == test: skipped: the units in a real systemd: only root can boot them

            """
        try summary(of: log).expect(
            output: "== test: skipped: a full disk: no small file system can be mounted; "
                + "a game is shown: there is no tmux; plain(): only root can act as another user; "
                + "the units in a real systemd: only root can boot them\n")
    }

    @Test func `Without a skipped test there is no line`() throws {
        try summary(of: "✔ Test \"a game is shown\" passed after 0.1 seconds.\n").expect()
    }
}
