import BusdProtocol
import Glibc
import Synchronization

/// Runs on the thread of the log, and writes one commit after the other. Entries that arrive during
/// a commit become one commit.
///
/// A failure before the sync refuses the entries. After a failed sync, the file is opened again, a
/// checkpoint syncs it, and the rows show whether the commit is in the log.
final class LogWriter {
    enum Job: Sendable {
        case append([LogEntry])
        /// The loop has taken a refusal: later entries are written again.
        case goOn
        case remove([Removal])
        /// Whether conditional entries had an effect.
        case decide([Decision])
        /// Reads a portion for a copy.
        case read(after: Int, upTo: Int?, Mailbox<Result<LogPortion, StoreError>>)
        /// Tries again to migrate an older store.
        case migrate
        case close
    }

    typealias Decision = (number: Int, isStale: Bool)

    private let opening: Opening
    private let mailbox: Mailbox<Job>
    private let shared: SharedState
    private let reports: Reports
    private let wake: @Sendable () -> Void
    /// Called when the entries of a removal are gone.
    private let removed: (Removal) -> Void

    private let file: LogFile
    private var reserved: ReservedIDs
    /// A commit was refused. Later entries depend on it, so nothing is written until `goOn`.
    private var hasFailed = false
    /// Milliseconds. With `normal` durability, the time of the next sync.
    private var syncDue: Int?
    private var removals: [RemovalWalk] = []
    private var commitsSinceRemoval = 0

    /// Milliseconds: less than the second of `Durability.normal`, because a checkpoint takes time.
    private static let longestUnsynced = 500
    /// A portion is removed after this many commits, or when there is no other work.
    private static let commitsPerRemoval = 16

    init(
        _ opening: Opening, reserved: ReservedIDs, mailbox: Mailbox<Job>, shared: SharedState,
        reports: Reports, wake: @escaping @Sendable () -> Void,
        removed: @escaping (Removal) -> Void
    ) {
        (self.opening, self.reserved, self.mailbox) = (opening, reserved, mailbox)
        (self.shared, self.reports, self.wake, self.removed) = (shared, reports, wake, removed)
        file = LogFile(opening)
    }

    /// Executes jobs, until the store is closed.
    func run() {
        if shared.isAvailable { _ = try? file.connected() }
        var spin = SpinWait()
        while true {
            switch mailbox.next(within: untilWork, &spin) {
            case .append where hasFailed: break
            case .append(let entries):
                let more = mailbox.nextJobs { if case .append(let more) = $0 { more } else { nil } }
                commit(entries + more.joined())
                file.prepareForMore()
                commitsSinceRemoval += 1
                if commitsSinceRemoval >= Self.commitsPerRemoval { removePortion() }
            case .goOn: hasFailed = false
            case .decide(let decisions): decide(decisions)
            case .remove(let more): removals += more.map(RemovalWalk.init)
            case .read(let number, let last, let replies):
                replies.post(read(after: number, upTo: last))
            case .migrate: migrate()
            case .close: return file.close()
            case nil: removePortion()
            }
            if untilSync == 0 {
                syncDue = nil
                file.checkpoint()
            }
        }
    }

    /// Milliseconds until there is work without a job; -1: there is none.
    private var untilWork: Int32 { removals.isEmpty ? untilSync : 0 }

    /// Milliseconds until the commits must be on the disk; -1 if they are.
    private var untilSync: Int32 {
        syncDue.map { Int32(clamping: max(0, $0 - monotonicMilliseconds())) } ?? -1
    }

    // MARK: Commits

    private func commit(_ entries: [LogEntry]) {
        // `nil`: the store is being closed.
        if let outcome = outcome(of: entries) {
            hasFailed = outcome == .refused
            shared.change { $0.outcomes.append(outcome) }
            wake()
        } else {
            hasFailed = true
        }
    }

    private func outcome(of entries: [LogEntry]) -> LogOutcome? {
        reserveIDs(for: entries)
        var isWriting = false
        do throws(StoreError) {
            let connection = try file.begin()
            isWriting = true
            try connection.transaction { () throws(StoreError) in
                try connection.insert(entries)
            }
            isWriting = false
            try file.end()
            if opening.durability == .normal, syncDue == nil {
                syncDue = monotonicMilliseconds() + Self.longestUnsynced
            }
            reports.note(.log, nil)
            return .committed(entries.count)
        } catch {
            reports.note(.log, error)
            if isWriting, error.status?.isFailedSync == true { return settle(entries) }
            file.abandon()
            return .refused
        }
    }

    /// If ids cannot be reserved, the entries are committed all the same, and the next commit tries
    /// again.
    private func reserveIDs(for entries: [LogEntry]) {
        let extended = reserved.extended(for: entries)
        let exists = File.exists(opening.folder.ids)
        guard let more = extended ?? (exists ? nil : reserved) else { return }
        do throws(StoreError) {
            try more.write(to: opening.folder)
            reserved = more
            reports.note(.ids, nil)
        } catch {
            reports.note(.ids, error)
        }
    }

    /// After a failed sync, waits until it is known whether the entries are in the log. Returns
    /// `nil` if the store is closed first.
    private func settle(_ entries: [LogEntry]) -> LogOutcome? {
        shared.isAvailable = false
        while true {
            if let areWritten = try? areInLog(entries) {
                shared.isAvailable = true
                return areWritten ? .committed(entries.count) : .refused
            }
            if mailbox.has({ if case .close = $0 { true } else { false } }) { return nil }
            poll(nil, 0, 100)
        }
    }

    /// Compares the first and the last entry: the log has all entries of a commit, or none.
    private func areInLog(_ entries: [LogEntry]) throws(StoreError) -> Bool {
        let connection = try file.reopen()
        for entry in [entries.first, entries.last].compactMap({ $0 }) {
            var stored = entry
            stored.highestID = 0
            guard try connection.entry(entry.number) == stored else { return false }
        }
        return true
    }

    // MARK: Removals

    private func removePortion() {
        commitsSinceRemoval = 0
        guard !removals.isEmpty else { return }
        do throws(StoreError) {
            let connection = try file.begin()
            let isDone = try removals[0].goOn(connection)
            try file.end()
            if isDone { removed(removals.removeFirst().removal) }
        } catch {
            // The next start begins them again.
            removals = []
            file.abandon()
        }
    }

    /// Replaces the conditions of entries by their outcomes. After a failure, the conditions stay.
    private func decide(_ decisions: [Decision]) {
        do throws(StoreError) {
            let connection = try file.begin()
            try connection.transaction { () throws(StoreError) in
                for (number, isStale) in decisions {
                    guard var entry = try connection.entry(number) else { continue }
                    if isStale { entry = entry.withoutEffect }
                    entry.unchangedSince = nil
                    try connection.replace(entry)
                }
            }
            try file.end()
        } catch {
            file.abandon()
        }
    }

    // MARK: Copies, an older store

    private func read(after number: Int, upTo last: Int?) -> Result<LogPortion, StoreError> {
        Result { () throws(StoreError) in
            let connection = if let open = file.connection { open } else { try file.connected() }
            return try connection.entries(after: number, upTo: last)
        }
    }

    private func migrate() {
        guard shared.needsMigration.load(ordering: .relaxed),
            let opened = try? opening.open(), opened.obstacle == nil
        else { return }
        for finding in opened.findings { reports.add(finding) }
        reserved = opened.reserved
        shared.needsMigration.store(false, ordering: .relaxed)
        shared.isAvailable = true
    }
}
