package import BusdProtocol
import Synchronization

/// The log on the disk. The loop hands entries over and never waits; a thread writes them. Entries
/// that arrive during a commit become the next commit.
package final class StoreLog: Log {
    private let mailbox: Mailbox<LogWriter.Job>
    private let shared: SharedState
    private var pending = 0
    private var spin = SpinWait()

    init(_ mailbox: Mailbox<LogWriter.Job>, _ shared: SharedState) {
        (self.mailbox, self.shared) = (mailbox, shared)
    }

    package var isKept: Bool { true }

    /// False after a failed sync, until it is known what the log contains.
    package var isAvailable: Bool { shared.isAvailable }

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
