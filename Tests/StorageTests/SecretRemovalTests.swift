import BusdProtocol
import TestSupport
import Testing

@testable import BusdStorage

/// A thing without a history leaves no trace of its earlier values, such as the hash of a password
/// that was changed.
@Suite struct SecretRemovalTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static func old(_ user: Int, _ change: Int) -> String {
        "$argon2id$old-\(user)-\(change)$" + String(repeating: "x", count: 40 + user * change)
    }

    /// The files of the store that have a replaced text.
    private func traces(in folder: Folder) throws -> [String] {
        let mark = Array("$argon2id$old".utf8)
        return try folder.names.filter { name in
            let all = try bytes(of: folder(name))
            var rest = all[...]
            while let start = rest.firstIndex(of: mark[0]) {
                if rest[start...].starts(with: mark) { return true }
                rest = rest[(start + 1)...]
            }
            return false
        }.sorted()
    }

    private func change(_ daemon: StoreFixture, users: Int, changes: Int) throws {
        for change in 0..<changes {
            for user in 0..<users { try daemon.set(Self.old(user, change), of: "user \(user)") }
        }
        for user in 0..<users { try daemon.set("$argon2id$new-\(user)", of: "user \(user)") }
    }

    @Test(arguments: [(3, 1), (30, 4), (1, 300)])
    func `No file has a replaced secret after a kill, a start and a planned stop`(
        users: Int, changes: Int
    ) throws {
        let daemon = try StoreFixture(folder)
        try change(daemon, users: users, changes: changes)
        let killed = try folder.copy()
        #expect(try traces(in: killed) == ["log.sqlite-wal"])
        let next = try StoreFixture(killed)
        try next.saveStates().get()
        next.close()
        #expect(try traces(in: killed) == [])
        #expect(try StoreFixture(killed).secretTexts.count == users)
    }

    @Test func `No file has a replaced or deleted secret after the states were saved`() throws {
        let daemon = try StoreFixture(folder)
        try change(daemon, users: 20, changes: 2)
        try daemon.saveStates().get()
        try change(daemon, users: 20, changes: 3)
        try daemon.set(Self.old(1, 1), of: "gone")
        daemon.secrets.delete(ExactText("gone"))
        try daemon.settle()
        try daemon.saveStates().get()
        // The threads go on when the round is on the disk.
        try daemon.wait { (try? traces(in: folder)) == [] ? true : nil }
        #expect(daemon.secretTexts.count == 20)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `No file has an old secret after many changes and removals, and a planned stop`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let daemon = try StoreFixture(folder)
        for change in 0..<400 {
            let user = random.number(0..<4)
            if random.once(in: 5) {
                daemon.secrets.delete(ExactText("user \(user)"))
                try daemon.settle()
            } else {
                try daemon.set(Self.old(user, change), of: "user \(user)")
            }
        }
        for user in 0..<4 { try daemon.set("$argon2id$new", of: "user \(user)") }
        try daemon.saveStates().get()
        daemon.close()
        #expect(try traces(in: folder) == [])
        #expect(try StoreFixture(folder).secretTexts.count == 4)
    }

    /// More pages than are overwritten in one portion, with a secret between long entries.
    @Test func `No file has a replaced secret if the log is long`() throws {
        let daemon = try StoreFixture(folder)
        let text = String(repeating: "y", count: 100_000)
        for change in 0..<60 {
            try daemon.create("\(change) \(text)")
            try daemon.set(Self.old(1, change), of: "user 1")
            try daemon.set(Self.old(2, change), of: "user 2")
        }
        try daemon.set("$argon2id$new", of: "user 1")
        daemon.secrets.delete(ExactText("user 2"))
        try daemon.settle()
        try daemon.saveStates().get()
        daemon.close()
        #expect(try #require(try File.size(folder.log)) > 1_024 * Database.pageSize)
        #expect(try traces(in: folder) == [])
        let again = try StoreFixture(folder)
        #expect(again.findings == [] && again.secretTexts == ["user 1 $argon2id$new"])
        #expect(again.tallies.count == 60)
    }

    @Test func `Unused bytes of pages are overwritten, and rows stay`() throws {
        let daemon = try StoreFixture(folder)
        for number in 1...40 { try daemon.create("\(number)") }
        daemon.close()
        var page = try bytes(of: folder.log)
        // Page 2 is the first of the table; its header tells where the cells begin.
        let start = Database.pageSize
        let cells = Int(page[start + 5]) << 8 | Int(page[start + 6])
        let mark = Array("$argon2id$old".utf8)
        page.replaceSubrange(start + cells - mark.count..<start + cells, with: mark)
        try write(page, to: folder.log)
        #expect(try traces(in: folder) == ["log.sqlite"])
        #expect(try UnusedBytes.overwrite(folder.log, from: 0) == nil)
        #expect(try traces(in: folder) == [])
        let again = try StoreFixture(folder)
        #expect(again.findings == [] && again.tallies.count == 40)
    }

    @Test func `No file has a replaced secret after a stop while a copy is made`() throws {
        let daemon = try StoreFixture(folder)
        try change(daemon, users: 3, changes: 2)
        daemon.store.backup(to: folder("backup"))
        try daemon.saveStates().get()
        daemon.close()
        #expect(try traces(in: folder).filter { $0 != "backup" } == [])
    }
}
