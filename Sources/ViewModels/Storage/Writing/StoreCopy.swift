import BusdProtocol

/// A copy of a store in one file: a backup, or one of the two verified copies. It is written under
/// another name, checked, synced and renamed, so it is complete or not there at all.
///
/// The states are copied first, at once. The log is then read in portions, up to an entry that the
/// states do not need. New removals wait for its end. A removal that is under way may go on: the
/// states cover its entries.
struct StoreCopy: Sendable {
    let path: String
    /// One of the two: no row of it may be damaged.
    let isVerified: Bool

    private var partial: String { "\(path).partial" }

    init(to path: String, isVerified: Bool) { (self.path, self.isVerified) = (path, isVerified) }

    func begin(with states: Connection) throws(StoreError) {
        if let damage = try states.findDamage() { throw damage }
        try File.makeNew(partial)
        do {
            try states.once("VACUUM INTO ?1").run([.text(partial)])
        } catch {
            try? File.remove(partial)
            throw error
        }
    }

    /// - Parameters:
    ///   - stops: asked before each portion; true: there is to be no copy.
    ///   - read: reads entries after a number, up to another one or, with `nil`, to the newest.
    /// - Returns: what is damaged, and not in the copy.
    func finish(
        stops: () -> Bool = { false },
        _ read: (Int, Int?) throws(StoreError) -> LogPortion
    ) throws(StoreError) -> [String] {
        do {
            let findings = try fill(stops, read)
            try File.sync(partial)
            try File.rename(partial, to: path)
            try File.syncFolder(File.folder(of: path))
            return findings
        } catch {
            try? File.remove(partial)
            throw error
        }
    }

    private func fill(
        _ stops: () -> Bool, _ read: (Int, Int?) throws(StoreError) -> LogPortion
    ) throws(StoreError) -> [String] {
        let copy = try Connection(path: partial)
        try copy.useNoJournal()
        try copy.execute("\(Schema.log) DELETE FROM draft;")
        var damaged: [Int] = []
        var (number, last): (Int, Int?) = (0, nil)
        while !stops() {
            let portion = try read(number, last)
            damaged += portion.damaged
            guard portion.last > number else {
                try check(copy, damaged)
                return damaged.isEmpty ? [] : ["entries that are damaged: \(NumberList(damaged))"]
            }
            // Entries that are appended meanwhile would go on for ever.
            last = last ?? portion.newest
            number = portion.last
            try copy.transaction { () throws(StoreError) in try copy.insert(portion.entries) }
        }
        throw .unsuitable(path: path, reason: "is not written, because the store is being closed")
    }

    private func check(_ copy: Connection, _ damaged: [Int]) throws(StoreError) {
        let damage = isVerified ? try StateTables(of: copy).damage : try copy.findDamage()
        if let damage { throw damage }
        if isVerified, !damaged.isEmpty {
            throw .damage("entries are damaged: \(NumberList(damaged))", path: path)
        }
    }
}

extension StoreFolder {
    /// The verified copy that is written next: the one that is missing, or older. Throws if the
    /// disk has not three times the space.
    func nextCopy() throws(StoreError) -> String {
        var needed = 0
        for database in [log, states] {
            let size = try Self.size(of: database) ?? (0, 0)
            needed += size.file + size.wal
        }
        guard try File.free(in: path) / 3 >= needed else {
            throw .unsuitable(path: path, reason: "has too little space for a verified copy")
        }
        var oldest: (path: String, modified: Int)?
        for path in copies {
            guard let status = try FileStatus(of: path) else { return path }
            if oldest.map({ status.modified < $0.modified }) ?? true {
                oldest = (path, status.modified)
            }
        }
        return oldest?.path ?? copies[0]
    }
}
