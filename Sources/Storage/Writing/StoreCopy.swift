import BusdEventLoop
import BusdProtocol

/// A copy of a store in one file: a backup, or one of the two verified copies. It is written under
/// another name, checked, synced and renamed, so the file is complete or missing.
///
/// The states are copied first, in one step. Then the log is read in portions, up to the entry that
/// was the newest at the first portion. New removals wait until the copy is complete. A removal
/// that is under way may continue, because the states cover its entries.
struct StoreCopy: Sendable {
    let path: String
    /// One of the two verified copies, in which no row may be damaged.
    let isVerified: Bool

    private var partial: String { "\(path).partial" }

    init(to path: String, isVerified: Bool) { (self.path, self.isVerified) = (path, isVerified) }

    func begin(with states: Database) throws(StoreError) {
        if let damage = try states.findDamage() { throw damage }
        try File.makeNew(partial)
        do {
            try states.once("VACUUM INTO ?1").run([.text(partial)])
        } catch {
            throw abandon(error)
        }
    }

    /// Removes the incomplete file. A lack of space is described with the place to make room.
    private func abandon(_ error: StoreError) -> StoreError {
        try? File.remove(partial)
        guard error.isLackOfSpace else { return error }
        return .unsuitable(
            path: path,
            reason: "cannot be written, because the disk is full: make room in "
                + "\(parentFolder(of: path)), and try again")
    }

    /// - Parameters:
    ///   - stops: asked before each portion; true cancels the copy.
    ///   - read: reads entries after a number, up to another one or, with `nil`, to the newest.
    /// - Returns: a finding if damaged entries are missing in the copy.
    func finish(
        stops: () -> Bool = { false },
        _ read: (Int, Int?) throws(StoreError) -> LogPortion
    ) throws(StoreError) -> [String] {
        do {
            let findings = try fill(stops, read)
            try File.replace(path, by: partial)
            return findings
        } catch {
            throw abandon(error)
        }
    }

    private func fill(
        _ stops: () -> Bool, _ read: (Int, Int?) throws(StoreError) -> LogPortion
    ) throws(StoreError) -> [String] {
        let copy = try Database(path: partial)
        try copy.useNoJournal()
        try copy.execute("\(Schema.log) DELETE FROM draft;")
        var damaged: [Int] = []
        var (number, last): (Int, Int?) = (0, nil)
        while !stops() {
            let portion = try read(number, last)
            damaged += portion.damaged
            guard portion.last > number else {
                try check(copy, damaged)
                return damaged.isEmpty ? [] : ["damaged entries: \(NumberList(damaged))"]
            }
            // Without this limit, appended entries could keep the copy from ending.
            last = last ?? portion.newest
            number = portion.last
            try copy.transaction { () throws(StoreError) in try copy.insert(portion.entries) }
        }
        throw .unsuitable(path: path, reason: "is not written, because the store is being closed")
    }

    private func check(_ copy: Database, _ damaged: [Int]) throws(StoreError) {
        let damage = isVerified ? try StateTables(of: copy).damage : try copy.findDamage()
        if let damage { throw damage }
        if isVerified, !damaged.isEmpty {
            throw .damage("entries are damaged: \(NumberList(damaged))", path: path)
        }
    }
}

extension StoreFolder {
    /// The path of the next verified copy: a missing copy, else the older one. Throws unless the
    /// disk has three times the needed space.
    func nextCopy() throws(StoreError) -> String {
        var needed = 0
        for database in [log, states] {
            let size = try Self.size(of: database) ?? (0, 0)
            needed += size.file + size.wal
        }
        guard try File.free(in: path) / 3 >= needed else {
            throw .unsuitable(
                path: path, reason: "has too little space for a verified copy: make room there")
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
