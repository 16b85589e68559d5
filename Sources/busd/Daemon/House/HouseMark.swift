import BusdEventLoop
import BusdFiles
import BusdRedisLog
import BusdStorage

/// The house that a store belongs to: the file `house` in its folder, with the name and the
/// identity of the house.
struct HouseMark: Equatable, Sendable {
    let name: String
    let identity: String
    /// The store must be replaced with the states of the house. The file then has a third line,
    /// `load`.
    var mustLoad = false

    private static let load = "load"

    private static let file = "house"

    init(_ house: HouseName, identity: String) {
        (name, self.identity) = (house.description, identity)
    }

    /// `nil`: the store belongs to no house.
    ///
    /// - Throws: `StartError` if the file cannot be read.
    init?(in folder: String) throws {
        let path = "\(folder)/\(Self.file)"
        let bytes: [UInt8]
        do {
            bytes = try readFile(path, most: 256, .own)
        } catch {
            if error.isMissing { return nil }
            let reason = error.reason(of: path)
            if case .system = error { throw StartError("\(path): \(reason)") }
            throw StartError("\(path) \(reason): write it anew, or remove it")
        }
        if bytes.isEmpty { throw StartError("\(path) is empty: write it anew, or remove it") }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.count == 2 || lines.count == 3 && lines[2].elementsEqual(Self.load.utf8) else {
            throw StartError("\(path) is damaged")
        }
        mustLoad = lines.count == 3
        name = String(decoding: lines[0], as: UTF8.self)
        identity = String(decoding: lines[1], as: UTF8.self)
    }

    func write(in folder: String) throws {
        let content = "\(name)\n\(identity)\n\(mustLoad ? Self.load + "\n" : "")"
        try Self.change(folder) { folder throws(SystemError) in
            try folder.replace(Self.file, with: Array(content.utf8))
        }
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
        try change(folder) { folder throws(SystemError) in try folder.remove(file) }
    }

    private static func change<Value>(
        _ folder: String, _ body: (OpenFolder) throws(SystemError) -> Value
    ) throws {
        do {
            _ = try body(OpenFolder(folder))
        } catch {
            throw StartError("\(folder)/\(file): \(error.reason)")
        }
    }
}
