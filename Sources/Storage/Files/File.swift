import BusdEventLoop
import BusdFiles
import BusdProtocol
import Glibc

/// The files that the store reads and writes without SQLite.
enum File {
    static let mode: mode_t = 0o600

    /// Bytes in a regular file; `nil` if nothing has that name.
    static func size(_ path: String) throws(StoreError) -> Int? {
        guard let status = try FileStatus(of: path) else { return nil }
        try status.requireRegular(path)
        return status.size
    }

    /// Opens a regular file only. It does not follow a symbolic link, and does not block on a FIFO.
    static func open(_ path: String, _ access: Int32) throws(StoreError) -> Descriptor {
        do {
            return try Descriptor(opening: path, .own, access)
        } catch .notRegular(let kind) {
            throw .notRegular(path, kind)
        } catch .system(let error) {
            throw .file(path: path, function: error.function, code: error.code)
        } catch {
            throw .unsuitable(path: path, reason: error.reason(of: path))
        }
    }

    /// True for a symbolic link, too, even if it leads nowhere.
    static func exists(_ path: String) -> Bool {
        faccessat(AT_FDCWD, path, F_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Whether the effective user may write the file.
    static func mayBeWritten(_ path: String) -> Bool {
        faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }

    /// Makes the file if it is missing, and sets its mode regardless of the umask.
    static func make(_ path: String) throws(StoreError) {
        let file = try open(path, O_RDWR | O_CREAT)
        try systemCall("fchmod", path) { fchmod(file.number, mode) }
    }

    /// Makes a new file, and replaces an older file, a link or a FIFO.
    static func makeNew(_ path: String) throws(StoreError) {
        try remove(path)
        let file = try open(path, O_RDWR | O_CREAT | O_EXCL)
        try systemCall("fchmod", path) { fchmod(file.number, mode) }
    }

    /// Shortens the file if it is longer.
    static func cut(_ path: String, to bytes: Int) throws(StoreError) {
        guard let size = try size(path), size > bytes else { return }
        let file = try open(path, O_RDWR)
        let length = off_t(widening: bytes)
        try systemCall("ftruncate", path) { ftruncate(file.number, length) }
        try onFile(path, file.sync)
    }

    /// Extends a file with zeros.
    static func extend(_ path: String, to bytes: Int) throws(StoreError) {
        let file = try open(path, O_RDWR)
        let length = off_t(widening: bytes)
        try systemCall("ftruncate", path) { ftruncate(file.number, length) }
    }

    /// Extends a file with zeros that take room on the disk, if `times` times the room is free.
    static func fill(_ path: String, to bytes: Int, where times: Int) throws(StoreError) {
        guard let size = try size(path), size < bytes else { return }
        let file = try open(path, O_WRONLY)
        let room = try free(in: parentFolder(of: path)) / times  // fits: it is not 0
        guard room >= bytes - size else { return }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var end = size
        while end < bytes {
            let start = off_t(widening: end)
            let count = min(zeros.count, bytes - end)
            end += try systemCall("pwrite", path) { pwrite(file.number, zeros, count, start) }
        }
    }

    /// Bytes that are free in the file system of a folder.
    static func free(in folder: String) throws(StoreError) -> Int {
        var about = statvfs()
        try systemCall("statvfs", folder) { statvfs(folder, &about) }
        let (bytes, overflows) = about.f_bavail.multipliedReportingOverflow(by: about.f_frsize)
        return overflows ? .max : Int(clamping: bytes)
    }

    /// The first bytes of a file; `nil` if it is empty, or cannot be read.
    static func read(_ path: String, most: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: most)
        guard let file = try? open(path, O_RDONLY),
            case .bytes(let count) = bytes.withUnsafeMutableBytes(file.read)
        else { return nil }
        return Array(bytes.prefix(count))
    }

    /// Waits until the file's content is on the disk.
    static func sync(_ path: String) throws(StoreError) {
        let file = try open(path, O_RDONLY)
        try onFile(path, file.sync)
    }

    /// Waits until the names in the folder are on the disk.
    static func syncFolder(_ path: String) throws(StoreError) {
        try onFile(path) { () throws(SystemError) in try OpenFolder(path).descriptor.sync() }
    }

    /// Replaces a file with a complete one, which SQLite has written. When this returns, the new
    /// content has the name on the disk.
    static func replace(_ path: String, by new: String) throws(StoreError) {
        try sync(new)
        try rename(new, to: path)
        try syncFolder(parentFolder(of: path))
    }

    static func rename(_ path: String, to other: String) throws(StoreError) {
        try systemCall("rename", other) { Glibc.rename(path, other) }
    }

    /// Gives the file a second name, or a new name if the file system has no hard links.
    static func keep(_ path: String, as other: String) throws(StoreError) {
        if link(path, other) != 0 { try rename(path, to: other) }
    }

    static func remove(_ path: String) throws(StoreError) {
        guard exists(path) else { return }
        try systemCall("unlink", path) { unlink(path) }
    }
}
