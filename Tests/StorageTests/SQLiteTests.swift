import BusdProtocol
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct SQLiteConnectionTests {
    private let folder: Folder
    private let connection: Database

    init() throws {
        folder = try Folder()
        try File.make(folder.log)
        connection = try Database(path: folder.log)
        try connection.useWAL(.full)
        try connection.execute("CREATE TABLE things (a, b, c, d)")
    }

    @Test(arguments: [0, 1, -1, Int64.max, Int64.min])
    func `A connection returns integers unchanged`(number: Int64) throws {
        try insert(.integer(number))
        try first { #expect($0[0].integer == number) }
    }

    @Test(arguments: ["", "a", "a\u{0}b", "'; DROP TABLE things", "e\u{301}", "%s", "\u{10ffff}"])
    func `A connection returns texts byte by byte`(text: String) throws {
        try insert(.text(text))
        try first { #expect($0[0].text.map { Array($0.utf8) } == Array(text.utf8)) }
    }

    @Test(arguments: [[], [0], [0xff, 0, 1], [UInt8](repeating: 7, count: 10_000)])
    func `A connection returns bytes unchanged`(bytes: [UInt8]) throws {
        try insert(.blob(bytes))
        try first { #expect($0[0].blob == bytes) }
    }

    @Test func `A value is not read as another type`() throws {
        try insert(.integer(1), .text("1"), .blob([1]), .null)
        try first { row in
            #expect(row == [.integer(1), .text("1"), .blob([1]), .null])
            #expect(row[0].text == nil && row[1].integer == nil && row[2].text == nil)
        }
    }

    @Test func `Bytes that are not UTF-8 are not read as a text`() throws {
        try connection.execute("INSERT INTO things (a) VALUES (CAST(x'ff41' AS TEXT))")
        try first { #expect($0[0].text == nil) }
    }

    @Test func `A statement is usable again after an error and after unread rows`() throws {
        try connection.execute("CREATE UNIQUE INDEX one ON things (a)")
        try insert(.integer(1))
        #expect(throws: StoreError.self) { try insert(.integer(1)) }
        try insert(.integer(2))
        for _ in 1...2 { try first { #expect($0[0].integer == 1) } }
    }

    @Test func `An error has the name that SQLite gives it, and the reason`() throws {
        try connection.execute("CREATE TABLE strict (a INTEGER NOT NULL) STRICT")
        #expect(
            failure { try connection.execute("INSERT INTO strict VALUES ('x')") }
                == "SQLITE_CONSTRAINT (12): cannot store TEXT value in INTEGER column strict.a")
        #expect(
            failure { try connection.execute("SELEKT") }
                == "SQLITE_ERROR: near \"SELEKT\": syntax error")
        #expect(
            failure { _ = try connection.once("SELECT a FROM nowhere") }
                == "SQLITE_ERROR: no such table: nowhere")
        #expect(
            failure { _ = try connection.once("-- nothing") }
                == "SQLITE_MISUSE: an empty statement")
        #expect(
            failure { _ = try Database(path: folder("none")) }
                == "\(folder("none")): SQLITE_CANTOPEN: unable to open database file")
    }

    @Test func `A transaction has an effect as a whole or not at all`() throws {
        try connection.transaction { () throws(StoreError) in
            try connection.statement("INSERT INTO things (a) VALUES (1)").run()
        }
        let second = failure {
            try connection.transaction { () throws(StoreError) in
                try connection.statement("INSERT INTO things (a) VALUES (2)").run()
                throw .damage("enough", path: "x")
            }
        }
        #expect(second == "x: SQLITE_CORRUPT: enough")
        try connection.execute("ROLLBACK")
        #expect(try connection.integer("SELECT count(*) FROM things") == 1)
    }

    @Test func `A connection knows the length of its log`() throws {
        try insert(.integer(1))
        let frames = connection.framesInWAL
        #expect(frames > 0)
        #expect(try bytes(of: folder.wal).count == 32 + frames * (24 + 4096))
        #expect(try connection.checkpoint() == frames)
        #expect(connection.framesInWAL == 0)
    }

    @Test func `A connection leaves its log when it is closed, unless set to remove it`() throws {
        try insert(.integer(1))
        let log = try bytes(of: folder.wal)
        let file = try bytes(of: folder.log)
        let copy = try Folder()
        try write(file, to: copy.log)
        try write(log, to: copy.wal)
        do {
            let other = try Database(path: copy.log)
            #expect(try other.integer("SELECT count(*) FROM things") == 1)
        }
        #expect(try bytes(of: copy.wal) == log)
        #expect(try bytes(of: copy.log) == file)
        do {
            let other = try Database(path: copy.log)
            #expect(try other.integer("SELECT count(*) FROM things") == 1)
            try other.removeWALOnClose()
        }
        #expect(copy.names == ["log.sqlite"])
    }

    private func insert(_ values: SQLValue...) throws(StoreError) {
        let all = values + Array(repeating: SQLValue.null, count: 4 - values.count)
        try connection.statement("INSERT INTO things VALUES (?1, ?2, ?3, ?4)")
            .run(all)
    }

    private func first(_ body: ([SQLValue]) -> Void) throws {
        var count = 0
        try connection.statement("SELECT * FROM things").forEach { row throws(StoreError) in
            body(row)
            count += 1
            return false
        }
        #expect(count == 1)
    }

    private func failure(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)".replacing("\(folder.path)/log.sqlite: ", with: "")
        }
    }
}

@Suite struct SQLiteStatusTests {
    @Test(arguments: [
        (0, "SQLITE_OK"), (10, "SQLITE_IOERR"), (11, "SQLITE_CORRUPT"), (13, "SQLITE_FULL"),
        (1034, "SQLITE_IOERR (4)"), (2067, "SQLITE_CONSTRAINT (8)"), (99, "SQLITE_99"),
    ])
    func `A status has the name that SQLite gives it`(code: Int32, name: String) {
        #expect(SQLiteStatus(code: code, message: "").name == name)
    }

    @Test(arguments: [1, 11, 26, 266, 522, 8202, 8458, 267])
    func `A status distinguishes damage from other errors`(damage: Int32) {
        #expect(SQLiteStatus(code: damage, message: "").isDamage)
        for code: Int32 in [7, 8, 10, 13, 14, 778, 1034, 1546] {
            #expect(!SQLiteStatus(code: code, message: "").isDamage)
        }
    }
}
