import BusdProtocol

/// Reads as much of a store as possible, and determines what is lost. Writes nothing.
///
/// If state.sqlite is damaged, all states are rebuilt: from the newest copy or from nothing
/// (`base`), then the entries of the log, then the states that can still be read (`tables`).
struct Recovery {
    let folder: StoreFolder
    private let access: Database.Access
    private let mayAppend: Bool
    var opened = Opened()
    private(set) var tables = StateTables()
    /// Why the file must be replaced; `nil` if it is sound.
    private(set) var statesProblem: String?
    private(set) var logProblem: String?
    /// There has never been a store.
    private(set) var isNew = false
    /// The log, or the copy that is read instead; `nil`: there are no entries.
    private(set) var log: Database?
    /// Entries to append, so that no id is used twice.
    var skips: [LogEntry] = []

    private let copies: Copies
    /// The copy that was read instead of each damaged file, by path.
    private var copied: [ExactText: Copies.Copy] = [:]
    var entries = LogTables(behind: 0, upTo: 0)
    /// What the entries say about ids, by kind.
    var mentioned: [ExactText: MentionedIDs] = [:]
    /// Entries that skip ids and will be applied.
    var pendingSkips: [LogEntry] = []
    /// If states are lost, all are rebuilt from these states and later entries of the log.
    private(set) var base: StateTables?
    /// Ids may be in use that only store.ids records.
    var isDoubtful: Bool
    /// store.ids cannot be read.
    private(set) var areIDsLost = false
    /// The write-ahead log of log.sqlite has frames that SQLite cannot read.
    private(set) var isWALDamaged = false

    /// - Parameters:
    ///   - isImport: true: both files are missing, and the first copy is used instead.
    ///   - mayAppend: whether entries can be appended, so that no id is used twice. False: the
    ///     store is of a house, which can replace a damaged thing. So the things are read too.
    init(
        _ folder: StoreFolder, isImport: Bool = false, mayAppend: Bool = true,
        _ access: Database.Access = .writing
    ) throws(StoreError) {
        (self.folder, self.access, self.mayAppend) = (folder, access, mayAppend)
        copies = Copies(of: folder)
        isDoubtful = isImport
        let reserved = ReservedIDs(of: folder)
        opened.reserved = reserved ?? ReservedIDs()
        try readStates()
        try readLog()
        isNew =
            tables.states.isEmpty && tables.note == nil && entries.newest == 0
            && !File.exists(folder.ids) && !copies.exist
            && [nil, Self.isMissing].contains(statesProblem)
            && [nil, Self.isMissing].contains(logProblem)
        if isNew { base = nil }
        if !isNew, !isImport {
            report(statesProblem, of: folder.states)
            report(logProblem, of: folder.log)
        }
        if isImport, let damage = copies.all.first?.tables.damage { report("\(damage)") }
        if reserved == nil, !isNew { reportLostIDs(isImport: isImport) }
        if tables.note == nil, !tables.states.isEmpty {
            report("the time of the last note is lost")
        }
        try acceptEntries()
        if mayAppend { skipIDs() }
        complete()
    }

    mutating func report(_ finding: String) { opened.findings.append(finding) }

    private mutating func report(_ problem: String?, of path: String) {
        guard let problem else { return }
        report("\(path) \(problem)")
        guard let copy = copied[ExactText(path)] else { return }
        report("\(copy.path) is used instead, which was made after entry \(copy.tables.covered)")
    }

    /// Without store.ids, a backup that was put back is taken for the newest content.
    private mutating func reportLostIDs(isImport: Bool) {
        let isDamaged = File.exists(folder.ids)
        areIDsLost = isDamaged || !isImport
        if areIDsLost { report("\(folder.ids) \(isDamaged ? "is damaged" : Self.isMissing)") }
    }

    // MARK: Files

    private static let isMissing = "is missing"

    private func look(at path: String) throws(StoreError) -> (Database?, problem: String?) {
        guard try StoreFolder.size(of: path) != nil else { return (nil, Self.isMissing) }
        do {
            let connection = try Database(path: path, access)
            switch try connection.version() {
            case 0: return (nil, "has no tables")
            case Schema.version: return (connection, nil)
            case let version: return (connection, "is damaged (its version is \(version))")
            }
        } catch  where error.isDamage {
            return (nil, Self.text(error))
        }
    }

