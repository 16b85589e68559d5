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
    static func open(_ path: String, _ flags: Int32) throws(StoreError) -> Int32 {
        let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file: Int32
        do {
            file = try systemCall("open", path) { Glibc.open(path, flags, mode) }
        } catch {
            try FileStatus(of: path)?.requireRegular(path)
            throw error
        }
        do {
            try FileStatus(of: file, path).requireRegular(path)
        } catch {
            close(file)
            throw error
        }
        return file
    }

    /// The folder of the file.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
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
        defer { close(file) }
        try systemCall("fchmod", path) { fchmod(file, mode) }
    }

    /// Makes a new file, and replaces an older file, a link or a FIFO.
    static func makeNew(_ path: String) throws(StoreError) {
        try remove(path)
        let file = try open(path, O_RDWR | O_CREAT | O_EXCL)
        defer { close(file) }
        try systemCall("fchmod", path) { fchmod(file, mode) }
    }

    /// Writes a file, and replaces an older one. After a crash the old or the new file is there.
    /// When this returns, the new file is on the disk.
    static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        let new = "\(path).new"
        try makeNew(new)
        do {
            try write(bytes, to: new)
            try rename(new, to: path)
        } catch {
            try? remove(new)
            throw error
        }
        try syncFolder(folder(of: path))
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let file = try open(path, O_WRONLY)
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try systemCall("write", path) {
                rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
        try systemCall("fsync", path) { fsync(file) }
    }

    /// Shortens the file if it is longer.
    static func cut(_ path: String, to bytes: Int) throws(StoreError) {
        guard let size = try size(path), size > bytes else { return }
        let file = try open(path, O_RDWR)
        defer { close(file) }
        let length = off_t(widening: bytes)
        try systemCall("ftruncate", path) { ftruncate(file, length) }
        try systemCall("fsync", path) { fsync(file) }
    }

    /// Extends a file with zeros.
    static func extend(_ path: String, to bytes: Int) throws(StoreError) {
        let file = try open(path, O_RDWR)
        defer { close(file) }
        let length = off_t(widening: bytes)
        try systemCall("ftruncate", path) { ftruncate(file, length) }
    }

    /// Extends a file with zeros that take room on the disk, if `times` times the room is free.
    static func fill(_ path: String, to bytes: Int, where times: Int) throws(StoreError) {
        guard let size = try size(path), size < bytes else { return }
        let file = try open(path, O_WRONLY)
        defer { close(file) }
        let room = try free(in: folder(of: path)) / times  // fits: it is not 0
        guard room >= bytes - size else { return }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var end = size
        while end < bytes {
            let start = off_t(widening: end)
            let count = min(zeros.count, bytes - end)
            end += try systemCall("pwrite", path) { pwrite(file, zeros, count, start) }
        }
    }

    /// Bytes that are free in the file system of a folder.
    static func free(in folder: String) throws(StoreError) -> Int {
        var about = statvfs()
        try systemCall("statvfs", folder) { statvfs(folder, &about) }
        let (bytes, overflows) = about.f_bavail.multipliedReportingOverflow(by: about.f_frsize)
        return overflows ? .max : Int(clamping: bytes)
    }

    /// The first bytes of a file; `nil` if it cannot be read.
    static func read(_ path: String, most: Int) -> [UInt8]? {
        guard let file = try? open(path, O_RDONLY) else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: most)
        guard let count = try? systemCall("read", path, { Glibc.read(file, &bytes, most) }) else {
            return nil
        }
        return Array(bytes.prefix(count))
    }

    /// Waits until the file's content is on the disk.
    static func sync(_ path: String) throws(StoreError) {
        let file = try open(path, O_RDONLY)
        defer { close(file) }
        try systemCall("fsync", path) { fsync(file) }
    }

    /// Waits until the names in the folder are on the disk.
    static func syncFolder(_ path: String) throws(StoreError) {
        let folder = try systemCall("open", path) {
            Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        defer { close(folder) }
        try systemCall("fsync", path) { fsync(folder) }
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
