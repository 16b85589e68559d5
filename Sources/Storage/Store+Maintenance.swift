package import BusdProtocol

// Operations on a store that no daemon has open. Only `replace` changes the store. The others also
// work if the store is read-only.

extension Store {
    /// Returns the findings: none for a sound store.
    ///
    /// - Parameter daemon: also reads the states and entries of its kinds.
    package static func check(
        folder: String, of daemon: StoreDaemon = .any
    ) throws(StoreError) -> [String] {
        let store = try OfflineStore(folder, daemon)
        defer { store.removeEmptyWALs() }
        return try store.check()
    }

    /// The first bytes of each database, such as a backup.
    package static let databaseMark = Array("SQLite format 3\0".utf8)

    /// What a reading of a store shows.
    package struct Reading {
        /// The number of the newest entry.
        package let position: Int
        /// `nil` if the log does not have it.
        package let newestEntry: LogEntry?
        /// None if the store can be opened without a repair.
        package let findings: [String]
    }

    /// Reads a store as its next start would, and keeps no lock.
    package static func read(folder: String, of daemon: StoreDaemon) throws(StoreError) -> Reading {
        let store = try OfflineStore(folder, daemon)
        defer { store.removeEmptyWALs() }
        return try store.read()
    }

    /// Checks a copy. No file beside it is read or made.
    package static func check(
        copy path: String, kinds: [KindCheck] = []
    ) throws(StoreError) -> [String] {
        try FileStatus(of: path)?.requireRegular(path)
        return try findings(of: path, .alone, kinds)
    }

    fileprivate static func findings(
        of copy: String, _ access: Database.Access, _ kinds: [KindCheck]
    ) throws(StoreError) -> [String] {
        do throws(StoreError) {
            let file = try Database(path: copy, access)
            guard try file.version() == Schema.version else { return ["the file has no tables"] }
            let tables = try StateTables(of: file, kinds)
            let damage = [tables.damage].compactMap { $0?.description }
            return try damage + tables.findings(kinds) + file.damagedEntries(kinds)
        } catch  where error.isDamage {
            return [error.description]
        }
    }

    /// Writes a consistent copy to a file, replacing an existing file. While the returned lock is
    /// held, no daemon can open the store, and no other copy can be made.
    @discardableResult
    package static func backup(
        folder: String, to path: String
    ) throws(StoreError) -> FolderLock? {
        let store = try OfflineStore(folder)
        defer { store.removeEmptyWALs() }
        try store.copy(to: path)
        return store.lock
    }

    /// Replaces the store with these states, as of an entry of another log.
    package static func replace(
        folder: String, _ states: [SavedState], covered: Int, time: Instant, keepsOld: Bool
    ) throws(StoreError) {
        let opening = Opening(folder: StoreFolder(path: folder), durability: .full)
        let lock = try FolderLock(opening.folder)
        try opening.replace(states, covered: covered, time: time, keepsOld: keepsOld)
        withExtendedLifetime(lock) {}
    }

    /// Whether nothing can be written into the folder or one of its files.
    package static func isReadOnly(folder: String) -> Bool { StoreFolder(path: folder).isReadOnly }

    /// Whether the folder has files of a store. Throws if they are of another daemon.
    package static func exists(
        folder: String, of daemon: StoreDaemon = .any
    ) throws(StoreError) -> Bool {
        let folder = StoreFolder(path: folder, daemon: daemon)
        try folder.verify()
        try folder.requireOwn()
        return folder.files.contains { File.exists($0) }
    }
}

/// A locked store that is only read.
struct OfflineStore {
    private let folder: StoreFolder
    private let access: Database.Access
    /// `nil`: no lock can be made in a read-only folder. No daemon can open the store there.
    let lock: FolderLock?

    init(_ path: String, _ daemon: StoreDaemon = .any) throws(StoreError) {
        try self.init(path, daemon, isReadOnly: StoreFolder(path: path).isReadOnly)
    }

    init(_ path: String, _ daemon: StoreDaemon = .any, isReadOnly: Bool) throws(StoreError) {
        folder = StoreFolder(path: path, daemon: daemon)
        access = isReadOnly ? .reading : .writing
        try folder.verify()
        try folder.requireOwn()
        // Lock first: if a daemon is running, the error must be `inUse` even if the files were
        // removed, because the daemon still has them open and can copy them.
        let hasLock = File.exists(folder.lock)
        let lock = hasLock ? try FolderLock(folder, isReadOnly: isReadOnly) : nil
        guard ([folder.ids] + folder.databases).contains(where: { File.exists($0) }) else {
            throw .unsuitable(path: folder.log, reason: "is not there")
        }
        self.lock = hasLock || isReadOnly ? lock : try FolderLock(folder)
    }

