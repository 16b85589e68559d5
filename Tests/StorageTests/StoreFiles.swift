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
