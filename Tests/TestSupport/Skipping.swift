import Glibc
package import Testing

// `make test` names each skipped test with its reason (scripts/skipped.sh). So a test is skipped in
// these ways only, or with another trait that has a comment.

extension Trait where Self == ConditionTrait {
    /// Skips the test unless all these programs are in PATH.
    package static func needs(_ programs: String...) -> Self {
        let missing = programs.filter { !isInstalled($0) }
        return .enabled(
            if: missing.isEmpty, "there is no \(missing.joined(separator: ", "))")
    }

    package static var needsRoot: Self {
        .enabled(if: geteuid() == 0, "only root can act as another user")
    }
}

/// Whether a program is in PATH.
package func isInstalled(_ program: String) -> Bool {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    return folders.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
}

/// Reports that the current test cannot test its sentence here. The test returns then.
package func skip(_ reason: String) {
    let test = Test.current.map { $0.displayName ?? $0.name } ?? "a test"
    // One write, so that the line is whole among those of other tests.
    let line = Array("skipped: \(test): \(reason)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