    private static func text(_ damage: StoreError) -> String {
        "is damaged (\(damage.status?.description ?? ""))"
    }

    private mutating func readStates() throws(StoreError) {
        let (connection, problem) = try look(at: folder.states)
        statesProblem = problem
        guard let connection else { return }
        tables = try StateTables(of: connection, folder.daemon.kinds, isWhole: !mayAppend)
        statesProblem = problem ?? tables.damage.map(Self.text)
        if statesProblem == nil, !tables.areComplete { statesProblem = "lacks states" }
    }

    private mutating func readLog() throws(StoreError) {
        // After a planned stop there is no write-ahead log.
        let wal = StoreFolder.wal(of: folder.log)
        let wasClosed = !File.exists(wal)
        if !wasClosed, try WALScan.findsLostCommit(in: wal) {
            (isWALDamaged, isDoubtful) = (true, true)
            report("\(wal) is damaged at its end: the newest changes may be lost")
        }
        (log, logProblem) = try look(at: folder.log)
        if log == nil {
            isDoubtful = true
            log = copies.all.first?.connection
            copied[ExactText(folder.log)] = copies.all.first
        }
        // Whether damage can be looked for by trying to write, which is much faster.
        let isSound =
            wasClosed && logProblem == nil && statesProblem == nil && access == .writing
        try readEntries(verifies: !isSound)
        if isSound, !entries.missing.isEmpty { try readEntries(verifies: true) }
        logProblem = logProblem ?? entries.damage.map(Self.text)
    }

    /// - Parameter verifies: true: also looks for damage to entries that the states cover.
    private mutating func readEntries(verifies: Bool) throws(StoreError) {
        let base = findBase()
        if let base, base.covered > tables.covered {
            // state.sqlite is damaged, and older than the copy: its states are not used.
            tables = StateTables(note: tables.note)
        }
        self.base = base
        let first = base?.covered ?? tables.covered
        let noted = tables.note?.number ?? 0
        if let log {
            entries = try LogTables(
                of: log, behind: first, upTo: noted, verifies: verifies,
                mostKept: base == nil ? LogTables.mostKept : 0)
        } else {
            entries = LogTables(behind: first, upTo: noted)
        }
    }

    /// The newest complete copy, else no states: then the whole log is applied. `nil` if no states
    /// are lost.
    private mutating func findBase() -> StateTables? {
        guard statesProblem != nil else { return nil }
        let complete = copies.all.first { $0.tables.damage == nil && $0.tables.areComplete }
        if let complete {
            copied[ExactText(folder.states)] = complete
            return complete.tables
        }
        // The readable states of a damaged copy are used like those of state.sqlite.
        if tables.states.isEmpty, let copy = copies.all.first {
            copied[ExactText(folder.states)] = copy
            tables = copy.tables
        }
        return StateTables()
    }

    /// Closes the log, so that it can be opened for writing.
    mutating func close() { log = nil }

    // MARK: The content

    var lastTime: Instant {
        let noted = tables.note?.time ?? .distantPast
        return max(entries.lastTime, noted)
    }

    /// The states that state.sqlite has until the next round is saved. If states are lost, the
    /// remaining states are not among them, because they are newer.
    var saved: StateTables { base ?? tables }

    var note: Note { Note(time: lastTime, number: entries.newest, covered: saved.covered) }

    private mutating func complete() {
        opened.content.states = Array(saved.states.values)
        opened.content.areStatesLost = base != nil
        opened.content.remaining = base == nil ? [] : Array(tables.states.values)
        opened.content.covered = saved.covered
        opened.content.lastNumber = entries.newest + skips.count
        opened.content.lastTime = lastTime
        opened.newestEntry = try? log?.entry(opened.content.lastNumber)
        opened.drafts = tables.drafts
        // The log keeps what the saved states do not have. The next round removes it again.
        opened.removals = tables.removals.filter { $0.lastEntry <= saved.covered }
        opened.reserved.reserve(ReservedIDs(of: tables.states.values))
        if let base { opened.reserved.reserve(ReservedIDs(of: base.states.values)) }
    }
}

extension Instant {
    static let distantPast = Instant(microseconds: 0)
}
