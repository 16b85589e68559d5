import Glibc
import TestSupport
import Testing

/// If `BUSD_LAUNCHER` names scripts/under-unit.sh, systemd runs each daemon with the settings of
/// the shipped unit.
struct Unit {
    let launcher: [String]
    private let name: String

    static func separate(for folder: Folder) throws -> Unit? {
        guard let script = getenv("BUSD_LAUNCHER") else { return nil }
        let name = "busd-test-\(UInt64.random(in: 0 ... .max))"
        return Unit(launcher: [String(cString: script), name, folder.path], name: name)
    }

    /// The process of the daemon.
    func process() throws -> pid_t {
        let shown = try Child.run("systemctl", "show", "--value", "-p", "MainPID", name)
        return try #require(shown.output.split(separator: "\n").first.flatMap { pid_t($0) })
    }
}
