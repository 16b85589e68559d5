import Synchronization
import TestSupport

@testable import BusdStorage

/// Copies of a folder's files before each write, as a kill at that moment leaves them.
final class WriteSnapshots: Sendable {
    struct Snapshot: Sendable {
        let files: [(name: String, bytes: [UInt8])]
        /// The number of changes that had been answered before.
        let answered: Int

        func folder() throws -> Folder {
            let folder = try Folder()
            for file in files { try write(file.bytes, to: folder(file.name)) }
            return folder
        }
    }

    private struct Content: Sendable {
        var snapshots: [Snapshot] = []
        var answered = 0
    }

    private let content = Mutex(Content())

    init(_ folder: Folder) {
        let names = ["log.sqlite", "state.sqlite"].flatMap { [$0, "\($0)-wal"] } + ["store.ids"]
        let path = folder.path
        folder.watch { [self] in
            let answered = answered
            func read() -> [(name: String, bytes: [UInt8])] {
                names.compactMap { name in
                    BusdStorage.File.read("\(path)/\(name)", most: 1 << 22).map { (name, $0) }
                }
            }
            // Another thread may write meanwhile, and the files would be of different moments.
            var (files, before) = (read(), read())
            while !files.elementsEqual(before, by: ==) { (files, before) = (read(), files) }
            content.withLock { $0.snapshots.append(Snapshot(files: files, answered: answered)) }
        }
    }

    var all: [Snapshot] { content.withLock { $0.snapshots } }

    var answered: Int {
        get { content.withLock { $0.answered } }
        set { content.withLock { $0.answered = newValue } }
    }
}
