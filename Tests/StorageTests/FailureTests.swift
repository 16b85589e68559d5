import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct FailureTests {
    private let folder: Folder
    private let daemon: StoreFixture

    init() throws {
        folder = try Folder()
        daemon = try StoreFixture(folder)
        try daemon.create("a")
    }

    private func restart() throws -> StoreFixture {
        daemon.close()
        folder.endFaults()
        return try StoreFixture(folder)
    }

    @Test func `A commit on a full disk is refused, and changes nothing`() throws {
        folder.fail(.write, of: "log.sqlite-wal", code: 13, times: 1_000)
        for _ in 1...200 { daemon.tallies.create(Tally.Seed(name: "b")) }
        #expect(Set(try daemon.settle()) == [.refused])
        #expect(
            daemon.store.takeReports() == [
                "sends are refused: \(folder.log): SQLITE_FULL: database or disk is full"
            ])
        folder.endFaults()
        #expect(try daemon.add(1) == .applied)
        #expect(daemon.store.takeReports() == ["resolved: sends are refused"])
        try daemon.create("c")
        let again = try restart()
        #expect(again.findings == [] && again.all == ["1 a [1]", "2 c []"])
    }

    @Test(arguments: [Folder.failedWrite, 13])
    func `A commit whose write fails is refused, and has no effect later`(code: Int32) throws {
        for isDone in [false, true] {
            folder.fail(.write, of: "log.sqlite-wal", code: code, isDone: isDone)
            #expect(try daemon.add(7) == .refused)
            folder.endFaults()
            let killed = try StoreFixture(try folder.copy())
            #expect(killed.findings == [] && killed.numbers() == [])
        }
        #expect(try daemon.add(1) == .applied)
        #expect(try restart().numbers() == [1])
    }

    @Test func `A failed commit drops the entries queued behind it, and no later ones`() throws {
        folder.fail(.write, of: "log.sqlite-wal", code: Folder.failedWrite)
        for number in 1...5 {
            daemon.tallies.propose(.add(number), to: try id(1))
            daemon.libraries.commit()
        }
        #expect(Set(try daemon.settle()).contains(.refused))
        let before = daemon.numbers() ?? []
        #expect(try daemon.add(9) == .applied)
        #expect(try restart().numbers() == before + [9])
    }

    @Test func `A commit with a failed sync succeeds if it is in the log`() throws {
        folder.fail(.sync, of: "log.sqlite-wal", code: Folder.failedSync)
        #expect(try daemon.add(1) == .applied)
        #expect(daemon.store.takeReports().first?.contains("SQLITE_IOERR (4)") == true)
        #expect(try daemon.add(2) == .applied)
        #expect(try restart().numbers() == [1, 2])
    }

    @Test func `A commit with a failed sync is pending until the log's content is known`() throws {
        folder.fail(.sync, of: "log.sqlite", code: Folder.failedSync, times: 4)
        daemon.tallies.propose(.add(1), to: try id(1))
        daemon.libraries.commit()
        try daemon.wait { daemon.store.log.isAvailable ? nil : true }
        #expect(daemon.libraries.applyNext() == nil)
        daemon.tallies.propose(.add(2), to: try id(1))
        #expect(try daemon.settle().contains(.refused))
        try daemon.wait { daemon.store.log.isAvailable ? true : nil }
        #expect(try daemon.add(3) == .applied)
        #expect(try restart().numbers() == [1, 3])
    }

    @Test func `A commit with a failed sync is refused if it is not in the log`() throws {
        // The sync fails, and the file system has lost all writes before it.
        let length = try bytes(of: folder.wal).count
        let wal = folder.wal
        var plan = FaultyFiles.Plan(
            path: folder.wal, operation: .sync, code: Folder.failedSync, failures: 1)
        plan.watch = { _ = truncate(wal, length) }
        FaultyFiles.add(plan)
        #expect(try daemon.add(1) == .refused)
        folder.endFaults()
        #expect(try daemon.add(2) == .applied)
        #expect(try restart().numbers() == [2])
    }

    @Test func `A commit with a failed sync stays pending if the store is closed`() throws {
        folder.fail(.sync, of: "log.sqlite", code: Folder.failedSync, times: 10_000)
        daemon.tallies.propose(.add(1), to: try id(1))
        daemon.libraries.commit()
        try daemon.wait { daemon.store.log.isAvailable ? nil : true }
        daemon.close()
        #expect(daemon.libraries.applyNext() == nil)
        folder.endFaults()
        #expect(try StoreFixture(folder).numbers() == [1])
    }

    @Test func `Ids are reserved before a commit, and again after a failed reservation`() throws {
        mkdir(folder("store.ids.new"), 0o700)
        for number in 2...1025 { daemon.tallies.create(Tally.Seed(name: "\(number)")) }
        #expect(try daemon.settle().last == .applied)
        #expect(daemon.store.takeReports().count == 1)
        rmdir(folder("store.ids.new"))
        #expect(try daemon.add(1) == .applied)
        try daemon.create("b")
        #expect(daemon.store.takeReports().count == 1)
        #expect(ReservedIDs(of: StoreFolder(path: folder.path))?["tally"] == 2048)
    }

    @Test(arguments: 1...12)
    func `A failure at any write or sync leaves exactly the applied changes`(turn: Int) throws {
        var applied: [Int] = []
        for number in 1...12 {
            if number == turn {
                folder.fail(.write, of: "log.sqlite", code: Folder.failedWrite, times: turn % 4)
                folder.fail(.sync, of: "log.sqlite", code: Folder.failedSync, times: turn % 3)
            }
            if try daemon.add(number) == .applied { applied.append(number) }
        }
        folder.endFaults()
        #expect(daemon.numbers() == applied && applied.count >= 8)
        let again = try restart()
        #expect(again.findings == [] && again.numbers() == applied)
    }
}
