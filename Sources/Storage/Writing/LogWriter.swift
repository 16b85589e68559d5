import BusdEventLoop
import BusdProtocol
import Glibc
import Synchronization

/// Runs on the thread of the log, and writes one commit after the other. Entries that arrive during
/// a commit become one commit.
///
/// A failure before the sync refuses the entries. After a failed sync, the file is opened again, a
/// checkpoint syncs it, and the rows show whether the commit is in the log.
final class LogWriter {
    private let opening: Opening
    private let mailbox: Mailbox<Job>
    private let shared: SharedState
    private let reports: Reports
    private let wake: @Sendable () -> Void
    private let stateWriter: Mailbox<StateWriter.Job>

    private let file: LogFile
    private var reserved: ReservedIDs
    /// A commit was refused. Later entries depend on it, so nothing is written until `goOn`.
    private var hasFailed = false
    /// Milliseconds. With `normal` durability, the time of the next sync.
    private var syncDue: Int?
    private var tidying = LogTidying()
    private var commitsSinceTidying = 0
    /// After a removal: the next page whose unused bytes are overwritten.
    private var unusedPage: Int?
    /// The states are newer than the last cut.
    private var areStatesNewer = true
    /// Bytes of the log at which it is cut.
    private var nextCut: Int
    /// At the last look, the log had three quarters of its bytes.
    private var isLong = false
    /// Entries that wait for a cut of the full log, until this time in milliseconds.
    private var held: (entries: [LogEntry], until: Int)?

    /// Milliseconds: less than the second of `Durability.normal`, because a checkpoint takes time.
    private static let longestUnsynced = 500
    /// A portion is tidied after this many commits, or when there is no other work.
    private static let commitsPerPortion = 8
    /// Milliseconds that a commit waits for a cut of the full log.
    private static let longestWait = 1_000
    /// At the end, removals go on for this many milliseconds. Secrets are removed in any case.
    private static let longestEnd = 2_000

    init(
        _ opening: Opening, reserved: ReservedIDs, mailbox: Mailbox<Job>, shared: SharedState,
        reports: Reports, wake: @escaping @Sendable () -> Void,
        stateWriter: Mailbox<StateWriter.Job>
    ) {
        (self.opening, self.reserved, self.mailbox) = (opening, reserved, mailbox)
        (self.shared, self.reports, self.wake) = (shared, reports, wake)
        self.stateWriter = stateWriter
        nextCut = opening.mostBytes / 4 * 3
        file = LogFile(opening)
    }

    /// Executes jobs, until the store is closed.
    func run() {
        _ = try? file.connected()
        beginCut()
        var spin = SpinWait()
        while true {
            switch mailbox.next(within: untilWork, &spin) {
            case .append where hasFailed: break
            case .append(let entries):
                let more = mailbox.nextJobs { if case .append(let more) = $0 { more } else { nil } }
                append(entries + more.joined())
            case .goOn: hasFailed = false
            case .saved(let amendments):
                tidying.add(amendments)
                areStatesNewer = true
            case .remove(let removals): tidying.add(removals)
            case .cut(let states): tidying.cut(states)
            case .read(let number, let last, let kind, let replies):
                replies.post(read(after: number, upTo: last, of: kind))
            case .close: return close()
            case nil: tidy()
            }
            if held != nil, !isFull || untilHeldEnds == 0 { writeHeld() }
            if untilSync == 0 {
                syncDue = nil
                file.checkpoint()
            }
            if file.lookAfterWAL() {
                reports.noteRemoved(walOf: opening.folder.log)
                wake()
            }
        }
    }

    /// Milliseconds until there is work without a job; -1: there is none.
    private var untilWork: Int32 {
        guard !tidying.hasWork, unusedPage == nil else { return 0 }
        let dues = [untilSync, untilHeldEnds, file.untilLook].filter { $0 >= 0 }
        return dues.min() ?? -1
    }

