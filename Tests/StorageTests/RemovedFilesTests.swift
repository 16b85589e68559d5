import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// Files that are removed or replaced while a store is open.
@Suite struct RemovedFilesTests {
    private let parent: Folder
    private let folder: Folder
    private let daemon: Daemon

    init() throws {
        parent = try Folder()
        folder = try Folder(in: parent.path)
        daemon = try Daemon(folder)
        #expect(try create() == .applied)
    }

    private func create() throws -> SendOutcome? { try daemon.create("a") }

    private var refusal: String {
        "sends are refused: \(folder.log) was removed or replaced while busd runs: put it back, or save "
            + "its content with 'busd backup FILE' and restart busd"
    }

    private var talliesAfterRestart: Int {
        get throws {
            daemon.close()
            return try Daemon(folder).tallies.count
        }
    }

    @Test func `without its database a store refuses commits, and a backup is complete`() throws {
        unlink(folder.log)
        for _ in 1...2 { #expect(try create() == .refused) }
        #expect(daemon.store.takeReports() == [refusal])
        try daemon.backup(to: parent("copy")).get()
        #expect(try Store.check(copy: parent("copy")) == [])
        daemon.close()
        rename(parent("copy"), folder("store.sqlite"))
        #expect(try Daemon(folder).tallies.count == 1)
    }

    @Test func `a store whose database was removed is in use, not missing`() throws {
        unlink(folder.log)
        #expect(throws: StoreError.inUse(path: folder.path, process: nil)) {
            try Store.backup(folder: folder.path, to: parent("copy"))
        }
    }

    @Test func `a database that was moved away and is put back takes commits again`() throws {
        rename(folder.log, folder("away"))
        #expect(try create() == .refused)
        rename(folder("away"), folder.log)
        #expect(try create() == .applied)
        #expect(try talliesAfterRestart == 2)
    }

    @Test func `a folder that was moved away and is put back takes commits again`() throws {
        rename(folder.path, parent("away"))
        #expect(try create() == .refused)
        rename(parent("away"), folder.path)
        #expect(try create() == .applied)
        #expect(try talliesAfterRestart == 2)
    }

    @Test func `a database that was replaced is not written`() throws {
        try daemon.backup(to: parent("copy")).get()
        let before = try bytes(of: parent("copy"))
        rename(parent("copy"), folder.log)
        for _ in 1...2 { #expect(try create() == .refused) }
        #expect(daemon.store.takeReports() == [refusal])
        daemon.close()
        #expect(try bytes(of: folder.log) == before)
    }

    @Test func `a log that is removed loses nothing, and a new one is made`() throws {
        unlink(folder.wal)
        #expect(try create() == .applied)
        #expect(mode(of: folder.wal) == 0o600)
        #expect(try create() == .applied)
        #expect(try talliesAfterRestart == 3)
    }

    @Test func `a log that is removed before the store is closed loses nothing`() throws {
        unlink(folder.wal)
        #expect(try talliesAfterRestart == 1)
    }

    @Test func `a FIFO in the place of the log refuses commits until it is gone`() throws {
        unlink(folder.wal)
        mkfifo(folder.wal, 0o600)
        #expect(try create() == .refused)
        #expect(
            daemon.store.takeReports() == [
                "sends are refused: \(folder.wal) is a FIFO, not a regular file: move it away"
            ])
        unlink(folder.wal)
        #expect(try create() == .applied)
        #expect(try talliesAfterRestart == 2)
    }

    @Test func `a log that is replaced is not read`() throws {
        try write([UInt8](repeating: 7, count: 9_000), to: parent("other"))
        rename(parent("other"), folder.wal)
        #expect(try create() == .applied)
        #expect(try talliesAfterRestart == 2)
    }

    @Test func `reserved ids that are removed are written again`() throws {
        unlink(folder.ids)
        #expect(try create() == .applied)
        let reserved = ReservedIDs(of: StoreFolder(path: folder.path))
        #expect(reserved?["tally"] == 1024)
    }

    @Test func `removed states refuse rounds and sends until they are back`() throws {
        rename(folder.states, folder("away"))
        #expect(try !daemon.saveStates().isSuccess)
        #expect(try create() == .refused)
        rename(folder("away"), folder.states)
        #expect(try create() == .applied)
        #expect(try daemon.saveStates().isSuccess)
        #expect(try talliesAfterRestart == 2)
    }
}
