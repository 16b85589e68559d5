import Glibc
import TestSupport
import Testing

extension Folder {
    var log: String { self("log.sqlite") }
    var wal: String { self("log.sqlite-wal") }
    var states: String { self("state.sqlite") }
    var ids: String { self("store.ids") }

    /// The written part of the write-ahead log, without the zeros that make room.
    func writtenWAL() throws -> [UInt8] {
        let all = try bytes(of: wal)
        var end = min(32, all.count)
        // A frame begins with the number of its page, from 1.
        while end + 4120 <= all.count, all[end..<end + 4] != [0, 0, 0, 0] { end += 4120 }
        return Array(all[..<end])
    }
}

// Files as bytes, for tests that damage them.

func bytes(of path: String) throws -> [UInt8] {
    try #require(presentBytes(of: path), "\(path) can't be read")
}

/// `nil` if the file is missing.
func presentBytes(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
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
