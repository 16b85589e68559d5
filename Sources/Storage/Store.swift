import BusdEventLoop
package import BusdProtocol
import Synchronization

/// Everything durable, in a folder. One thread writes the log, one the states of things, notes and
/// drafts; a copy has a thread of its own while it is made. The loop hands work over and never
/// waits for the disk, except while it opens and closes the store.
package final class Store {
    /// Read at the start; empty after `forgetContent`.
    package private(set) var content: LogContent
    /// The newest entry at the start; `nil` if the log does not have it.
    package let newestEntry: LogEntry?
    /// The store was empty at the start.
    package let isEmpty: Bool
    /// Read at the start. The file no longer has them.
    package let drafts: [SavedDraft]
    /// Problems found at the start, for the log file.
    package let findings: [String]
    package let log: StoreLog

    private let shared: SharedState
    private let reports = Reports()
    let writer: Mailbox<LogWriter.Job>
    private let stateWriter: Mailbox<StateWriter.Job>
    /// Empty once the store is closed.
    private var threads: [ServiceThread] = []
    private var lock: FolderLock?

    /// Bytes that log.sqlite has at most, by default.
    package static let mostLogBytes = 1 << 30

    /// Opens the store in a folder, and makes the folder if it is missing. `wake` is called on
    /// another thread when an outcome can be taken.
    ///
    /// - Parameters:
    ///   - mostLogBytes: if log.sqlite has more bytes, the longest histories are cut.
    ///   - daemon: a state that one of its kinds cannot read counts as damaged.
    ///   - whenDamaged: for a store of a house: called before a damaged store is repaired.
    package init(
        folder: String, durability: Durability, mostLogBytes: Int = Store.mostLogBytes,
        of daemon: StoreDaemon = .any,
        whenDamaged: (@Sendable () throws(StoreError) -> Void)? = nil,
        wake: @escaping @Sendable () -> Void
    ) throws(StoreError) {
        let opening = Opening(
            folder: StoreFolder(path: folder, daemon: daemon), durability: durability,
            mostBytes: mostLogBytes, whenDamaged: whenDamaged)
        try opening.folder.make()
        try opening.folder.requireOwn()
        lock = try FolderLock(opening.folder)
        var opened = try opening.open()
        (content, drafts) = (opened.content, opened.drafts)
        newestEntry = opened.newestEntry
        isEmpty = content.lastNumber == 0 && content.states.isEmpty
        findings = opened.findings
        let shared = SharedState()
        // The states that were not lost are only in memory until a round is saved.
        if content.areStatesLost { shared.wantsStates.store(true, ordering: .relaxed) }
        let (writer, stateWriter) = (try Mailbox<LogWriter.Job>(), try Mailbox<StateWriter.Job>())
        (self.shared, self.writer, self.stateWriter) = (shared, writer, stateWriter)
        log = StoreLog(writer, shared)
        if let accepted = opened.accepted {
            content.reader = try StoredEntries(
                accepted, upTo: content.lastNumber, writer, shared)
        }
        for notice in opened.notices { reports.add(notice) }
        let reports = reports
        // The threads need only the numbers of the content.
        opened.content.forget()
        try start { [opened] in
            LogWriter(
                opening, reserved: opened.reserved, mailbox: writer, shared: shared,
                reports: reports, wake: wake, stateWriter: stateWriter
            ).run()
        }
        try start { [opened] in
            StateWriter(
                opening, opened, mailbox: stateWriter, writer: writer, shared: shared,
                reports: reports,
                wake: wake
            ).run()
        }
    }

    private func start(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
        do {
            threads.append(try ServiceThread(body))
        } catch {
            close()
            throw .file(path: "a thread", function: "pthread_create", code: error.code)
        }
    }

    /// Call this when the libraries have taken the content.
    ///
    /// - Throws: the error if an entry could not be read. Then the libraries lack entries, and
    ///   their states must not be saved.
    package func forgetContent() throws(StoreError) {
        content.forget()
        if let failure = shared.change({ $0.readingFailure }) { throw failure }
    }

    deinit { close() }

    /// Reports since the last call, for the log file.
    package func takeReports() -> [String] { reports.take() }

    // MARK: States

    /// Hands over some changes of a round.
    package func saveStates(_ changes: [StateChange]) {
        shared.change { $0.isSavingStates = true }
        stateWriter.post(.save(changes))
    }

    /// Ends the round as of the entry `covered`: its changes are written in one transaction.
    package func commitStates(covered: Int, time: Instant) {
        shared.change { $0.isSavingStates = true }
        stateWriter.post(.end(covered: covered, time))
    }

    /// Whether a round should begin now: states were lost, or then the log can be cut. True once.
    package func takeWantsStates() -> Bool {
        shared.wantsStates.load(ordering: .relaxed)
            && shared.wantsStates.exchange(false, ordering: .relaxed)
    }

    /// Abandons the round: none of its changes are written.
    package func dropStates() { stateWriter.post(.drop) }

    /// A round has begun, and its outcome is not known yet.
    package var isSavingStates: Bool { shared.change { $0.isSavingStates } }

    /// The outcome of the last round, once. After a failure, its changes must be saved again.
    package func takeStatesOutcome() -> Result<Void, StoreError>? {
        shared.change { $0.statesOutcome.take() }
    }

    /// Notes the time, and that the log has this entry. Written at most every half second.
    package func note(time: Instant, number: Int) {
        let isFirst = shared.change { content in
            defer { content.note = (time, number) }
            return content.note == nil
        }
        if isFirst { stateWriter.post(.note) }
    }

    /// Replaces the saved drafts, at a planned stop.
    package func saveDrafts(_ drafts: [SavedDraft]) { stateWriter.post(.drafts(drafts)) }

    // MARK: Backups, the end

    /// Writes a consistent copy to a file, replacing an existing file. To restore the copy, put it
    /// into the folder of a stopped daemon as `store.sqlite`.
    package func backup(to path: String) { stateWriter.post(.copy(to: path)) }

    /// The outcome of the last backup, once; `nil` while the backup is being written.
    package func takeBackupOutcome() -> Result<Void, StoreError>? {
        shared.change { $0.backupOutcome.take() }
    }

    /// Makes one of the two verified copies now; for tests.
    func copy() { stateWriter.post(.copy(to: nil)) }

    /// Waits for all jobs, and closes the files.
    package func close() {
        shared.change { $0.isClosing = true }
        // The writer is closed last, because a copy may be waiting for its answer.
        if threads.count == 2 {
            stateWriter.post(.close)
            threads.removeLast().join()
        }
        if !threads.isEmpty {
            writer.post(.close)
            threads.removeLast().join()
        }
        lock = nil
    }
}

extension LogContent {
    /// Frees everything but the numbers.
    fileprivate mutating func forget() {
        (states, remaining, reader, entries) = ([], [], nil, [])
    }
}
