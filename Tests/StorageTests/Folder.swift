import Glibc
import Testing

/// A folder of its own for a store, removed with all that is in it.
final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/busd-store-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    deinit {
        for name in names { unlink(self(name)) }
        rmdir(path)
    }

    var database: String { self("store.sqlite") }
    var log: String { self("store.sqlite-wal") }
    var ids: String { self("store.ids") }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    var names: [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }
}

// Files as bytes, for tests that damage them.

func bytes(of path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    try #require(file >= 0, "\(path) can't be read")
    defer { close(file) }
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(file, &part, part.count)
        guard count > 0 else { return all }
        all += part[..<count]
    }
}

func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(file >= 0, "\(path) can't be written")
    defer { close(file) }
    let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    try #require(count == bytes.count)
}

func mode(of path: String) throws -> mode_t {
    var about = stat()
    try #require(stat(path, &about) == 0, "\(path) is not there")
    return about.st_mode & 0o7777
}
