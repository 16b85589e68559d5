import BusdProtocol
import TestSupport
import Testing

@testable import BusdStorage

/// A log that grows has room ahead, so that the file system need not find some for each commit.
@Suite struct `Room in the log` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Bytes behind the head.
    private func size() throws -> Int { try bytes(of: folder.wal).count - 32 }

    private func used() throws -> Int { try folder.writtenWAL().count - 32 }

    private func play(_ daemon: Daemon, _ numbers: ClosedRange<Int>) throws {
        for number in numbers { try daemon.add(number) }
        // The writer does one thing after the other.
        let replies = try Mailbox<Result<LogPortion, StoreError>>()
        daemon.store.writer.post(.read(after: 0, upTo: 1, replies))
        _ = replies.wait()
    }

    @Test func `is made once it grows`() throws {
        let daemon = try Daemon(folder)
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

    @Test func `goes on growing by as much at a time`() throws {
        let daemon = try Daemon(folder)
        try daemon.create("a")
        try play(daemon, 1...80)
        let before = try size()
        try play(daemon, 81...1200)
        #expect(try size() > before + 900 * 4120)
        #expect(try used() < size())
    }

    @Test func `is nothing to who reads the log after a crash`() throws {
        let daemon = try Daemon(folder)
        try daemon.create("a")
        try play(daemon, 1...100)
        let copy = try Folder()
        for name in folder.names where name != "store.lock" {
            try write(try bytes(of: folder(name)), to: copy(name))
        }
        #expect(try copy.writtenWAL().count < bytes(of: copy.wal).count)
        #expect(try Store.check(folder: copy.path) == [])
        let again = try Daemon(copy)
        #expect(again.findings == [])
        #expect(again.numbers()?.count == 100)
        try play(again, 101...200)
        again.close()
        #expect(try Daemon(copy).numbers()?.count == 200)
    }

    @Test func `goes with a commit that fails, and comes again`() throws {
        let daemon = try Daemon(folder)
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
        #expect(try Daemon(folder).numbers()?.count == 300)
    }

    @Test func `is not made where nothing waits for the disk`() throws {
        let daemon = try Daemon(folder, durability: .normal)
        try daemon.create("a")
        for _ in 1...3 { try play(daemon, 1...60) }
        #expect(try size() == used())
    }

    @Test func `is left to others where the disk has little`() throws {
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
