import BusdEventLoop
import BusdRedisLog
import BusdStorage
import Glibc

/// The house that a store belongs to: the file `house` in its folder, with the name and the
/// identity of the house.
struct HouseMark: Equatable, Sendable {
    let name: String
    let identity: String
    /// The store must be replaced with the states of the house. The file then has a third line,
    /// `load`.
    var mustLoad = false

    private static let load = "load"

    private static func path(in folder: String) -> String { "\(folder)/house" }

    init(_ house: HouseName, identity: String) {
        (name, self.identity) = (house.description, identity)
    }

    /// `nil`: the store belongs to no house.
    ///
    /// - Throws: `StartError` if the file cannot be read.
    init?(in folder: String) throws {
        let path = Self.path(in: folder)
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            let error = SystemError(code: errno, function: "open")
            throw StartError("\(path): \(error.folderProblem(in: path) ?? error.reason)")
        }
        let descriptor = Descriptor(file: file)
        var bytes = [UInt8](repeating: 0, count: 256)
        guard case .bytes(let count) = bytes.withUnsafeMutableBytes({ descriptor.read(into: $0) })
        else { throw StartError("\(path) is empty: write it anew, or remove it") }
        let lines = bytes[..<count].split(separator: UInt8(ascii: "\n"))
        guard lines.count == 2 || lines.count == 3 && lines[2].elementsEqual(Self.load.utf8) else {
            throw StartError("\(path) is damaged")
        }
        mustLoad = lines.count == 3
        name = String(decoding: lines[0], as: UTF8.self)
        identity = String(decoding: lines[1], as: UTF8.self)
    }

    func write(in folder: String) throws {
        let (path, new) = (Self.path(in: folder), Self.path(in: folder) + ".new")
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StartError("\(new): \(String(cString: strerror(errno)))") }
        let descriptor = Descriptor(file: file)
        let bytes = Array("\(name)\n\(identity)\n\(mustLoad ? Self.load + "\n" : "")".utf8)
        guard case .bytes(bytes.count) = bytes.withUnsafeBytes({ descriptor.write($0) }),
            fsync(file) == 0, rename(new, path) == 0
        else { throw StartError("\(path): \(String(cString: strerror(errno)))") }
    }

    /// Notes that the store in a folder is damaged, before it is repaired.
    func noteDamage(in folder: String) -> @Sendable () throws(StoreError) -> Void {
        var mark = self
        mark.mustLoad = true
        return { [mark] () throws(StoreError) in
            do {
                try mark.write(in: folder)
            } catch {
                throw .unsuitable(path: folder, reason: "\(error)")
            }
        }
    }

    static func remove(in folder: String) throws {
        guard unlink(path(in: folder)) != 0, errno != ENOENT else { return }
        throw StartError("\(path(in: folder)): \(String(cString: strerror(errno)))")
    }
}
