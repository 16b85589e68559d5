import BusdProtocol
import CBusdSQLite
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct CopyTests {
    private let folder: Folder
    private let daemon: StoreFixture

    init() throws {
        folder = try Folder()
        daemon = try StoreFixture(folder)
        for name in ["a", "b"] { try daemon.create(name) }
        for number in 1...600 { daemon.tallies.propose(.add(number), to: try id(1)) }
        try daemon.settle()
        try daemon.saveStates().get()
        try daemon.add(601)
    }

    private var expected: [String] { ["1 a \(Array(1...601))", "2 b []"] }

    @Test func `A copy of a running daemon's store has every answered change`() throws {
        try daemon.backup(to: folder("backup")).get()
        #expect(mode(of: folder("backup")) == 0o600)
        #expect(try Store.check(copy: folder("backup")) == [])
        try daemon.add(602)
        let other = try Folder()
        try write(try bytes(of: folder("backup")), to: other("store.sqlite"))
        let again = try StoreFixture(other)
        #expect(again.all == expected)
        #expect(again.findings.count == 1)
        again.close()
        #expect(other.names.contains("copy-1.sqlite"))
        let last = try StoreFixture(other)
        #expect(last.findings == [] && last.all == expected)
    }

    @Test func `A copy that is put back replaces a store, and ids are not reused`() throws {
        try daemon.backup(to: folder("backup")).get()
        for _ in 1...3 { try daemon.create("later") }
        daemon.close()
        try write(try bytes(of: folder("backup")), to: folder("store.sqlite"))
        var again = try StoreFixture(folder)
        #expect(again.all == expected)
        try again.create("new")
        #expect(again.all.last == "1025 new []")
        again.close()
        again = try StoreFixture(folder)
        #expect(again.findings == [] && again.all.last == "1025 new []")
        #expect(folder.names.contains("log.sqlite.replaced-1"))
    }

    @Test func `A copy of a newer version is refused, and nothing is changed`() throws {
        try daemon.backup(to: folder("backup")).get()
        daemon.close()
        try folder.sql("backup", "PRAGMA user_version = 7")
        let copy = try bytes(of: folder("backup"))
        try write(copy, to: folder("store.sqlite"))
        let refusal = StoreError.tooNew(path: folder("store.sqlite"), version: 7, known: 6)
        #expect(throws: refusal) { try StoreFixture(folder) }
        #expect(throws: refusal) { try Store.check(folder: folder.path) }
        #expect(try bytes(of: folder("store.sqlite")) == copy)
        unlink(folder("store.sqlite"))
        #expect(try StoreFixture(folder).all == expected)
    }

    @Test func `A file without tables of a store is set aside`() throws {
        daemon.close()
        try write([], to: folder("store.sqlite"))
        try folder.sql("store.sqlite", "CREATE TABLE games (id); PRAGMA user_version = 4")
        #expect(try Store.check(folder: folder.path) == ["the file has no tables"])
        let again = try StoreFixture(folder)
        #expect(again.all == expected)
        let damage = "\(folder("store.sqlite")): SQLITE_CORRUPT: the file has no tables"
        #expect(
            again.findings == [
                "\(damage); \(folder("store.sqlite")) is kept as "
                    + folder("store.sqlite.damaged-1")
            ])
        #expect(!folder.names.contains("store.sqlite"))
    }

    @Test func `A copy that is put back is read again after a kill in between`() throws {
        try daemon.backup(to: folder("backup")).get()
        daemon.close()
        try write(try bytes(of: folder("backup")), to: folder("store.sqlite"))
        let snapshots = WriteSnapshots(folder)
        try StoreFixture(folder).close()
        folder.endFaults()
        #expect(!snapshots.all.isEmpty)
        for snapshot in snapshots.all.suffix(20) {
            let copy = try snapshot.folder()
            try write(try bytes(of: folder("backup")), to: copy("store.sqlite"))
            #expect(try StoreFixture(copy).all == expected)
        }
    }

    @Test func `A store without a daemon is copied, and locked meanwhile`() throws {
        #expect(throws: StoreError.self) { try Store.backup(folder: folder.path, to: "/none") }
        daemon.close()
        let lock = try Store.backup(folder: folder.path, to: folder("backup"))
        #expect(throws: StoreError.self) { try StoreFixture(folder) }
        #expect(try Store.check(copy: folder("backup")) == [])
        withExtendedLifetime(lock) {}
    }

    @Test func `A copy is not made if its target cannot be a file`() throws {
        #expect(try !daemon.backup(to: "/nowhere/backup").isSuccess)
        #expect(try daemon.add(602) == .applied)
        daemon.close()
        #expect(throws: StoreError.self) {
            try Store.backup(folder: folder.path, to: "/nowhere/backup")
        }
    }

    @Test func `A copy without space says where to make room, and leaves nothing`() throws {
        folder.fail(.write, of: "backup", code: SQLITE_FULL, times: 1_000)
        let outcome = try daemon.backup(to: folder("backup"))
        #expect(
            outcome.failureText
                == "\(folder("backup")) cannot be written, because the disk is full: make room in \(folder.path), and try again"
        )
        #expect(!folder.names.contains { $0.utf8.starts(with: "backup".utf8) })
        folder.endFaults()
        try daemon.backup(to: folder("backup")).get()
    }

    @Test func `A store of a newer version says what to start`() throws {
        daemon.close()
        try folder.sql("log.sqlite", "PRAGMA user_version = 7")
        let text = "\(folder.log) has version 7, and this program knows versions up to 6: "
        let error = #expect(throws: StoreError.self) { try StoreFixture(folder) }
        #expect(error?.description == text + "start a newer version of the daemon")
    }

    @Test func `A store keeps two verified copies, and a new one replaces the older`() throws {
        for count in 1...3 {
            daemon.store.copy()
            try daemon.wait {
                folder.names.count { $0.utf8.starts(with: "copy-".utf8) } == min(count, 2)
                    && !folder.names.contains { $0.hasSuffix("partial") }
                    ? true : nil
            }
        }
        #expect(try Store.check(copy: folder("copy-1.sqlite")) == [])
        #expect(try Store.check(copy: folder("copy-2.sqlite")) == [])
        #expect(daemon.store.takeReports() == [])
    }

    @Test func `A store that is closed during a copy leaves no part of the copy`() throws {
        daemon.store.copy()
        daemon.close()
        #expect(!folder.names.contains { $0.hasSuffix("partial") })
        #expect(try StoreFixture(folder).all == expected)
    }
}
