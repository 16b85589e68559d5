import Glibc
import TestSupport
import Testing

/// Where `BUSD_LAUNCHER` names scripts/under-unit.sh, each daemon is run by systemd, as the shipped
/// unit is.
struct Unit {
    let launcher: [String]
    private let name: String

    static func ofItsOwn(for folder: Folder) throws -> Unit? {
        guard let script = getenv("BUSD_LAUNCHER") else { return nil }
        let name = "busd-test-\(UInt64.random(in: 0 ... .max))"
        return Unit(launcher: [String(cString: script), name, folder.path], name: name)
    }

    /// The daemon's.
    func process() throws -> pid_t {
        let shown = try Child.run("systemctl", "show", "--value", "-p", "MainPID", name)
        return try #require(shown.output.split(separator: "\n").first.flatMap { pid_t($0) })
    }
}
