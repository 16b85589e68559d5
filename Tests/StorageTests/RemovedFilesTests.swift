import BusdProtocol
import CBusdSQLite
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// Files that are removed or replaced while a store is open.
@Suite struct RemovedFilesTests {
    private let parent: Folder
    private let folder: Folder
    private let daemon: StoreFixture

    init() throws {
        parent = try Folder()
        folder = try Folder(in: parent.path)
        daemon = try StoreFixture(folder)
        #expect(try create() == .applied)
    }

    private func create() throws -> SendOutcome? { try daemon.create("a") }

    private var refusal: String {
        "sends are refused: \(folder.log) was removed or replaced while the daemon runs: put it back, "
            + "or save its content with the verb backup and restart the daemon"
    }

    private var talliesAfterRestart: Int {
        get throws {
            daemon.close()
            return try StoreFixture(folder).tallies.count
        }
    }

    @Test func `Without its database a store refuses commits, and a backup is complete`() throws {
        unlink(folder.log)
        for _ in 1...2 { #expect(try create() == .refused) }
        #expect(daemon.store.takeReports() == [refusal])
        try daemon.backup(to: parent("copy")).get()
        #expect(try Store.check(copy: parent("copy")) == [])
        daemon.close()
        rename(parent("copy"), folder("store.sqlite"))
        #expect(try StoreFixture(folder).tallies.count == 1)
    }

    @Test func `A store whose database was removed is in use, not missing`() throws {
        unlink(folder.log)
        #expect(throws: StoreError.inUse(path: folder.path, process: nil)) {
            try Store.backup(folder: folder.path, to: parent("copy"))
        }
    }

    @Test func `A database that was moved away and is put back takes commits again`() throws {
        rename(folder.log, folder("away"))
        #expect(try create() == .refused)
        rename(folder("away"), folder.log)
        #expect(try create() == .applied)
        #expect(try talliesAfterRestart == 2)
    }

    @Test func `A folder that was moved away and is put back takes commits again`() throws {
        rename(folder.path, parent("away"))
        #expect(try create() == .refused)
        rename(parent("away"), folder.path)
        #expect(try create() == .applied)
        #expect(try talliesAfterRestart == 2)
    }

