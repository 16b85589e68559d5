import BusdProtocol

extension LogWriter {
    enum Job: Sendable {
        case append([LogEntry])
        /// The loop has taken a refusal: later entries are written again.
        case goOn
        case remove([Removal])
        /// A round of states was saved.
        case saved([LogAmendment])
        /// The saved states that the cut of the log needs.
        case cut([SavedState])
        /// Reads a portion, of all kinds or of one.
        case read(
            after: Int, upTo: Int?, of: String? = nil, Mailbox<Result<LogPortion, StoreError>>)
        case close
    }
}
