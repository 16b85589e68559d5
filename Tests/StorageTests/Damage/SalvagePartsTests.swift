import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// The parts that read what may be anything: they must say no, and never trap.
@Suite struct `Reading damaged bytes` {
    @Test(
        arguments: [
            ([0x00], 0), ([0x7f], 127), ([0x81, 0x00], 128), ([0x82, 0x2c], 300),
            ([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], -1),
            ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x07], 7),
        ] as [([UInt8], Int64)])
    func `knows SQLite's numbers`(bytes: [UInt8], value: Int64) {
        var reader = ByteReader(bytes[...])
        #expect(reader.varint() == value)
        #expect(reader.count == 0)
        for count in bytes.indices {
            var cut = ByteReader(bytes[..<count])
            #expect(cut.varint() == nil)
        }
    }

    @Test func `knows numbers of so many bytes`() {
        let bytes: [UInt8] = [0xff, 0xfe, 0x01]
        var reader = ByteReader(bytes[...])
        #expect(reader.number(2) == 0xfffe)
        #expect(reader.number(2) == nil)
        #expect(reader.take(-1) == nil)
        #expect(reader.signed(1) == 1)
        #expect(reader.signed(1) == nil)
        var signed = ByteReader(bytes[...])
        #expect(signed.signed(2) == -2)
    }

    @Test func `knows the types of values`() throws {
        // Null, 1, -2 in six bytes, 0, 1, a text, and a blob.
        let right: [UInt8] =
            [8, 0, 1, 5, 8, 9, 17, 14, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0x68, 0x69, 7]
        let record = try #require(Record(right, rowID: 9))
        #expect(record.count == 7)
        #expect((0..<5).map { record.integer(Int32($0)) } == [9, 1, -2, 0, 1])
        #expect(record.text(5) == "hi")
        #expect(record.blob(6) == [7])
        #expect(record.text(6) == nil)
        #expect(record.blob(5) == nil)
        #expect(record.integer(5) == nil)
        #expect(record.integer(7) == nil)
        #expect(Record(right, rowID: nil)?.integer(0) == nil)
    }

    @Test(
        arguments: [
            [], [0], [1, 1], [9, 1], [2, 10, 0], [2, 11], [2, 1], [2, 1, 0, 0], [0xff],
            [3, 0xff, 0xff],
            [9, 0, 0, 0, 0, 0, 0, 0, 0], [2, 15, 0xff, 0xff],
            [11, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ] as [[UInt8]])
    func `refuses what is no row`(bytes: [UInt8]) {
        #expect(Record(bytes, rowID: 1).map { $0.text(0) } ?? nil == nil)
        #expect(Record(bytes, rowID: 1)?.count ?? 0 == 0)
    }

    @Test(arguments: [
        ([], "none"), ([1], "1"), ([1, 2], "1 and 2"), ([1, 2, 3], "1 to 3"),
        ([1, 3, 4, 5, 7], "1, 3 to 5 and 7"),
        (
            Array(stride(from: 1, to: 1003, by: 2)),
            stride(from: 1, to: 1001, by: 2).map(String.init).joined(separator: ", ")
                + " and others up to 1001"
        ),
    ])
    func `tells numbers in short`(numbers: [Int], text: String) {
        #expect(NumberList(numbers).description == text)
        #expect(NumberList(numbers).isEmpty == numbers.isEmpty)
    }

    @Test(
        arguments: [
            ([], 1, "none"), ([], 4, "1 to 3"), ([1, 2, 3], 4, "none"),
            ([2, 5], 8, "1, 3, 4, 6 and 7"),
            ([-5, 0, 3, 900], 5, "1, 2 and 4"), ([.max, 1], 3, "2"),
        ] as [(Set<Int>, Int, String)])
    func `tells numbers that are missing`(numbers: Set<Int>, end: Int, text: String) {
        #expect(NumberList(missing: numbers, before: end).description == text)
    }

    // MARK: Anything

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `survives pages of random bytes`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try Folder()
        var all: [UInt8] = []
        for _ in 1...8 {
            var page = (0..<4096).map { _ in UInt8(random.number(0..<256)) }
            page[0] = [2, 10, 13].randomElement(using: &random) ?? 0
            // Cells that lie on the page, so that they are read.
            for place in stride(from: 8, to: 2000, by: 2) { page[place] &= 0x0f }
            // Small numbers are lengths that fit.
            for place in 2000..<4096 where random.once(in: 2) { page[place] &= 0x1f }
            all += page
        }
        try write(all, to: folder.database)
        try write((0..<9000).map { _ in UInt8(random.number(0..<256)) }, to: folder.log)
        let loaded = Salvage(folder.database, reserved: ReservedIDs(games: 5, books: 5)).loaded
        #expect(loaded.games.isEmpty && loaded.books.isEmpty && loaded.users.isEmpty)
        #expect(loaded.nextGame.number == 5)
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `survives pages of a store in which much is changed`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let exhibit = try Exhibit.made.get()
        let folder = try Folder()
        var all = exhibit.database
        for _ in 1...random.number(100..<20_000) {
            // Most are at the heads of pages, where they do harm.
            let page = random.number(0..<exhibit.pageCount) * Exhibit.pageSize
            let place = page + random.number(0..<(random.once(in: 3) ? Exhibit.pageSize : 120))
            all[place] = UInt8(random.number(0..<256))
        }
        try write(all, to: folder.database)
        let loaded = Salvage(folder.database, reserved: ReservedIDs()).loaded
        for (id, game) in loaded.games { #expect(game.thing == exhibit.contents.games[id.number]) }
        for (name, hash) in loaded.users { #expect(exhibit.contents.users[name.text] == hash) }
    }

    @Test func `does not follow overflow pages round and round`() throws {
        let folder = try Folder()
        // A row of 8 MB, of which each page leads to the same next one.
        var leaf = [UInt8](repeating: 0, count: 4096)
        leaf.replaceSubrange(0..<10, with: [13, 0, 0, 0, 1, 0, 10, 0, 0, 10])
        leaf.replaceSubrange(10..<15, with: [0x84, 0x80, 0x80, 0x00, 1])
        var next = [UInt8](repeating: 0, count: 4096)
        next[3] = 3
        try write(leaf + leaf + next, to: folder.database)
        var rows = 0
        let pages = Pages(of: folder.database, LogFile(of: folder.database))
        var scan = PageScan(pages)
        scan.forEachRow { _, _ in rows += 1 }
        #expect(rows == 0)
        #expect(pages[0] == [])
        #expect(pages[4] == [])
    }

    @Test func `counts neither of two rows that differ`() {
        var rows = OnlyOnes<Int, UserRow>()
        for hash in ["a", "a"] { rows.take(UserRow(name: "ann", hash: hash)) { _ in 1 } }
        #expect(rows[1]?.hash == "a")
        rows.take(UserRow(name: "ann", hash: "b")) { _ in 1 }
        rows.take(UserRow(name: "ann", hash: "a")) { _ in 1 }
        rows.take(nil) { _ in 2 }
        #expect(rows[1] == nil)
        #expect(Array(rows.keys) == [1])
    }

    /// So a row is no other's, of whichever table, but for those of the next ids, and those of
    /// recent keys, of which the second column tells.
    @Test func `tells tables apart by their columns`() throws {
        let folder = try Folder()
        try Keeper(folder).store.close()
        let connection = try Connection(path: folder.database)
        var shapes: Set<[Int]> = []
        let tables = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
        for table in tables where !["shelf", "recent_keys"].contains(table) {
            let count = try connection.integer(
                "SELECT count(*) FROM pragma_table_info('\(table)')")
            let hasRowIDs = (try? connection.integer("SELECT max(rowid) FROM \(table)")) != nil
            #expect(shapes.insert([hasRowIDs ? 1 : 0, count]).inserted, "\(table)")
            #expect(count <= 7)
        }
        #expect(shapes.count == 7)
    }

    /// Cells of every size around those at which rows go on on other pages.
    @Test(arguments: ["WITHOUT ROWID", ""])
    func `reads rows of every length`(form: String) throws {
        let folder = try Folder()
        try BusdStorage.File.make(folder.database)
        var lengths = Set(900...1100).union(3990...4140).union([0, 1, 5000, 8100, 8200, 70_000])
        do {
            let connection = try Connection(path: folder.database)
            try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB, c TEXT) \(form)")
            let insert = try connection.once("INSERT INTO t VALUES (?1, zeroblob(?1), 'end')")
            try connection.execute("BEGIN")
            for length in lengths { try insert.run(.integer(length)) }
            try connection.execute("COMMIT")
        }
        var scan = PageScan(Pages(of: folder.database, LogFile(of: folder.database)))
        scan.forEachRow { row, _ in
            guard row.count == 3, let length = row.number(0) else { return }
            #expect(row.blob(1)?.count == length)
            #expect(row.text(2) == "end")
            #expect(lengths.remove(length) != nil)
        }
        #expect(lengths.isEmpty, "\(lengths.sorted())")
    }
}
