package import BusdProtocol

/// A log that commits entries when the test says so.
package final class TestLog: Log {
    /// The entries that were appended and not reported, one batch for each commit.
    package private(set) var batches: [[LogEntry]] = []
    /// The entries in the log.
    package private(set) var entries: [LogEntry] = []
    private var outcomes = Queue<LogOutcome>()
    package private(set) var commits = 0
    package var isAvailable = true
    /// Each commit succeeds at once.
    package var isFast = false

    package init() {}

    package var isKept: Bool { true }
    package var hasCommits: Bool { !batches.isEmpty }

    package func append(_ entries: [LogEntry]) {
        commits += 1
        batches.append(entries)
        if isFast { succeed() }
    }

    package func takeOutcome() -> LogOutcome? { outcomes.takeFirst() }

    /// The oldest commit succeeds.
    package func succeed() {
        guard hasCommits else { return }
        let batch = batches.removeFirst()
        entries += batch
        outcomes.append(.committed(batch.count))
    }

    /// The oldest commit and all later ones fail.
    package func fail() {
        batches = []
        outcomes.append(.refused)
    }
}
