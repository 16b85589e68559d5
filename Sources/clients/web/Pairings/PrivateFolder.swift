import BusdEventLoop
import BusdFiles
import BusdOptions
import Glibc

/// An open folder that only its owner, the user of this process, may enter. So no other user can
/// put a file into it. Links in it are not followed.
struct PrivateFolder {
    private let folder: OpenFolder
    var path: String { folder.path }

    /// `nil`: there is no such folder.
    init?(opening path: String, mayBeLink: Bool = false) throws(StateFault) {
        do {
            folder = try OpenFolder(path, followsLink: mayBeLink)
        } catch {
            if error.code == ENOENT { return nil }
            guard error.code == EACCES else { throw StateFault(path, error) }
            throw StateFault("\(path): \(error.reason): run this as root or as its owner")
        }
        do {
            try FolderFault.check(folder.descriptor.status)
        } catch {
            throw StateFault("\(path) \(error.reason(of: path, "busd-web"))")
        }
    }

    /// Makes the folder if it is missing, with the folders above it.
    init(making path: String, mayBeLink: Bool = false) throws(StateFault) {
        try? makePrivateFolder(path)
        guard let made = try Self(opening: path, mayBeLink: mayBeLink) else {
            throw StateFault("\(path): the folder cannot be made: name another one with --state")
        }
        self = made
    }

    /// The names in the folder, in no order.
    func names() throws(StateFault) -> [String] {
        try orFault(path) { () throws(SystemError) in try folder.names() }
    }

    /// Opens a regular file. `nil`: there is no such name, or it is something else, such as a link.
    func file(_ name: String, _ access: Int32) throws(StateFault) -> Descriptor? {
        do {
            return try Descriptor(opening: name, .own, access, in: folder.descriptor)
        } catch .system(let error) where error.code != ENOENT {
            throw StateFault("\(path)/\(name)", error)
        } catch {
            return nil
        }
    }

    /// The content of a regular file of at most `most` bytes.
    func read(_ name: String, most: Int) throws(FileFault) -> [UInt8] {
        try folder.read(name, most: most)
    }

    /// Replaces a file as `OpenFolder` does.
    func replace(_ name: String, with bytes: [UInt8]) throws(StateFault) {
        try orFault("\(path)/\(name)") { () throws(SystemError) in
            try folder.replace(name, with: bytes)
        }
    }

    /// Removes a file from the disk. False: there is none.
    @discardableResult
    func remove(_ name: String) throws(StateFault) -> Bool {
        try orFault("\(path)/\(name)") { () throws(SystemError) in try folder.remove(name) }
    }

    /// Calls `body` while no other process, and no other opening of this folder, is in `locked`.
    ///
    /// - Parameter waits: if false, a locked folder is a fault with the status `tryAgain`.
    func locked<Value>(
        waits: Bool, _ body: () throws(StateFault) -> Value
    ) throws(StateFault) -> Value {
        let number = folder.descriptor.number
        do throws(SystemError) {
            try check("flock") { flock(number, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }
        } catch {
            guard error.code == EWOULDBLOCK else { throw StateFault(path, error) }
            throw StateFault("\(path) is in use: try again", .tryAgain)
        }
        defer { flock(number, LOCK_UN) }
        return try body()
    }

    private func orFault<Value>(
        _ path: String, _ body: () throws(SystemError) -> Value
    ) throws(StateFault) -> Value {
        do { return try body() } catch { throw StateFault(path, error) }
    }
}
