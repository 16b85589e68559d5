package import BusdProtocol
import Synchronization

/// The log on the disk. The loop hands entries over and never waits; a thread writes them. Entries
/// that arrive during a commit become the next commit.
package final class StoreLog: Log {
    private let mailbox: Mailbox<LogWriter.Job>
    private let shared: SharedState
    private var pending = 0
    private var spin = SpinWait()
    /// Milliseconds.
    private var lastMigration = 0

    init(_ mailbox: Mailbox<LogWriter.Job>, _ shared: SharedState) {
        (self.mailbox, self.shared) = (mailbox, shared)
    }

    package var isKept: Bool { true }

    /// False after a failed sync, until it is known what the log contains; and while the store is
    /// of an older version. Asking tries to migrate such a store, at most once per second.
    package var isAvailable: Bool {
        if shared.isAvailable { return true }
        let now = monotonicMilliseconds()
        if shared.needsMigration.load(ordering: .relaxed), now - lastMigration >= 1000 {
            lastMigration = now
            mailbox.post(.migrate)
        }
        return false
    }

    package func append(_ entries: [LogEntry]) {
        guard !entries.isEmpty else { return }
        pending += entries.count
        mailbox.post(.append(entries))
    }

    package func takeOutcome() -> LogOutcome? {
        guard pending > 0, let outcome = shared.change({ $0.outcomes.takeFirst() }) else {
            return nil
        }
        spin.end()
        switch outcome {
        case .committed(let count): pending -= count
        case .refused:
            pending = 0
            mailbox.post(.goOn)
        case .placed, .uncertain, .arrived: break  // Of a shared log only.
        }
        return outcome
    }

    /// Whether the loop should poll for an outcome instead of waiting for `wake`.
    package func isDueSoon() -> Bool { pending > 0 && spin.looksAgain() }
}
