import BusdEventLoop
import Glibc

/// The target of `busd backup`: a name in a folder. The folder stays open, so it has no effect if
/// another user replaces the folder meanwhile.
///
/// The copy gets its name when it is complete and on the disk. Until then it has a random name, and
/// is made exclusively, so that no link, FIFO or file of another user is opened.
struct BackupTarget {
    let path: String
    private let name: String
    private let folder: Descriptor

    /// - Parameter store: the folder of the store, in which a copy is refused.
    init(_ path: String, outside store: String) throws(StartError) {
        self.path = path
        name = lastName(of: path)
        guard !["", ".", ".."].contains(name) else {
            throw StartError("\(path) is a folder: name a file")
        }
        let number = open(parentFolder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw Self.failure(path) }
        folder = Descriptor(file: number)
        try requireOutside(store)
        try requireReplaceable()
    }

    private func requireOutside(_ store: String) throws(StartError) {
        var (own, other) = (stat(), stat())
        guard stat(store, &own) == 0, fstat(folder.number, &other) == 0,
            own.st_dev == other.st_dev, own.st_ino == other.st_ino
        else { return }
        throw StartError("\(path) is in the folder of the store: name a file in another folder")
    }

    private func requireReplaceable() throws(StartError) {
        var (old, parent) = (stat(), stat())
        guard fstatat(folder.number, name, &old, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        guard old.st_mode & S_IFMT == S_IFREG else {
            throw StartError("\(path) exists and is not a regular file: name another file")
        }
        guard fstat(folder.number, &parent) == 0, parent.st_mode & S_ISVTX != 0 else { return }
        let owners = [0, old.st_uid, parent.st_uid]
        guard owners.contains(geteuid()) else {
            throw StartError(
                "\(path) belongs to user \(old.st_uid), and only this user may replace it: "
                    + "name another file")
        }
    }

    /// Moves the file to the target if the caller owns it and it is on the same file system, else
    /// copies its bytes.
    /// - Parameter source: the file at `made`.
    func take(_ source: Descriptor, at made: String) throws(StartError) {
        var about = stat()
        guard fstat(source.number, &about) == 0 else { throw Self.failure(path) }
        if about.st_uid == geteuid() {
            if renameat(AT_FDCWD, made, folder.number, name) == 0 { return try sync() }
            guard errno == EXDEV else { throw Self.failure(path) }
        }
        try copy(source)
    }

    /// Signals are held only while the unfinished file exists. A signal that arrives meanwhile ends
    /// the process as soon as this file is removed.
    private func copy(_ source: Descriptor) throws(StartError) {
        var signals = HeldSignals()
        defer { signals.release() }
        let partial = ".busd-\(UInt64.random(in: 0 ... .max))"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = openat(folder.number, partial, flags, 0o600)
        guard number >= 0 else { throw Self.failure(path) }
        let target = Descriptor(file: number)
        do throws(StartError) {
            try transfer(source, target, signals)
            guard fchmod(number, 0o600) == 0, fsync(number) == 0,
                renameat(folder.number, partial, folder.number, name) == 0
            else { throw Self.failure(path) }
        } catch {
            unlinkat(folder.number, partial, 0)
            throw error
        }
        try sync()
    }

    private func sync() throws(StartError) {
        if fsync(folder.number) != 0 { throw Self.failure(path) }
    }

    private func transfer(
        _ source: Descriptor, _ target: Descriptor, _ signals: HeldSignals
    ) throws(StartError) {
        let size = 1 << 16
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            if signals.isPending { throw StartError("\(path): interrupted") }
            switch source.read(into: buffer) {
            case .bytes(let count):
                try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target)
            case .ended: return
            case .wouldBlock, .failed: throw Self.failure(path)
            }
        }
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer, to target: Descriptor
    ) throws(StartError) {
        var rest = bytes
        while !rest.isEmpty {
            guard case .bytes(let count) = target.write(rest) else { throw Self.failure(path) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private static func failure(_ path: String) -> StartError {
        let error = SystemError(code: errno, function: "open")
        return StartError("\(path): \(error.folderProblem(in: path) ?? error.reason)")
    }
}