    /// Milliseconds until the commits must be on the disk; -1 if they are.
    private var untilSync: Int32 {
        syncDue.map { Int32(clamping: max(0, $0 - MonotonicClock.milliseconds)) } ?? -1
    }

    /// Milliseconds until a held commit waits no longer; -1: there is none.
    private var untilHeldEnds: Int32 {
        held.map { Int32(clamping: max(0, $0.until - MonotonicClock.milliseconds)) } ?? -1
    }

    // MARK: Commits

    /// Writes entries. If the log is full, they wait for its cut, and later entries with them.
    private func append(_ entries: [LogEntry]) {
        if held != nil {
            held?.entries += entries
            return
        }
        guard isFull else { return write(entries) }
        held = (entries, MonotonicClock.milliseconds + Self.longestWait)
        beginCut()
        // The cut may need newer states, and the loop may be waiting for this commit.
        wake()
    }

    private func writeHeld() { if let entries = held.take()?.entries { write(entries) } }

    private func write(_ entries: [LogEntry]) {
        commit(entries)
        file.prepareForMore()
        commitsSinceTidying += 1
        if commitsSinceTidying >= Self.commitsPerPortion { tidy() }
    }

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
                syncDue = MonotonicClock.milliseconds + Self.longestUnsynced
            }
            reports.note(.log, nil)
            tidying.committed()
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

    // MARK: Tidying

    private func tidy() {
        commitsSinceTidying = 0
        beginCut()
        do throws(StoreError) {
            if tidying.hasWork {
                let connection = try file.begin()
                let outcome = try tidying.goOn(connection)
                try file.end()
                handle(outcome)
            } else if let page = unusedPage {
                unusedPage = nil
                unusedPage = try file.overwriteUnused(from: page)
            }
        } catch {
            tidying.failed()
            file.abandon()
        }
    }

    private func handle(_ outcome: LogTidying.Outcome) {
        switch outcome {
        case .more: break
        case .removed(let removal):
            stateWriter.post(.removed(removal))
            // The write-ahead log and unused bytes still have the removed entries.
            unusedPage = 0
        case .needs(let things): stateWriter.post(.cut(things))
        case .cut(let report):
            // A log that cannot be made short enough is not measured all the time.
            let most = opening.mostBytes
            nextCut = max(most / 4 * 3, min(used + most / 8, max(most, used + most / 32)))
            if let report { reports.add("\(opening.folder.log): \(report)") }
        }
        file.prepareForMore()
    }

    /// Begins to cut the log if it has three quarters of its bytes.
    private func beginCut() {
        let used = used
        isLong = used > opening.mostBytes / 4 * 3
        guard !tidying.isCutting, used > nextCut else { return }
        guard areStatesNewer else { return shared.wantsStates.store(true, ordering: .relaxed) }
        areStatesNewer = false
        tidying.begin(LogCut(limit: opening.mostBytes))
    }

    /// Whether commits wait, because the log is full and a cut is under way or due.
    private var isFull: Bool {
        guard isLong else { return false }
        let used = used
        return used >= opening.mostBytes && (tidying.isCutting || used > nextCut)
    }

    /// Bytes of the log; 0 if it cannot be read.
    private var used: Int { (try? file.connection?.usedBytes()) ?? 0 }

    private func close() {
        writeHeld()
        let end = MonotonicClock.milliseconds + Self.longestEnd
        while tidying.hasSecrets || tidying.hasWork && MonotonicClock.milliseconds < end { tidy() }
        while let page = unusedPage { unusedPage = (try? file.overwriteUnused(from: page)) ?? nil }
        do throws(StoreError) {
            if try file.close() { reports.noteRemoved(walOf: opening.folder.log) }
        } catch {
            reports.noteStop(.log, error)
        }
    }

    // MARK: Reading

    private func read(
        after number: Int, upTo last: Int?, of kind: String?
    ) -> Result<LogPortion, StoreError> {
        Result { () throws(StoreError) in
            let connection = if let open = file.connection { open } else { try file.connected() }
            return try connection.entries(after: number, upTo: last, of: kind.map { [$0] })
        }
    }
}
