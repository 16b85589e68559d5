import Glibc
import TestSupport
import Testing

/// What an earlier version has written: stores, backups, drafts, pairings, a policy, and the keys
/// of a house. The head of scripts/write-witness.sh describes each.
struct WitnessTests {
    // The script starts daemons as its own user, beside those of the units.
    @Test(
        .needs("redis-server", "redis-cli", "socat", "jq"),
        .enabled(if: getenv("BUSD_LAUNCHER") == nil, "systemd starts the daemons"))
    func `All that an earlier version has written is read as that version reads it`() throws {
        let script = Package.path("scripts/open-witness.sh")
        let outcome = try Child.run(script, try Products.folder)
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        let expected = try Package.text("Tests/Witness/expected.txt")
        #expect(Self.difference(between: expected, and: outcome.output) == nil)
    }

    /// The first line that differs, with the part that it is in.
    private static func difference(between expected: String, and found: String) -> String? {
        let expected = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let found = found.split(separator: "\n", omittingEmptySubsequences: false)
        var part = ""
        for index in 0..<max(expected.count, found.count) {
            let line = index < expected.count ? expected[index] : "the end"
            let other = index < found.count ? found[index] : "the end"
            if line.hasPrefix("== ") { part = String(line) }
            guard line != other else { continue }
            return "\(part), line \(index + 1) of expected.txt:\n-\(line)\n+\(other)"
        }
        return nil
    }
}
