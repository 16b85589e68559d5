import BusdProtocol

// `store.sqlite`: a backup that was put back under this name.

extension Opening {
    /// Renames the backup to the first verified copy, and makes new files from the copy. All other
    /// files are set aside. If the daemon is killed meanwhile, the next start continues.
    func openBackup() throws(StoreError) -> Opened {
        let path = folder.backup
        do throws(StoreError) {
            try setForeignWALAside()
            try verifyBackup()
            return try putBack()
        } catch  where error.isDamage {
            let aside = try setAside(path, "damaged")
            try File.remove(path)
            var opened = try open(isImport: false)
            opened.findings.insert("\(error); \(path) is kept as \(aside)", at: 0)
            return opened
        }
    }

    private func verifyBackup() throws(StoreError) {
        let file = try Database(path: folder.backup)
        try file.requireTables()
        let tables = try StateTables(of: file, folder.daemon.kinds)
        if let damage = tables.damage, tables.states.isEmpty { throw damage }
    }

    private func putBack() throws(StoreError) -> Opened {
        try setPresentFilesAside()
        try File.rename(folder.backup, to: folder.copies[0])
        try File.syncFolder(folder.path)
        var opened = try open(isImport: true)
        opened.findings.append("\(folder.backup) was restored, and is kept as \(folder.copies[0])")
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
        let wal = StoreFolder.wal(of: folder.backup)
        guard try File.size(wal) ?? 0 > 0,
            File.read(folder.backup, most: 20)?.suffix(2) == [1, 1]
        else { return }
        let aside = StoreFolder.unusedName(folder.backup, "replaced")
        try File.rename(wal, to: StoreFolder.wal(of: aside))
        try File.syncFolder(folder.path)
    }
}
