import BusdEventLoop
import BusdProtocol
import Glibc

/// Keeps a second daemon away from a store; the kernel releases the lock when the program ends.
///
/// There are two locks on the file. The lock of flock(2) belongs to the open file, and decides. The
/// lock of fcntl(2) belongs to the process, so that the kernel can name the process.
package final class FolderLock: Sendable {
    private let file: Descriptor

    /// - Parameter isReadOnly: the file is there, and cannot be written.
    init(_ folder: StoreFolder, isReadOnly: Bool = false) throws(StoreError) {
        let path = folder.lock
        let file = try File.open(path, isReadOnly ? O_RDONLY : O_RDWR | O_CREAT)
        self.file = file
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            guard code == EWOULDBLOCK else {
                throw StoreError.file(path: path, function: "flock", code: code)
            }
            throw StoreError.inUse(path: folder.path, process: Self.holder(file))
        }
        if isReadOnly { return }
        try systemCall("fchmod", path) { fchmod(file.number, File.mode) }
        var lock = Self.wholeFile
        _ = fcntl(file.number, F_SETLK, &lock)
    }

    deinit {
        // Explicitly, because a child process that is about to start may have the descriptor, too.
        _ = flock(file.number, LOCK_UN)
    }

    private static func holder(_ file: Descriptor) -> Int? {
        var lock = wholeFile
        guard fcntl(file.number, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0
        else {
            return nil
        }
        return Int(widening: lock.l_pid)
    }

    private static var wholeFile: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }
}
