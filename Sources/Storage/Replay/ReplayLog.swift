package import BusdProtocol

/// A log that takes nothing: its entries come from a `ReplayFile`, one at a time.
package final class ReplayLog: Log {
    /// The next outcome.
    private var due: LogEntry?
    /// Why the last entry could not be read.
    private var problem: String?

    package init() {}

    /// - Returns: why the entry cannot be read; `nil`: it has been applied.
    package func apply(_ entry: LogEntry, to libraries: Libraries) -> String? {
        due = entry
        // Another outcome may come first: of what a timer has proposed.
        repeat { _ = libraries.applyNext() } while due != nil
        return problem.take()
    }

    package var isKept: Bool { false }
    package var isAvailable: Bool { false }

    package func append(_ entries: [LogEntry]) {}

    package func takeOutcome() -> LogOutcome? { due.take().map { .arrived($0) } }

    package func stop(at entry: LogEntry, _ reason: String) { problem = reason }
}
