import BusdEventLoop
import BusdProtocol

/// Runs on the thread of the states: owns the connection to state.sqlite, writes rounds of states
/// and notes, and starts copies.
///
/// A round is collected in memory and written as one transaction, so notes can be committed
/// meanwhile. Then entries that the round has made superfluous are removed from the log.
final class StateWriter {
    private let opening: Opening
    private let mailbox: Mailbox<Job>
    private let writer: Mailbox<LogWriter.Job>
    private let shared: SharedState
    private let reports: Reports
    private let wake: @Sendable () -> Void

    private var (connection, files): (Database?, OpenFiles?)
    private var watch = WALWatch()
    /// The note as it is on the disk.
    private var note: Note
    private var round: [StateChange] = []
    /// Removals that have not begun.
    private var removals: [Removal]
    private var amendments: [LogAmendment] = []
    /// The thread of the log does not know about the last round.
    private var areNewer = false
    /// Things with a history that is to be cut.
    private var cuts: [ThingKey] = []
    /// Removals to be deleted with the next transaction.
    private var doneRemovals: [Removal] = []
    /// Milliseconds.
    private var noteDue = 0
    private var copyDue: Int
    private var copier: ServiceThread?
    private var copyTarget: String?
    private var waitingCopies: [String?] = []

    init(
        _ opening: Opening, _ opened: Opened, mailbox: Mailbox<Job>,
        writer: Mailbox<LogWriter.Job>, shared: SharedState, reports: Reports,
        wake: @escaping @Sendable () -> Void
    ) {
        (self.opening, self.mailbox, self.writer) = (opening, mailbox, writer)
        (self.shared, self.reports, self.wake) = (shared, reports, wake)
        let content = opened.content
        note = Note(
            time: content.lastTime, number: content.lastNumber, covered: content.covered)
        removals = opened.removals
        // After damage the first copy waits, because it would replace a copy of the sound store.
        let wait = opened.findings.isEmpty ? Self.untilFirstCopy : Self.betweenCopies
        copyDue = MonotonicClock.milliseconds + wait
    }

    private var path: String { opening.folder.states }

    /// Executes jobs, until the store is closed.
    func run() {
        beginRemovals()
        var spin = SpinWait()
        while true {
            switch mailbox.next(within: untilWork, &spin) {
            case .save(let changes): round += changes
            case .end(let covered, let time): endRound(covered, time)
            case .drop: round = []
            case .note, nil: break
            case .drafts(let drafts):
                transact { file throws(StoreError) in try file.replaceDrafts(with: drafts) }
            case .removed(let removal): doneRemovals.append(removal)
            case .cut(let things):
                cuts = things
                beginRemovals()
            case .copy(let target): waitingCopies.append(target)
            case .copied(let result): endCopy(result)
            case .close: return close()
            }
            if MonotonicClock.milliseconds >= noteDue { writeNote() }
            lookAfterWAL()
            beginCopyWhenDue()
        }
    }

    /// Milliseconds until there is work without a job; -1: there is none.
    private var untilWork: Int32 {
        let now = MonotonicClock.milliseconds
        let hasNote = shared.change { $0.note != nil }
        let dues = [hasNote ? noteDue : nil, copier == nil ? copyDue : nil].compactMap { $0 }
        let waits = dues.map { Int32(clamping: max(0, $0 - now)) } + [watch.wait(at: now)]
        return waits.filter { $0 >= 0 }.min() ?? -1
    }

    // MARK: Rounds, notes

    private func endRound(_ covered: Int, _ time: Instant) {
        let changes = round
        round = []
        var begun: [Removal] = []
        var amendments: [LogAmendment] = []
        var note = note
        note.covered = max(note.covered, covered)
        let outcome = transact(note, upTo: covered, at: time, syncs: true) {
            connection throws(StoreError) in
            for change in changes {
                switch change {
                case .save(let state, _): try connection.put(state)
                case .remove(let kind, let id, _): try connection.deleteState(kind, id)
                case .amend(let amendment): amendments.append(amendment)
                }
                if let removal = Removal(change) { begun.append(try connection.put(removal)) }
            }
        }
        if case .success = outcome {
            removals += begun
            (self.amendments, areNewer) = (self.amendments + amendments, true)
            if !begun.isEmpty { overwriteUnused() }
        }
        beginRemovals()
        shared.change { ($0.isSavingStates, $0.statesOutcome) = (false, outcome) }
        wake()
    }

    /// The write-ahead log and unused bytes still have the states that were replaced.
    private func overwriteUnused() {
        do throws(StoreError) {
            try keepFiles()
            try connected().checkpoint(emptiesWAL: true)
            connection = nil
            try UnusedBytes.overwrite(path)
        } catch {
            abandonConnection()
        }
    }

    private func writeNote() {
        guard let (time, number) = shared.change({ $0.note.take() }) else { return }
        noteDue = MonotonicClock.milliseconds + Self.betweenNotes
        transact(note, upTo: number, at: time) { _ in }
    }

