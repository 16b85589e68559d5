import BusdProtocol

/// The result of opening a store.
struct Opened {
    var content = LogContent()
    /// The entries that are read again when they are applied; `nil`: `content` has them.
    var accepted: AcceptedEntries?
    /// `nil` if the log does not have it.
    var newestEntry: LogEntry?
    var drafts: [SavedDraft] = []
    var removals: [Removal] = []
    var reserved = ReservedIDs()
    /// Problems, for the log file.
    var findings: [String] = []
    /// For the log file; the content is sound.
    var notices: [String] = []
}
