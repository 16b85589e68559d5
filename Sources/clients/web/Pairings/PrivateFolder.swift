import BusdEventLoop
import BusdOptions
import BusdProtocol
import Glibc

/// An open folder that only its owner, the user of this process, may enter. So no other user can
/// put a file into it. Links in it are not followed.
struct PrivateFolder {
    private static let mode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600

    let path: String
    private let folder: Descriptor

    /// `nil`: there is no such folder.
    init?(opening path: String, mayBeLink: Bool = false) throws(StateFault) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (mayBeLink ? 0 : O_NOFOLLOW)
        do throws(SystemError) {
            folder = Descriptor(file: try check("open") { open(path, flags) })
        } catch {
            if error.code == ENOENT { return nil }
            guard error.code == EACCES else { throw StateFault(path, error) }
            throw StateFault("\(path): \(error.reason): run this as root or as its owner")
        }
        self.path = path
        var about = stat()
        guard fstat(folder.number, &about) == 0, about.st_uid == geteuid() else {
            throw StateFault(
                "\(path) belongs to user \(about.st_uid), and this process runs as user "
                    + "\(geteuid()): run busd-web as that user, or name a folder with --state")
        }
        guard about.st_mode & 0o077 == 0 else {
            let mode = String(about.st_mode & 0o777, radix: 8)
            throw StateFault(
                "\(path) is open to other users (mode \(mode)): if it is only for busd-web, run "
                    + "chmod 700 \(path)")
        }
    }

    /// Makes the folder if it is missing, with the folders above it.
    init(making path: String, mayBeLink: Bool = false) throws(StateFault) {
        for slash in path.utf8.indices.dropFirst() where path.utf8[slash] == UInt8(ascii: "/") {
            Self.make(String(path[..<slash]))
        }
        Self.make(path)
        guard let made = try Self(opening: path, mayBeLink: mayBeLink) else {
            throw StateFault("\(path): the folder cannot be made: name another one with --state")
        }
        self = made
    }

    /// Makes a folder if its name is free. If that fails, opening the folder fails, too.
    private static func make(_ path: String) {
        guard mkdir(path, mode) == 0 else { return }
        // The umask may have cleared bits of the owner.
        chmod(path, mode)
        let parent = Descriptor(file: open(parentFolder(of: path), O_RDONLY | O_CLOEXEC))
        fsync(parent.number)
    }

    /// The names in the folder, in no order.
    func names() throws(StateFault) -> [String] {
        let number = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard let stream = fdopendir(number) else {
            defer { close(number) }
            throw StateFault(path, SystemError(code: errno, function: "fdopendir"))
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { name in
                    String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    // MARK: Files

    enum Content: Equatable {
        case missing
        /// It is not a regular file, or too long.
        case unusable(String)
        case bytes([UInt8])
    }

    /// Opens a regular file. `nil`: there is no such name, or it is something else, such as a link.
    func file(_ name: String, _ flags: Int32) throws(StateFault) -> Descriptor? {
        let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file: Descriptor
        do throws(SystemError) {
            let folder = folder
            file = Descriptor(
                file: try check("open") { openat(folder.number, name, flags, Self.fileMode) })
        } catch {
            if [ENOENT, ELOOP, EISDIR, ENXIO].contains(error.code) { return nil }
            throw StateFault("\(path)/\(name)", error)
        }
        var about = stat()
        return fstat(file.number, &about) == 0 && about.st_mode & S_IFMT == S_IFREG ? file : nil
    }

    /// The content of a regular file of at most `most` bytes.
    func read(_ name: String, most: Int) throws(StateFault) -> Content {
        guard let file = try file(name, O_RDONLY) else {
            return has(name) ? .unusable("is not a regular file") : .missing
        }
        var bytes = [UInt8](repeating: 0, count: most + 1)
        var count = 0
        while count < bytes.count {
            switch bytes.withUnsafeMutableBytes({
                file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
            }) {
            case .bytes(let more): count += more
            case .ended, .wouldBlock: return .bytes(Array(bytes[..<count]))
            case .failed(let error): throw StateFault("\(path)/\(name)", error)
            }
        }
        return .unusable("has more than \(most) bytes")
    }

    func has(_ name: String) -> Bool {
        var about = stat()
        return fstatat(folder.number, name, &about, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Writes a file in one step: after a crash, its readers see the old content or the new one.
    /// The new content is on the disk when this returns.
    func replace(_ name: String, with bytes: [UInt8]) throws(StateFault) {
        let new = Self.unfinished(name)
        let folder = folder
        unlinkat(folder.number, new, 0)
        do throws(SystemError) {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let file = Descriptor(
                file: try check("open") { openat(folder.number, new, flags, Self.fileMode) })
            try check("fchmod") { fchmod(file.number, Self.fileMode) }
            try file.write(all: bytes)
            try check("fsync") { fsync(file.number) }
            try check("rename") { renameat(folder.number, new, folder.number, name) }
            try check("fsync") { fsync(folder.number) }
        } catch {
            unlinkat(folder.number, new, 0)
            throw StateFault("\(path)/\(name)", error)
        }
    }

    /// The name of a file while it is written. After a crash, such a file may be left.
    static func unfinished(_ name: String) -> String { "\(name).new" }

    /// Removes the names that exist. Returns those, when they are gone from the disk.
    @discardableResult
    func remove(_ names: [String]) throws(StateFault) -> [String] {
        let folder = folder
        var removed: [String] = []
        for name in names {
            if unlinkat(folder.number, name, 0) == 0 {
                removed.append(name)
            } else if errno != ENOENT {
                throw StateFault(
                    "\(path)/\(name)", SystemError(code: errno, function: "unlink"))
            }
        }
        if !removed.isEmpty { fsync(folder.number) }
        return removed
    }

    /// Calls `body` while no other process, and no other opening of this folder, is in `locked`.
    ///
    /// - Parameter waits: if false, a locked folder is a fault with the status `tryAgain`.
    func locked<Value>(
        waits: Bool, _ body: () throws(StateFault) -> Value
    ) throws(StateFault) -> Value {
        let folder = folder
        do throws(SystemError) {
            try check("flock") { flock(folder.number, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }
        } catch {
            guard error.code == EWOULDBLOCK else { throw StateFault(path, error) }
            throw StateFault("\(path) is in use: try again", .tryAgain)
        }
        defer { flock(folder.number, LOCK_UN) }
        return try body()
    }
}

extension Descriptor {
    func write(all bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch rest.withUnsafeBytes(write) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .failed(let error): throw error
            case .ended, .wouldBlock: throw SystemError(code: EIO, function: "write")
            }
        }
    }
}