    @Test func `A database that was replaced is not written`() throws {
        try daemon.backup(to: parent("copy")).get()
        let before = try bytes(of: parent("copy"))
        rename(parent("copy"), folder.log)
        for _ in 1...2 { #expect(try create() == .refused) }
        #expect(daemon.store.takeReports() == [refusal])
        daemon.close()
        #expect(try bytes(of: folder.log) == before)
    }

    @Test func `A log that is removed loses nothing, and a new one is made`() throws {
        unlink(folder.wal)
        #expect(try create() == .applied)
        #expect(mode(of: folder.wal) == 0o600)
        #expect(try create() == .applied)
        #expect(try talliesAfterRestart == 3)
    }

    /// What a kill leaves is copied until the copy has the content.
    private func awaitCopy(_ database: String, _ sql: String, is expected: Int) throws {
        try daemon.wait {
            let copy = try? folder.copy()
            return (try? copy?.integer(database, sql)) == expected ? true : nil
        }
    }

    private func removed(_ path: String) -> String {
        "\(path)-wal was removed or replaced while the daemon runs; its content is saved in \(path)"
    }

    @Test func `A log that is removed is saved without a send`() throws {
        unlink(folder.wal)
        try awaitCopy("log.sqlite", "SELECT count(*) FROM log", is: 1)
        #expect(try daemon.wait { daemon.store.takeReports().first } == removed(folder.log))
        let killed = try StoreFixture(try folder.copy())
        #expect(killed.findings == [] && killed.tallies.count == 1)
        #expect(try create() == .applied)
        #expect(daemon.store.takeReports() == [])
        #expect(try talliesAfterRestart == 2)
    }

    @Test(arguments: [false, true])
    func `A log of the states that is removed is saved without a send`(isReplaced: Bool) throws {
        daemon.store.note(time: Instant(microseconds: 5_000), number: 1)
        try awaitCopy("state.sqlite", "SELECT n FROM note", is: 1)
        let wal = folder("state.sqlite-wal")
        unlink(wal)
        if isReplaced { try write([UInt8](repeating: 7, count: 9_000), to: wal) }
        try awaitCopy("state.sqlite", "SELECT n FROM note", is: 1)
        #expect(try daemon.wait { daemon.store.takeReports().first } == removed(folder.states))
        #expect(try daemon.saveStates().isSuccess)
        #expect(mode(of: wal) == 0o600)
        #expect(try talliesAfterRestart == 1)
    }

    @Test func `A loss that the note shows is named after a kill`() throws {
        daemon.store.note(time: Instant(microseconds: 5_000), number: 1)
        try awaitCopy("state.sqlite", "SELECT n FROM note", is: 1)
        let killed = try folder.copy()
        unlink(killed.wal)
        let again = try StoreFixture(killed)
        #expect(again.tallies.count == 0)
        #expect(again.findings.contains("lost entries: 1"))
    }

    @Test func `A log is looked after for ten seconds after a commit, and then saved`() {
        var watch = WALWatch()
        #expect(watch.wait(at: 0) == -1)
        watch.noteCommit(at: 0)
        for second in 1..<10 {
            let now = second * 1_000
            #expect(watch.wait(at: now - 400) == 400)
            #expect(watch.next(isEmpty: false, at: now - 1) == .none)
            #expect(watch.next(isEmpty: false, at: now) == .look)
        }
        watch.noteCommit(at: 9_500)
        for second in 10..<19 { #expect(watch.next(isEmpty: false, at: second * 1_000) == .look) }
        #expect(watch.next(isEmpty: false, at: 19_000) == .checkpoint)
        #expect(watch.next(isEmpty: true, at: 20_000) == .none)
        #expect(watch.wait(at: 20_000) == -1)
    }

    @Test func `A log that is removed before the store is closed loses nothing`() throws {
        unlink(folder.wal)
        #expect(try talliesAfterRestart == 1)
    }

    @Test func `A log that is removed just before the store is closed is reported`() throws {
        unlink(folder.wal)
        daemon.close()
        #expect(daemon.store.takeReports() == [removed(folder.log)])
        #expect(try StoreFixture(folder).tallies.count == 1)
    }

    @Test(arguments: ["log.sqlite", "state.sqlite"])
    func `A database that is removed before the store is closed is reported`(name: String) throws {
        try daemon.saveStates().get()
        unlink(folder(name))
        daemon.close()
        let reports = daemon.store.takeReports()
        #expect(reports.count == 1)
        let report = "at the stop: \(folder(name)) was removed or replaced while the daemon runs"
        #expect(reports.first?.utf8.starts(with: report.utf8) == true)
    }

    @Test func `A write-ahead log that cannot be saved at the end is reported, and stays`() throws {
        folder.fail(.write, of: "log.sqlite", code: SQLITE_FULL, times: 100)
        daemon.close()
        folder.endFaults()
        let report = "at the stop: \(folder.log): SQLITE_FULL: database or disk is full"
        #expect(daemon.store.takeReports() == [report])
        let again = try StoreFixture(folder)
        #expect(again.findings == [] && again.tallies.count == 1)
    }

    @Test func `A FIFO in the place of the log refuses commits until it is gone`() throws {
        unlink(folder.wal)
        mkfifo(folder.wal, 0o600)
        #expect(try create() == .refused)
        // The thread reports the refusal before it looks after the log, which it does later.
        var reports: [String] = []
        try daemon.wait {
            reports += daemon.store.takeReports()
            return reports.count == 2 ? true : nil
        }
        #expect(
            reports == [
                "sends are refused: \(folder.wal) is a FIFO, not a regular file: move it away",
                removed(folder.log),
            ])
        unlink(folder.wal)
        #expect(try create() == .applied)
        #expect(try talliesAfterRestart == 2)
    }

    @Test func `A log that is replaced is not read`() throws {
        try write([UInt8](repeating: 7, count: 9_000), to: parent("other"))
        rename(parent("other"), folder.wal)
        #expect(try create() == .applied)
        #expect(try talliesAfterRestart == 2)
    }

    @Test func `Reserved ids that are removed are written again`() throws {
        unlink(folder.ids)
        #expect(try create() == .applied)
        let reserved = ReservedIDs(of: StoreFolder(path: folder.path))
        #expect(reserved?["tally"] == 1024)
    }

    @Test func `Removed states refuse rounds and sends until they are back`() throws {
        rename(folder.states, folder("away"))
        #expect(try !daemon.saveStates().isSuccess)
        #expect(try create() == .refused)
        rename(folder("away"), folder.states)
        #expect(try create() == .applied)
        #expect(try daemon.saveStates().isSuccess)
        #expect(try talliesAfterRestart == 2)
    }
}
