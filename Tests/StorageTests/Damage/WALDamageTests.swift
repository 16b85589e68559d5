import BusdProtocol
import TestSupport
import Testing

@testable import BusdStorage

/// A store of a killed daemon whose write-ahead log has one wrong bit.
@Suite struct WALDamageTests {
    /// Two tallies, created in two commits, neither of which is noted.
    private static func killed() throws -> Folder {
        let folder = try Folder()
        let daemon = try StoreFixture(folder)
        try daemon.create("one")
        try daemon.create("two")
        return try folder.copy()
    }

    private func finding(in folder: Folder) -> String {
        "\(folder.wal) is damaged at its end: the newest changes may be lost"
    }

    private func expectLoss(_ folder: Folder, _ comment: Comment) throws {
        #expect(try Store.check(folder: folder.path).contains(finding(in: folder)), comment)
        let daemon = try StoreFixture(folder)
        #expect(daemon.findings.contains(finding(in: folder)), comment)
        #expect(!daemon.all.contains { $0.hasPrefix("2 ") }, comment)
        try daemon.create("new")
        #expect(daemon.tallies.ids.last?.number == 1025, comment)
        let all = daemon.all
        daemon.close()
        let again = try StoreFixture(folder)
        #expect(again.findings == [] && again.all == all, comment)
    }

    @Test func `A wrong bit in the newest commit is reported, and its id is not reused`() throws {
        let sound = try Self.killed()
        let content = try bytes(of: sound.wal)
        #expect(try StoreFixture(sound.copy()).findings == [])
        // A byte of each part of the last frame, and the end of its page.
        let frame = content.count - 4120
        for offset in [0, 3, 4, 7, 8, 15, 16, 23, 24, 3920, 4119] {
            for bit in [UInt8(1), 0x80] {
                let folder = try sound.copy()
                var damaged = content
                damaged[frame + offset] ^= bit
                try write(damaged, to: folder.wal)
                try expectLoss(folder, "byte \(offset), bit \(bit)")
            }
        }
    }

    @Test(arguments: [0, 8, 16, 24, 31])
    func `A wrong bit in the header of the log is reported`(offset: Int) throws {
        let folder = try Self.killed()
        var damaged = try bytes(of: folder.wal)
        damaged[offset] ^= 1
        try write(damaged, to: folder.wal)
        #expect(try StoreFixture(folder).findings.contains(finding(in: folder)))
    }

    /// Of 4,120: 24 of the header, and the page.
    @Test(arguments: [200, 4_095, 4_097, 4_100, 4_119])
    func `A frame that ends with the file is reported`(missing: Int) throws {
        let folder = try Self.killed()
        try write(Array(try bytes(of: folder.wal).dropLast(missing)), to: folder.wal)
        try expectLoss(folder, "\(missing) bytes are missing")
    }

    @Test(arguments: [0, 24, 4120])
    func `A commit whose writing has not ended is no damage`(written: Int) throws {
        let folder = try Self.killed()
        let content = try bytes(of: folder.wal)
        var last = Array(content.suffix(4120))
        for index in last.indices where index >= written { last[index] = 0 }
        // A frame without the mark that ends a commit.
        if written == 4120 { return try expectNoFinding(folder, Array(content.dropLast(4120))) }
        try expectNoFinding(folder, content.dropLast(4120) + last)
    }

    private func expectNoFinding(_ folder: Folder, _ wal: [UInt8]) throws {
        try write(wal, to: folder.wal)
        #expect(try StoreFixture(folder).findings == [])
    }
}
