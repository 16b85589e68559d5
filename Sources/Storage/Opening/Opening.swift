import BusdProtocol

/// Opens a store: makes a missing store, reads it, and replaces damaged files with new ones. The
/// damaged files are kept under other names.
struct Opening: Sendable {
    let folder: StoreFolder
    let durability: Durability
    /// Bytes that log.sqlite may have.
    var mostBytes = Store.mostLogBytes
    /// Called before a damaged store of a house is repaired; `nil`: the store is of no house. In a
    /// house, only Redis numbers entries, so the repair appends none.
    var whenDamaged: (@Sendable () throws(StoreError) -> Void)?

    /// Reads everything. Afterwards the threads can connect to the files.
    func open() throws(StoreError) -> Opened {
        // Only the owner may read and write them.
        for path in folder.files where File.exists(path) { try File.make(path) }
        return try File.size(folder.backup) ?? 0 > 0 ? openBackup() : open(isImport: false)
    }

    /// - Parameter isImport: true: the files were set aside, and the first copy is used instead.
    func open(isImport: Bool) throws(StoreError) -> Opened {
        for path in [folder.states, folder.log] { try reviveWAL(path) }
        var recovery = try Recovery(
            folder, isImport: isImport, mayAppend: whenDamaged == nil)
        if !recovery.opened.findings.isEmpty { try whenDamaged?() }
        try repair(&recovery)
        var opened = recovery.opened
        if ReservedIDs(of: folder) != opened.reserved { try opened.reserved.write(to: folder) }
        opened.notices = giveBackSpace()
        return opened
    }

    /// Adds a page to an empty file with a write-ahead log (WAL). SQLite removes the WAL of an
    /// empty file. If the file has a page, SQLite looks for the page in the WAL.
    private func reviveWAL(_ path: String) throws(StoreError) {
        guard try StoreFolder.hasOnlyWAL(path) else { return }
        try File.make(path)
        try File.extend(path, to: Database.pageSize)
    }

    /// Opens a connection that can write. A checkpoint must follow, for the id of the daemon.
    func connect(_ path: String) throws(StoreError) -> Database {
        // Refuses a FIFO: SQLite would wait for its other end.
        try folder.verify()
        let connection = try Database(path: path)
        try connection.requireTables()
        if connection.isReadOnly { throw .unsuitable(path: path, reason: "is read-only") }
        try connection.useWAL(durability)
        let id = Int(widening: folder.daemon.id)
        // A former program set no id, or the id is damaged.
        if id != 0, try connection.integer("PRAGMA application_id") != id {
            try connection.execute("PRAGMA application_id = \(id)")
        }
        return connection
    }

    // MARK: New files

    private func repair(_ recovery: inout Recovery) throws(StoreError) {
        if recovery.statesProblem != nil {
            recovery.opened.removals = try makeStates(
                recovery.saved, removals: recovery.opened.removals,
                recovery.isNew ? nil : recovery.note)
            try putInPlace(folder.states, &recovery)
        }
        if recovery.logProblem != nil {
            try makeLog(from: recovery.log, recovery.entries)
            try putInPlace(folder.log, &recovery)
        }
        recovery.close()
        if !recovery.skips.isEmpty || recovery.isWALDamaged {
            let log = try connect(folder.log)
            try log.transaction { () throws(StoreError) in try log.insert(recovery.skips) }
            // Else the next start finds the damaged frames again.
            try log.checkpoint(emptiesWAL: true)
        }
        if !recovery.opened.drafts.isEmpty, recovery.statesProblem == nil {
            let states = try connect(folder.states)
            try states.transaction { () throws(StoreError) in try states.replaceDrafts(with: []) }
        }
    }

    private func putInPlace(_ path: String, _ recovery: inout Recovery) throws(StoreError) {
        if try StoreFolder.size(of: path) != nil {
            recovery.report("\(path) is kept as \(try setAside(path, "damaged"))")
        }
        try File.rename("\(path).new", to: path)
        try File.syncFolder(folder.path)
    }

    /// Makes a file of states, without drafts, because they have been read. Returns the removals
    /// with their new places.
    private func makeStates(
        _ tables: StateTables, removals begun: [Removal], _ note: Note?
    ) throws(StoreError) -> [Removal] {
        var removals: [Removal] = []
        try makeFile("\(folder.states).new", Schema.states) { file throws(StoreError) in
            for state in tables.states.values { try file.put(state) }
            if let note { try file.put(note) }
            for removal in begun { removals.append(try file.put(removal)) }
        }
        return removals
    }

    /// Makes a file with the entries that were read, because they are applied: another scan might
    /// miss some. It also has the undamaged rows of the entries that the states cover.
    private func makeLog(from log: Database?, _ entries: LogTables) throws(StoreError) {
        try makeFile("\(folder.log).new", Schema.log) { file throws(StoreError) in
            if let log {
                var scan = TableScan(of: "log", by: "n", columns: 12, log)
                try scan.readAll(upTo: entries.covered) { _, row throws(StoreError) in
                    if let entry = LogEntry(row) { try file.insert([entry]) }
                }
            }
            try entries.forEach(in: log) { entry throws(StoreError) in try file.insert([entry]) }
        }
    }

    func makeFile(
        _ path: String, _ schema: String, _ fill: (Database) throws(StoreError) -> Void
    ) throws(StoreError) {
        try File.makeNew(path)
        let file = try Database(path: path)
        try file.useNoJournal()
        try file.execute("\(schema) PRAGMA user_version = \(Schema.version)")
        try file.execute("PRAGMA application_id = \(folder.daemon.id)")
        try file.transaction { () throws(StoreError) in try fill(file) }
        try File.sync(path)
    }

    /// Gives the file a second name, so that a file of this name exists at any moment. If the
    /// daemon is killed here, the next start begins again.
    func setAside(_ path: String, _ why: String) throws(StoreError) -> String {
        let aside = StoreFolder.unusedName(path, why)
        let wal = StoreFolder.wal(of: path)
        if File.exists(path) { try File.keep(path, as: aside) }
        if try File.size(wal) ?? 0 > 0 { try File.keep(wal, as: StoreFolder.wal(of: aside)) }
        // Before the new file is in place: SQLite would apply the WAL to the new file.
        try File.remove(wal)
        return aside
    }
}
