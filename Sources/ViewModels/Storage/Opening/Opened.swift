import BusdProtocol

/// What a start has read.
struct Opened {
    var content = LogContent()
    /// `nil` if the log does not have it.
    var newestEntry: LogEntry?
    var drafts: [SavedDraft] = []
    var removals: [Removal] = []
    var reserved = ReservedIDs()
    /// What was not as it should be.
    var findings: [String] = []
    /// Why an older store can only be read.
    var obstacle: StoreError?
}
