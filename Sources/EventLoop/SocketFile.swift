import Glibc

/// A listening Unix stream socket and its file. Dropping it removes the file, if it is still ours.
package final class SocketFile {
    package let socket: Descriptor
    private let path: SocketPath
    private let lock: SocketLock
    private let identity: FileIdentity

    /// `mode` holds the permission bits of the file; `folderMode`, those of its folder if that is
    /// made.
    package init(path: String, mode: UInt32, folderMode: UInt32 = 0o755) throws(ListenError) {
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

/// Locks a path against other daemons, for as long as this object exists.
final class SocketLock {
    private let file: Descriptor

    /// - Parameter file: locked.
    init(_ file: Descriptor) { self.file = file }

    // Unlocked explicitly: a child that is about to start may have the descriptor too.
    deinit { flock(file.number, LOCK_UN) }
}

/// Distinguishes a file from another one that gets its name later.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let node: ino_t
    let kind: mode_t

    /// Of the link itself, if the path is a link.
    init(of path: String) throws(SystemError) {
        var status = stat()
        try check("lstat") { lstat(path, &status) }
        device = status.st_dev
        node = status.st_ino
        kind = status.st_mode & S_IFMT
    }
}
