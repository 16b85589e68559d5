import BusdProtocol
import TestSupport
import Testing

@testable import BusdStorage

/// A log that grows has room ahead, so that the file system does not allocate some for each commit.
@Suite struct LogRoomTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// The length of the write-ahead log without its header, in bytes.
    private func size() throws -> Int { try bytes(of: folder.wal).count - 32 }

    private func used() throws -> Int { try folder.writtenWAL().count - 32 }

    private func play(_ daemon: StoreFixture, _ numbers: ClosedRange<Int>) throws {
        for number in numbers { try daemon.add(number) }
        // The writer works in order, so it has written all entries when it replies.
        let replies = try Mailbox<Result<LogPortion, StoreError>>()
        daemon.store.writer.post(.read(after: 0, upTo: 1, replies))
        _ = replies.wait()
    }

    @Test func `Room in the log is made when the log grows`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try play(daemon, 1...30)
        #expect(try size() == used())
        try play(daemon, 31...80)
        let room = try size() - used()
        #expect(room % 4120 == 0)
        #expect((900...1023).contains(room / 4120))
        let before = try size()
        try play(daemon, 81...120)
        #expect(try size() == before)
    }

    @Test func `Room in the log grows in steps of the same size`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try play(daemon, 1...80)
        let before = try size()
        try play(daemon, 81...1200)
        #expect(try size() > before + 900 * 4120)
        #expect(try used() < size())
    }

    @Test func `Room in the log is ignored when the log is read after a crash`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try play(daemon, 1...100)
        let copy = try Folder()
        for name in folder.names where name != "store.lock" {
            try write(try bytes(of: folder(name)), to: copy(name))
        }
        #expect(try copy.writtenWAL().count < bytes(of: copy.wal).count)
        #expect(try Store.check(folder: copy.path) == [])
        let again = try StoreFixture(copy)
        #expect(again.findings == [])
        #expect(again.numbers()?.count == 100)
        try play(again, 101...200)
        again.close()
        #expect(try StoreFixture(copy).numbers()?.count == 200)
    }

    @Test func `A failed commit removes the room in the log, and it is made again`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try play(daemon, 1...100)
        let kept = try folder.writtenWAL()
        folder.fail(.write, of: "log.sqlite-wal", code: 13, times: 1_000)
        for _ in 1...200 { daemon.tallies.create(Tally.Seed(name: "long name")) }
        #expect(Set(try daemon.settle()) == [.refused])
        #expect(try bytes(of: folder.wal) == kept)
        folder.endFaults()
        try play(daemon, 101...300)
        #expect(try used() < size())
        daemon.close()
        #expect(try StoreFixture(folder).numbers()?.count == 300)
    }

    @Test func `Room in the log is not made with durability normal`() throws {
        let daemon = try StoreFixture(folder, durability: .normal)
        try daemon.create("a")
        for _ in 1...3 { try play(daemon, 1...60) }
        #expect(try size() == used())
    }

    @Test func `Room in a file is not made if the disk has little space`() throws {
        let path = folder("file")
        try write([1, 2, 3], to: path)
        try File.fill(path, to: 10_000, where: .max)
        #expect(try bytes(of: path) == [1, 2, 3])
        try File.fill(path, to: 200_000, where: 1)
        #expect(try bytes(of: path) == [1, 2, 3] + [UInt8](repeating: 0, count: 199_997))
        try File.fill(path, to: 10, where: 1)
        #expect(try bytes(of: path).count == 200_000)
        try File.fill(folder("missing"), to: 10, where: 1)
        #expect(folder.names == ["file"])
    }
}
