import Glibc

/// The files that the store looks after itself.
enum File {
    static let mode: mode_t = 0o600

    /// Bytes in the file; `nil` where there is none.
    static func size(_ path: String) throws(StoreError) -> Int? {
        var about = stat()
        guard stat(path, &about) == 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw StoreError.file(path: path, function: "stat", code: code)
        }
        guard about.st_mode & S_IFMT == S_IFREG else {
            throw StoreError.unsuitable(path: path, reason: "is not a regular file")
        }
        return Int(about.st_size)  // fits: both have 64 bits
    }

    /// Where the file is.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func mayBeWritten(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Makes the file where it is missing, and gives it its mode whatever the umask.
    static func make(_ path: String) throws(StoreError) {
        let file = try systemCall("open", path) { open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode) }
        defer { close(file) }
        try systemCall("fchmod", path) { fchmod(file, mode) }
    }

    /// Makes a file of these bytes, or puts it in place of one: after a crash there is one or the
    /// other, and when this returns it is on the disk.
    static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        let new = "\(path).new"
        try remove(new)
        try make(new)
        do {
            try write(bytes, to: new)
            try rename(new, to: path)
        } catch {
            try? remove(new)
            throw error
        }
        try sync(folder(of: path))
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let file = try systemCall("open", path) { open(path, O_WRONLY | O_CLOEXEC) }
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

    /// Shortens a file that is longer.
    static func cut(_ path: String, to bytes: Int) throws(StoreError) {
        guard let size = try size(path), size > bytes else { return }
        let file = try systemCall("open", path) { open(path, O_RDWR | O_CLOEXEC) }
        defer { close(file) }
        let length = off_t(bytes)  // fits: both have 64 bits
        try systemCall("ftruncate", path) { ftruncate(file, length) }
        try systemCall("fsync", path) { fsync(file) }
    }

    /// Lengthens a file with zeros.
    static func extend(_ path: String, to bytes: Int) throws(StoreError) {
        let length = off_t(bytes)  // fits: both have 64 bits
        try systemCall("truncate", path) { truncate(path, length) }
    }

    /// Lengthens a file with zeros that have their place on the disk, if so many times as much is
    /// free there.
    static func fill(_ path: String, to bytes: Int, where times: Int) throws(StoreError) {
        guard let size = try size(path), size < bytes else { return }
        let file = try systemCall("open", path) { open(path, O_WRONLY | O_CLOEXEC) }
        defer { close(file) }
        guard try free(file, path) / times >= bytes - size else { return }  // fits: times > 0
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var end = size
        while end < bytes {
            let start = off_t(end)  // fits: both have 64 bits
            let count = min(zeros.count, bytes - end)
            end += try systemCall("pwrite", path) { pwrite(file, zeros, count, start) }
        }
    }

    /// Bytes that the file system has left.
    private static func free(_ file: Int32, _ path: String) throws(StoreError) -> Int {
        var about = statvfs()
        try systemCall("fstatvfs", path) { fstatvfs(file, &about) }
        let (bytes, overflows) = about.f_bavail.multipliedReportingOverflow(by: about.f_frsize)
        return overflows ? .max : Int(clamping: bytes)
    }

    /// Waits until the file, or what a folder lists, is on the disk.
    static func sync(_ path: String) throws(StoreError) {
        let file = try systemCall("open", path) { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(file) }
        try systemCall("fsync", path) { fsync(file) }
    }

    static func rename(_ path: String, to other: String) throws(StoreError) {
        try systemCall("rename", other) { Glibc.rename(path, other) }
    }

    /// Gives the file a second name; where the file system has none, the only one.
    static func keep(_ path: String, as other: String) throws(StoreError) {
        if link(path, other) != 0 { try rename(path, to: other) }
    }

    static func removeIfEmpty(_ path: String) throws(StoreError) {
        if try size(path) == 0 { try remove(path) }
    }

    static func remove(_ path: String) throws(StoreError) {
        guard exists(path) else { return }
        try systemCall("unlink", path) { unlink(path) }
    }
}