    @discardableResult
    private func transact(
        _ note: Note? = nil, upTo number: Int = 0, at time: Instant = .distantPast,
        syncs: Bool = false, _ body: (Database) throws(StoreError) -> Void
    ) -> Result<Void, StoreError> {
        var note = note ?? self.note
        (note.number, note.time) = (max(note.number, number), max(note.time, time))
        do throws(StoreError) {
            let connection = try connected()
            try connection.transaction { () throws(StoreError) in
                try body(connection)
                for removal in doneRemovals { try connection.deleteRemoval(removal.place) }
                try connection.put(note)
            }
            (self.note, doneRemovals) = (note, [])
            try keepFiles()
            watch.noteCommit(at: MonotonicClock.milliseconds)
            // With `normal` durability, only a checkpoint syncs.
            if syncs || connection.framesInWAL >= Self.framesPerCheckpoint {
                _ = try connection.checkpoint()
            }
            reports.note(.states, nil)
            return .success(())
        } catch {
            reports.note(.states, error)
            abandonConnection()
            return .failure(error)
        }
    }

    /// Begins what changes the log, unless a copy is being made: the copy has older states.
    private func beginRemovals() {
        guard copier == nil else { return }
        if areNewer { writer.post(.saved(amendments)) }
        areNewer = false
        if !removals.isEmpty { writer.post(.remove(removals)) }
        (amendments, removals) = ([], [])
        guard !cuts.isEmpty else { return }
        // Without states, nothing is cut.
        writer.post(.cut((try? connected().states(of: cuts)) ?? []))
        cuts = []
    }

    // MARK: The connection

    private func connected() throws(StoreError) -> Database {
        try keepFiles()
        if let connection { return connection }
        let new = try opening.connect(path)
        // Syncs the file as it is. It may contain a round with a failed sync, which is as valid as
        // the round before.
        _ = try new.checkpoint()
        files = OpenFiles(of: path)
        connection = new
        return new
    }

    /// Throws if the database was removed or replaced. If the write-ahead log (WAL) was, the open
    /// one is copied into the database, and the next connection makes a new one.
    private func keepFiles() throws(StoreError) {
        guard let files else { return }
        try files.verifyDatabase()
        guard let open = connection, !files.hasWAL else { return }
        let isEmpty = open.framesInWAL == 0
        _ = try open.checkpoint()
        if !isEmpty {
            reports.noteRemoved(walOf: path)
            wake()
        }
        // A file of that name belongs to another database.
        try File.cut(StoreFolder.wal(of: path), to: 0)
        connection = nil
    }

    private func lookAfterWAL() {
        let isEmpty = connection?.framesInWAL ?? 0 == 0
        let step = watch.next(isEmpty: isEmpty, at: MonotonicClock.milliseconds)
        guard step != .none, (try? keepFiles()) != nil, step == .checkpoint else { return }
        do { _ = try connection?.checkpoint() } catch { abandonConnection() }
    }

    /// Closes the connection, unless the file has lost its name: then only the connection has the
    /// content.
    private func abandonConnection() {
        if files?.haveNames == false {
            try? connection?.execute("ROLLBACK")
        } else {
            connection = nil
        }
    }

    private func close() {
        copier?.join()
        copier = nil
        beginRemovals()
        writeNote()
        // Unless checked, SQLite could remove a WAL that belongs to another file.
        do throws(StoreError) {
            try keepFiles()
            try connection?.saveAndRemoveWAL()
        } catch {
            reports.noteStop(.states, error)
        }
        connection = nil
    }

    // MARK: Copies

    private func beginCopyWhenDue() {
        guard copier == nil else { return }
        if copyDue <= MonotonicClock.milliseconds {
            copyDue = MonotonicClock.milliseconds + Self.betweenCopies
            waitingCopies.append(nil)
        }
        guard !waitingCopies.isEmpty else { return }
        copyTarget = waitingCopies.removeFirst()
        do throws(StoreError) {
            let target = if let copyTarget { copyTarget } else { try opening.folder.nextCopy() }
            try beginCopy(StoreCopy(to: target, isVerified: copyTarget == nil))
        } catch {
            endCopy(.failure(error))
        }
    }

    private func beginCopy(_ copy: StoreCopy) throws(StoreError) {
        let connection = if let connection { connection } else { try connected() }
        try copy.begin(with: connection)
        let replies = try Mailbox<Result<LogPortion, StoreError>>()
        let (mailbox, writer, shared) = (mailbox, writer, shared)
        do {
            copier = try ServiceThread {
                let result = Result { () throws(StoreError) in
                    try copy.finish(stops: { shared.change { $0.isClosing } }) {
                        number, last throws(StoreError) in
                        writer.post(.read(after: number, upTo: last, replies))
                        return try replies.wait().get()
                    }
                }
                mailbox.post(.copied(result))
            }
        } catch {
            throw .file(path: "a copy", function: "pthread_create", code: error.code)
        }
    }

    private func endCopy(_ result: Result<[String], StoreError>) {
        copier?.join()
        copier = nil
        beginRemovals()
        var failure: StoreError?
        switch result {
        case .success(let findings): for finding in findings { reports.add(finding) }
        case .failure(let error): failure = error
        }
        if copyTarget == nil {
            reports.note(.copies, failure)
        } else {
            shared.change { $0.backupOutcome = result.map { _ in } }
        }
        wake()
    }
}
