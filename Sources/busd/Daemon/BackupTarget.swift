import BusdEventLoop
import BusdFiles
import BusdStorage
import Glibc

/// The target of `busd backup`: a name in a folder. The folder stays open, so it has no effect if
/// another user replaces the folder meanwhile.
///
/// The copy gets its name when it is complete and on the disk. Until then it has a random name, and
/// is made exclusively, so that no link, FIFO or file of another user is opened.
struct BackupTarget {
    let path: String
    private let name: String
    private let folder: OpenFolder

    /// - Parameter store: the folder of the store, in which a copy is refused.
    init(_ path: String, outside store: String) throws(StartError) {
        self.path = path
        name = lastName(of: path)
        guard !["", ".", ".."].contains(name) else {
            throw StartError("\(path) is a folder: name a file")
        }
        do {
            folder = try OpenFolder(parentFolder(of: path))
        } catch {
            throw Self.failure(path, error)
        }
        try requireOutside(store)
        try requireReplaceable()
    }

    private func requireOutside(_ store: String) throws(StartError) {
        var (own, other) = (stat(), stat())
        guard stat(store, &own) == 0, fstat(folder.descriptor.number, &other) == 0,
            own.st_dev == other.st_dev, own.st_ino == other.st_ino
        else { return }
        throw StartError("\(path) is in the folder of the store: name a file in another folder")
    }

    private func requireReplaceable() throws(StartError) {
        var (old, parent) = (stat(), stat())
        guard fstatat(folder.descriptor.number, name, &old, AT_SYMLINK_NOFOLLOW) == 0 else {
            return
        }
        guard old.st_mode & S_IFMT == S_IFREG else {
            throw StartError("\(path) exists and is not a regular file: name another file")
        }
        guard old.st_size == 0 || isDatabase else {
            throw StartError("\(path) exists and is no backup: name another file")
        }
        guard fstat(folder.descriptor.number, &parent) == 0, parent.st_mode & S_ISVTX != 0 else {
            return
        }
        let owners = [0, old.st_uid, parent.st_uid]
        guard owners.contains(geteuid()) else {
            throw StartError(
                "\(path) belongs to user \(old.st_uid), and only this user may replace it: "
                    + "name another file")
        }
    }

    /// Whether the file at the target is a database. Another file is not replaced: its name may be
    /// a slip.
    private var isDatabase: Bool {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = Descriptor(file: openat(folder.descriptor.number, name, flags))
        var head = Store.databaseMark.map { _ in UInt8(0) }
        return pread(file.number, &head, head.count, 0) == head.count && head == Store.databaseMark
    }

    /// Moves the file to the target if the caller owns it and it is on the same file system, else
    /// copies its bytes.
    /// - Parameter source: the file at `made`.
    func take(_ source: Descriptor, at made: String) throws(StartError) {
        if source.status.st_uid == geteuid() {
            let folder = folder.descriptor
            if renameat(AT_FDCWD, made, folder.number, name) == 0 {
                return try orFail { () throws(SystemError) in try folder.sync() }
            }
            let code = errno
            guard code == EXDEV else {
                throw failure(SystemError(code: code, function: "rename"))
            }
        }
        try copy(source)
    }

    /// Signals are held only while the unfinished file exists. A signal that arrives meanwhile ends
    /// the process as soon as this file is removed.
    private func copy(_ source: Descriptor) throws(StartError) {
        var signals = HeldSignals()
        defer { signals.release() }
        let partial = ".busd-\(UInt64.random(in: 0 ... .max))"
        try folder.replace(name, by: partial, failure: failure) { target throws(StartError) in
            let isWhole = try orFail { () throws(SystemError) in
                try source.copyAll(to: target) { signals.isPending }
            }
            if !isWhole { throw StartError("\(path): interrupted") }
        }
    }

    private func orFail<Value>(
        _ body: () throws(SystemError) -> Value
    ) throws(StartError) -> Value {
        do { return try body() } catch { throw failure(error) }
    }

    private func failure(_ error: SystemError) -> StartError { Self.failure(path, error) }

    private static func failure(_ path: String, _ error: SystemError) -> StartError {
        StartError("\(path): \(error.folderProblem(in: path) ?? error.reason)")
    }
}
