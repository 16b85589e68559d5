import BusdProtocol

// `store.sqlite`: a store of version 1 to 4, or a backup that was put back under this name.

extension Opening {
    /// Makes the first verified copy from `store.sqlite`, and new files from the copy. A backup is
    /// renamed to the copy. An older store is converted, and kept as `store.sqlite.v4` or so. All
    /// other files are set aside. If the daemon is killed meanwhile, the next start continues.
    ///
    /// If an older store can be read but not migrated, `obstacle` has the reason.
    func openOlder() throws(StoreError) -> Opened {
        let path = folder.older
        do throws(StoreError) {
            try setForeignWALAside()
            let older = try readOlder()
            return Schema.known.contains(older.version) ? try putBack() : try migrate(older)
        } catch  where error.isDamage {
            let aside = try setAside(path, "damaged")
            try File.remove(path)
            var opened = try open(isImport: false)
            opened.findings.insert("\(error); \(path) is kept as \(aside)", at: 0)
            return opened
        }
    }

    private typealias Older = (version: Int, states: [SavedState], findings: [String])

    private func readOlder() throws(StoreError) -> Older {
        let file = try Connection(path: folder.older)
        let version = try file.version()
        guard version > 0 else { throw .damage("the file has no tables", path: folder.older) }
        if Schema.known.contains(version) {
            let tables = try StateTables(of: file, folder.kinds)
            if let damage = tables.damage, tables.states.isEmpty { throw damage }
            return (version, [], [])
        }
        let store = try OlderStore(file)
        try file.removeWALOnClose()
        return (version, store.states, store.findings)
    }

    private func putBack() throws(StoreError) -> Opened {
        try setPresentFilesAside()
        try File.rename(folder.older, to: folder.copies[0])
        try File.syncFolder(folder.path)
        var opened = try open(isImport: true)
        opened.findings.append("\(folder.older) was restored, and is kept as \(folder.copies[0])")
        return opened
    }

    private func migrate(_ older: Older) throws(StoreError) -> Opened {
        var opened = Opened()
        do {
            let new = "\(folder.copies[0]).new"
            try makeFile(new, Schema.states + Schema.log) { file throws(StoreError) in
                try file.put(Note(time: .distantPast, number: 0, covered: 0))
                for state in older.states { try file.put(state) }
            }
            try setPresentFilesAside()
            // The reserved ids of version 4 have another format.
            try ReservedIDs(of: older.states).write(to: folder)
            try File.rename(new, to: folder.copies[0])
            opened = try open(isImport: true)
        } catch {
            for path in [folder.copies[0], folder.states, folder.log] { try? File.remove(path) }
            opened.content.states = older.states
            opened.obstacle = error
            opened.findings =
                older.findings + [
                    "\(folder.older) has version \(older.version), and cannot be migrated now: "
                        + "sends are refused (\(error))"
                ]
            return opened
        }
        let kept = "\(folder.older).v\(older.version)"
        try File.rename(folder.older, to: kept)
        try File.syncFolder(folder.path)
        opened.findings =
            older.findings + opened.findings + ["\(folder.older) was read, and is kept as \(kept)"]
        return opened
    }

    /// Replaces the store with these states, as of an entry of another log.
    ///
    /// - Parameter keepsOld: true: the old files are set aside; false: they are removed.
    func replace(
        _ states: [SavedState], covered: Int, time: Instant, keepsOld: Bool
    ) throws(StoreError) {
        try makeFile("\(folder.states).new", Schema.states) { file throws(StoreError) in
            try file.put(Note(time: time, number: covered, covered: covered))
            for state in states { try file.put(state) }
        }
        try makeFile("\(folder.log).new", Schema.log) { _ in }
        if keepsOld {
            try setPresentFilesAside()
        } else {
            for path in folder.copies + [folder.log, folder.states] { try File.remove(path) }
        }
        for path in [folder.log, folder.states] { try File.rename("\(path).new", to: path) }
        try File.syncFolder(folder.path)
    }

    private func setPresentFilesAside() throws(StoreError) {
        for path in folder.copies + [folder.states, folder.log] {
            guard try StoreFolder.size(of: path) != nil else { continue }
            _ = try setAside(path, "replaced")
            try File.remove(path)
        }
    }

    /// Sets aside a write-ahead log (WAL) of an earlier file, which SQLite would apply to a backup.
    /// The header of a backup says that it has no WAL; see "File format version numbers" in
    /// https://sqlite.org/fileformat2.html.
    private func setForeignWALAside() throws(StoreError) {
        let wal = StoreFolder.wal(of: folder.older)
        guard try File.size(wal) ?? 0 > 0,
            File.read(folder.older, most: 20)?.suffix(2) == [1, 1]
        else { return }
        let aside = StoreFolder.unusedName(folder.older, "replaced")
        try File.rename(wal, to: StoreFolder.wal(of: aside))
        try File.syncFolder(folder.path)
    }
}