    func check() throws(StoreError) -> [String] {
        if let reason = try onlyWAL() { return [reason] }
        if File.exists(folder.backup) {
            return try Store.findings(of: folder.backup, access, folder.daemon.kinds)
        }
        let recovery = try Recovery(folder, access)
        let findings = recovery.opened.findings + recovery.tables.findings(folder.daemon.kinds)
        guard recovery.logProblem == nil, let log = recovery.log else { return findings }
        // A start after a planned stop does not look for damage to entries that the states cover.
        if let damage = try log.findDamage() { return findings + ["\(damage)"] }
        return try findings + log.damagedEntries(folder.daemon.kinds)
    }

    func read() throws(StoreError) -> Store.Reading {
        if let reason = try onlyWAL() { throw .unsuitable(path: folder.path, reason: reason) }
        guard !File.exists(folder.backup) else {
            throw .unsuitable(
                path: folder.backup, reason: "has not been read yet: start the daemon once")
        }
        let opened = try Recovery(folder, mayAppend: false, access).opened
        return Store.Reading(
            position: opened.content.lastNumber, newestEntry: opened.newestEntry,
            findings: opened.findings)
    }

    func copy(to path: String) throws(StoreError) {
        if let reason = try onlyWAL() { throw .unsuitable(path: folder.path, reason: reason) }
        guard !File.exists(folder.backup) else {
            throw .unsuitable(
                path: folder.backup, reason: "has not been read yet: start the daemon once")
        }
        let recovery = try Recovery(folder, access)
        for (file, problem) in [
            (folder.states, recovery.statesProblem), (folder.log, recovery.logProblem),
        ] {
            if let problem { throw .unsuitable(path: file, reason: problem) }
        }
        guard let log = recovery.log else { return }
        let states = try Database(path: folder.states, access)
        let copy = StoreCopy(to: path, isVerified: false)
        try copy.begin(with: states)
        _ = try copy.finish { number, last throws(StoreError) in
            try log.entries(after: number, upTo: last)
        }
    }

    /// The reason not to read the store if a database is empty and has a write-ahead log: SQLite
    /// would remove that log.
    private func onlyWAL() throws(StoreError) -> String? {
        for path in folder.databases where try StoreFolder.hasOnlyWAL(path) {
            return "\(path) is missing or empty, but has a write-ahead log: start the daemon "
                + "once to recover it"
        }
        return nil
    }

    /// Reading creates these files.
    func removeEmptyWALs() {
        guard access == .writing else { return }
        for path in folder.databases.map(StoreFolder.wal) {
            if (try? File.size(path)) == 0 { try? File.remove(path) }
        }
    }
}

extension Database {
    fileprivate func damagedEntries(_ kinds: [KindCheck]) throws(StoreError) -> [String] {
        var scan = TableScan(of: "log", by: "n", columns: 12, self)
        var damaged: [ClosedRange<Int>] = []
        var unreadable: [String] = []
        try scan.readAll { number, row in
            guard let entry = LogEntry(row) else { return damaged.append(number...number) }
            guard let problem = kinds.problem(of: entry) else { return }
            unreadable.append("\(entry.title) cannot be read: \(problem)")
        }
        damaged = (damaged + scan.unreadable).sorted { $0.lowerBound < $1.lowerBound }
        guard !damaged.isEmpty else {
            return unreadable + [scan.damage].compactMap { $0?.description }
        }
        var list = NumberList()
        for range in damaged { list.insert(range) }
        return unreadable + ["damaged entries: \(list)"]
    }
}

extension StateTables {
    /// A finding for each state that its kind cannot read.
    fileprivate func findings(_ kinds: [KindCheck]) -> [String] {
        states.values.compactMap { state in
            kinds.problem(of: state, isWhole: true).map {
                "\(ThingKey(state.kind, state.id)) cannot be read: \($0)"
            }
        }.sorted { ExactText($0) < ExactText($1) }
    }
}

extension [KindCheck] {
    /// Why the state cannot be read; `nil` if it can, or if its kind is not known.
    func problem(of state: SavedState, isWhole: Bool) -> String? {
        do throws(WireError) {
            try first { $0.kind.isExactly(state.kind) }?.check(state, isWhole: isWhole)
            return nil
        } catch {
            return error.message.clipped
        }
    }

    /// Why the entry cannot be read; `nil` if it can, or if its kind is not known.
    fileprivate func problem(of entry: LogEntry) -> String? {
        do throws(WireError) {
            try first { $0.kind.isExactly(entry.kind) }?.check(entry)
            return nil
        } catch {
            return error.message.clipped
        }
    }
}
