import Glibc
import TestSupport

/// A machine on which no daemon runs: a mount namespace with an empty /run. Everything else is that
/// of the real machine. It is gone when this object is released.
final class MachineFixture {
    private let holder: Child

    /// Nil if it cannot be made; reports that the test is skipped then.
    init?() throws {
        let script = "mount -t tmpfs tmpfs /run && echo made && exec tail -f /dev/null"
        holder = try Child(
            ["unshare", geteuid() == 0 ? "-m" : "-rm", "sh", "-c", script])
        guard try holder.output.line() == "made" else {
            skip("no mount namespace can be made")
            return nil
        }
    }

    /// Starts a program on this machine, without a home and a runtime folder, as cron does.
    func start(
        _ words: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> Child {
        let namespaces = geteuid() == 0 ? ["-m"] : ["-m", "-U", "--preserve-credentials"]
        let given = environment.map { "\($0)=\($1)" }
        return try Child(
            ["nsenter", "-t", "\(holder.pid)"] + namespaces
                + ["env", "-u", "HOME", "-u", "XDG_RUNTIME_DIR", "-u", "BUSD_SOCKET"]
                + given + words, input: input)
    }

    func run(
        _ words: String..., input: String = "", environment: [String: String] = [:]
    ) throws -> Child.Outcome {
        try start(words, input: input, environment: environment).outcome()
    }
}
