import Synchronization
package import Testing

/// Keeps a picture of a terminal or a page for the failures of a test with `.showsScreens`. A later
/// picture with the same name replaces it.
///
/// - Parameter name: of the file, such as `page.html`.
package func keep(picture: String, named name: String = "screen.txt") {
    ScreensTrait.pictures?.latest.withLock { $0[name] = picture }
}

extension Trait where Self == ScreensTrait {
    /// Attaches the latest pictures of a test to its failures. Terminals are also part of the
    /// message of a failure.
    package static var showsScreens: Self { Self() }
}

package struct ScreensTrait: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal fileprivate static var pictures: Pictures?

    fileprivate final class Pictures: Sendable {
        let latest = Mutex<[String: String]>([:])
    }

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let pictures = Pictures()
        let attaching = IssueHandlingTrait.compactMapIssues { issue in
            var issue = issue
            let latest = pictures.latest.withLock { latest in
                defer { latest = [:] }
                return latest.sorted { $0.key < $1.key }
            }
            for (name, picture) in latest {
                Attachment.record(picture, named: name)
                if name.hasSuffix(".txt") { issue.comments.append("\(name):\n\(picture)") }
            }
            return issue
        }
        try await Self.$pictures.withValue(pictures) {
            try await attaching.provideScope(
                for: test, testCase: testCase, performing: function)
        }
    }
}
