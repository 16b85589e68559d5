import Glibc

// A daemon takes the path of a socket in three steps:
//   1. It locks a file beside the path (flock: the lock ends with the process, so the file needs no
//      cleaning).
//   2. It examines the path. It removes a socket that no process holds, and gives up if anything
//      else is there.
//   3. It binds the path, which fails rather than replaces, and listens at once.
// Of two daemons, one succeeds. The path is the name that ss(8) and a client's getpeername(2) show.
// For a few microseconds between `bind` and `listen`, a client is refused as if no daemon ran.

struct SocketPath {
    static let longest = UnixAddress.longestPath

    let text: String

    init(_ text: String) throws(ListenError) {
        self.text = text
        if text.utf8.count > Self.longest { throw error(.pathTooLong(limit: Self.longest)) }
        if text.isEmpty || text.utf8.contains(0) { throw error(.unusablePath) }
    }

    /// Makes the folder of the path if it is missing, but not the folders above it.
    func makeFolder(mode: UInt32) throws(ListenError) {
        do {
            try check("mkdir") { mkdir(folder, mode) }
            try Self.setMode(mode, of: folder)
        } catch {
            if error.code != EEXIST { throw ListenError(path: folder, reason: .system(error)) }
        }
    }

    private var folder: String { parentFolder(of: text) }

    /// Throws if no socket can be made here, or if every user could replace it. Makes nothing.
    func verifyFolder() throws(ListenError) {
        let (folder, mode) = (folder, W_OK | X_OK)
        if let file = fileInPlaceOfFolder(in: text) {
            throw ListenError(
                path: file, reason: .unsuitable("is not a folder: choose another path"))
        }
        var about = stat()
        do {
            guard stat(folder, &about) == 0 else {
                let parent = parentFolder(of: folder)
                try check("mkdir") { faccessat(AT_FDCWD, parent, mode, AT_EACCESS) }
                return
            }
            try check("access") { faccessat(AT_FDCWD, folder, mode, AT_EACCESS) }
        } catch {
            throw ListenError(path: folder, reason: .system(error))
        }
        guard about.st_mode & 0o002 != 0, about.st_mode & S_ISVTX == 0 else { return }
        throw ListenError(
            path: folder,
            reason: .unsuitable(
                "every user may write to the folder and replace the socket: run "
                    + "chmod o-w \(folder)"))
    }

    /// Sets the mode of a file that was just made, never of the target of a link.
    private static func setMode(_ mode: UInt32, of path: String) throws(SystemError) {
        var about = stat()
        try check("lstat") { lstat(path, &about) }
        guard about.st_mode & 0o7777 != mode else { return }
        if fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW) == 0 { return }
        // The C library needs /proc for that, and fails with the same error for a link.
        guard errno == EOPNOTSUPP, about.st_mode & S_IFMT != S_IFLNK else {
            throw SystemError(code: errno, function: "chmod")
        }
        try check("chmod") { chmod(path, mode) }
    }

    func lock() throws(ListenError) -> SocketLock {
        let path = text + ".lock"
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        do {
            let file = Descriptor(file: try check("open") { open(path, flags, 0o600) })
            try check("flock") { flock(file.number, LOCK_EX | LOCK_NB) }
            try Self.close(file)
            return SocketLock(file)
        } catch {
            if error.code == EWOULDBLOCK { throw self.error(.locked) }
            throw ListenError(path: path, reason: .system(error))
        }
    }

    /// Makes the lock file private, whatever the umask is. A file of another user, or with another
    /// link to it, keeps its mode.
    private static func close(_ file: Descriptor) throws(SystemError) {
        var about = stat()
        try check("fstat") { fstat(file.number, &about) }
        guard about.st_uid == geteuid(), about.st_nlink == 1 else { return }
        try check("fchmod") { fchmod(file.number, 0o600) }
    }

    /// Whether there is a socket that no process holds. Throws if there is anything else.
    func isStale() throws(ListenError) -> Bool {
        guard let found = try? FileIdentity(of: text) else { return false }
        if found.kind != S_IFSOCK { throw error(.occupied(by: Self.name(of: found.kind))) }
        switch connectUnix(path: text) {
        case .failed(let failure) where failure.code == EPROTOTYPE: throw error(.foreign)
        case .failed(let failure) where failure.code == ECONNREFUSED:
            // A stream socket that a process holds without listening refuses, too. `isHeld` finds
            // it, because the kernel checks the type of a socket first.
            if isHeld() { throw error(.foreign) }
            return true
        case .failed(let failure) where failure.code == ENOENT: return false
        case .failed(let failure): throw error(.system(failure))
        case .connected, .backlogFull: throw error(.live)
        }
    }

    /// Whether a process holds the stream socket at the path.
    private func isHeld() -> Bool {
        if case .failed(let failure) = connectUnix(path: text, SOCK_DGRAM) {
            failure.code == EPROTOTYPE
        } else {
            true
        }
    }

    func remove() throws(ListenError) {
        do {
            try check("unlink") { unlink(text) }
        } catch {
            throw self.error(.system(error))
        }
    }

    /// May only be called if nothing has the name. Removes the file that it made if it fails.
    func listen(mode: UInt32) throws(ListenError) -> (Descriptor, FileIdentity) {
        do throws(SystemError) {
            let socket = try bind(mode: mode)
            do throws(SystemError) {
                try check("listen") { Glibc.listen(socket.number, 4096) }
                // The umask may have cleared bits.
                try Self.setMode(mode, of: text)
                return (socket, try FileIdentity(of: text))
            } catch {
                unlink(text)
                throw error
            }
        } catch {
            throw self.error(.system(error))
        }
    }

    // The kernel gives the file the mode of the socket, less the umask. So the mode is never looser
    // than `mode`, and the umask, which belongs to the whole process, is not changed.
    func bind(mode: UInt32) throws(SystemError) -> Descriptor {
        let address = try UnixAddress(path: text)
        let socket = try unixSocket(SOCK_STREAM)
        try check("fchmod") { fchmod(socket.number, mode) }
        try check("bind") { address.withPointer { Glibc.bind(socket.number, $0, $1) } }
        return socket
    }

    private func error(_ reason: ListenError.Reason) -> ListenError {
        ListenError(path: text, reason: reason)
    }

    private static func name(of kind: mode_t) -> String {
        switch kind {
        case S_IFLNK: "a link"
        case S_IFREG: "a file"
        case S_IFDIR: "a folder"
        case S_IFIFO: "a FIFO"
        default: "a device"
        }
    }
}
