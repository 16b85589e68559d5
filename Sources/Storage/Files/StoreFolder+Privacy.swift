import Glibc

// A store's folder is private: its owner is the user of this process, and no other user may enter
// it. So no other user can replace a file between a check and its use, and paths in the folder are
// safe. The mode of a folder is set only when busd makes it.
extension StoreFolder {
    private static let mode: mode_t = 0o700

    /// Makes the folder if it is missing, with the folders above it; else verifies it.
    func make() throws(StoreError) {
        for slash in path.utf8.indices.dropFirst() where path.utf8[slash] == UInt8(ascii: "/") {
            // If a folder cannot be made here, making the next one fails.
            _ = try? Self.make(String(path[..<slash]))
        }
        _ = try Self.make(path)
        try verify()
    }

    /// Returns false if the name is in use.
    private static func make(_ path: String) throws(StoreError) -> Bool {
        guard mkdir(path, mode) == 0 else {
            let code = errno
            if code == EEXIST { return false }
            throw StoreError.file(path: path, function: "mkdir", code: code)
        }
        // The umask may have cleared bits of the owner, too.
        if let made = try FileStatus(of: path), made.mode & 0o777 != mode {
            try systemCall("chmod", path) { chmod(path, mode) }
        }
        try? File.syncFolder(File.folder(of: path))
        return true
    }

    /// Throws unless the folder is private, and its files are regular files of its owner. Changes
    /// nothing. A missing folder passes.
    func verify() throws(StoreError) {
        var about = stat()
        guard stat(path, &about) == 0 else {
            let code = errno
            if code == ENOENT { return }
            throw .file(path: path, function: "stat", code: code)
        }
        guard about.st_mode & S_IFMT == S_IFDIR else {
            throw unsuitable("is not a folder: name a folder with --state")
        }
        guard about.st_uid == geteuid() else {
            throw unsuitable(
                "belongs to user \(about.st_uid), and busd runs as user \(geteuid()): "
                    + "run busd as user \(about.st_uid), or name another folder with --state")
        }
        guard about.st_mode & 0o077 == 0 else {
            let mode = String(about.st_mode & 0o777, radix: 8)
            throw unsuitable(
                "is open to other users (mode \(mode)): if it is only for busd, run "
                    + "chmod 700 \(path)")
        }
        for file in files { try verify(file) }
    }

    private func verify(_ file: String) throws(StoreError) {
        guard let status = try FileStatus(of: file) else { return }
        try status.requireRegular(file)
        guard status.owner == geteuid() else {
            throw .unsuitable(
                path: file,
                reason: "belongs to user \(status.owner), not to user \(geteuid()), the owner of "
                    + "its folder: run chown \(geteuid()) \(file)")
        }
    }

    private func unsuitable(_ reason: String) -> StoreError {
        .unsuitable(path: path, reason: reason)
    }
}
