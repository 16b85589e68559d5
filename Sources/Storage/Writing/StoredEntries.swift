import BusdProtocol

/// Reads the entries that a start applies, in portions, through the thread of the log.
struct StoredEntries: EntryReader {
    private let accepted: AcceptedEntries
    private let last: Int
    private let writer: Mailbox<LogWriter.Job>
    private let shared: SharedState
    private let replies: Mailbox<Result<LogPortion, StoreError>>

    /// - Parameter last: the number of the newest entry.
    init(
        _ accepted: AcceptedEntries, upTo last: Int, _ writer: Mailbox<LogWriter.Job>,
        _ shared: SharedState
    ) throws(StoreError) {
        (self.accepted, self.last, self.writer, self.shared) = (accepted, last, writer, shared)
        replies = try Mailbox()
    }

    /// A failure is in `SharedState.Content.readingFailure`.
    func read(_ kind: String, areNewer: Bool, _ body: (LogEntry) -> Void) {
        let isOver = shared.change { $0.isClosing || $0.readingFailure != nil }
        guard !isOver, accepted.kinds.contains(ExactText(kind)) else { return }
        let first = areNewer ? max(accepted.base, accepted.covered) : accepted.base
        do throws(StoreError) {
            try read(kind, after: first, upTo: areNewer ? last : accepted.lastOlder) { entry in
                guard accepted.contains(entry.number) else { return }
                if accepted.isNewer(entry) == areNewer { body(entry) }
            }
        } catch {
            shared.change { $0.readingFailure = error }
        }
    }

    private func read(
        _ kind: String, after first: Int, upTo last: Int, _ body: (LogEntry) -> Void
    ) throws(StoreError) {
        guard first < last else { return }
        writer.post(.read(after: first, upTo: last, of: kind, replies))
        while true {
            let portion = try replies.wait().get()
            guard portion.last > 0 else { return }
            // The thread reads the next portion meanwhile.
            writer.post(.read(after: portion.last, upTo: last, of: kind, replies))
            portion.entries.forEach(body)
        }
    }
}
