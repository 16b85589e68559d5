import Glibc

/// A listening Unix stream socket and its file. Dropping it removes the file, if it is still ours.
final class SocketFile {
    let socket: Descriptor
    private let path: SocketPath
    private let lock: SocketLock
    private let identity: FileIdentity

    /// `mode` holds the permission bits of the file, `folderMode` those of its folder, where that
    /// is missing.
    init(path: String, mode: UInt32, folderMode: UInt32) throws(ListenError) {
        self.path = try SocketPath(path)
        _ = try self.path.isStale()
        try self.path.verifyFolder()
        try self.path.makeFolder(mode: folderMode)
        lock = try self.path.lock()
        if try self.path.isStale() { try self.path.remove() }
        (socket, identity) = try self.path.listen(mode: mode)
    }

    deinit {
        if (try? FileIdentity(of: path.text)) == identity { unlink(path.text) }
    }
}

/// Keeps other daemons away from a path, for as long as it is there.
final class SocketLock {
    private let file: Descriptor

    /// - Parameter file: locked.
    init(_ file: Descriptor) { self.file = file }

    // Said aloud, because a child that is about to start may have the descriptor too.
    deinit { flock(file.number, LOCK_UN) }
}

/// What tells a file from another one that got its name later.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let node: ino_t
    let kind: mode_t

    /// Of the file itself, where it is a link.
    init(of path: String) throws(SystemError) {
        var status = stat()
        try check("lstat") { lstat(path, &status) }
        device = status.st_dev
        node = status.st_ino
        kind = status.st_mode & S_IFMT
    }
}
