package import BusdEventLoop
import BusdFiles
import BusdProtocol
import Glibc

// A backup that replaces a store. It first gets a name of its own in the folder of the store, where
// it is checked; nothing else changes until then.

extension Store {
    /// Copies a backup into the folder of a store, and checks it there. A missing folder is made.
    ///
    /// - Parameter backup: an open regular file, at its beginning.
    /// - Throws: `unsuitable` if it is no undamaged backup; then it is not in the folder.
    package static func takeIn(
        _ backup: Descriptor, named path: String, folder: String, of daemon: StoreDaemon
    ) throws(StoreError) {
        let folder = StoreFolder(path: folder, daemon: daemon)
        try folder.make()
        try folder.requireOwn()
        let size = Int(widening: backup.status.st_size)
        // A start writes two databases, and keeps the backup.
        guard try File.free(in: folder.path) / 3 >= size else {
            throw .unsuitable(path: folder.path, reason: "needs \(size) free bytes three times")
        }
        try File.makeNew(folder.arriving)
        do {
            try copy(backup, path, to: folder.arriving)
            try requireBackup(folder.arriving, named: path, daemon)
        } catch {
            try? File.remove(folder.arriving)
            throw error
        }
    }

    private static func requireBackup(
        _ copy: String, named path: String, _ daemon: StoreDaemon
    ) throws(StoreError) {
        // See "File format version numbers" in https://sqlite.org/fileformat2.html.
        guard File.read(copy, most: 20)?.suffix(2) == [1, 1] else {
            throw .unsuitable(
                path: path, reason: "is no backup: name a file that the verb backup has made")
        }
        try daemon.requireOwn(copy, named: path)
        let findings: [String]
        do throws(StoreError) {
            findings = try check(copy: copy, kinds: daemon.kinds)
        } catch {
            if case .tooNew = error { throw error }
            findings = ["\(error)"]
        }
        guard findings.isEmpty else {
            let text = findings.joined(separator: "; ").replacing(copy, with: path)
            throw .unsuitable(
                path: path, reason: "is damaged, or no backup: choose another one (\(text))")
        }
    }

    private static func copy(
        _ backup: Descriptor, _ path: String, to target: String
    ) throws(StoreError) {
        let file = try File.open(target, O_WRONLY)
        do {
            _ = try backup.copyAll(to: file)
        } catch {
            let culprit = error.function.isExactly("read") ? path : target
            throw .file(path: culprit, function: error.function, code: error.code)
        }
        try onFile(target, file.sync)
    }

    /// Removes the backup that was taken in.
    package static func removeTakenIn(folder: String) throws(StoreError) {
        try File.remove(StoreFolder(path: folder).arriving)
    }

    /// Puts the backup that was taken in where the next start reads it. The caller has the store
    /// open, or its lock.
    package static func putBackAtNextStart(folder: String) throws(StoreError) {
        let folder = StoreFolder(path: folder)
        try File.rename(folder.arriving, to: folder.backup)
        try File.syncFolder(folder.path)
    }

    /// Whether a backup was taken in, and not put back yet.
    package static func hasTakenIn(folder: String) -> Bool {
        File.exists(StoreFolder(path: folder).arriving)
    }

    /// Whether the next start would read a backup, and set the present files aside.
    package static func awaitsStart(folder: String) -> Bool {
        File.exists(StoreFolder(path: folder).backup)
    }

    /// Replaces the store with the backup that was taken in, if no daemon has it open.
    ///
    /// - Returns: the findings of the start that reads it.
    package static func putBack(
        folder path: String, of daemon: StoreDaemon
    ) throws(StoreError) -> [String] {
        do {
            let lock = try FolderLock(StoreFolder(path: path))
            defer { withExtendedLifetime(lock) {} }
            try putBackAtNextStart(folder: path)
        }
        let store = try Store(folder: path, durability: .full, of: daemon) {}
        store.close()
        return store.findings
    }
}
