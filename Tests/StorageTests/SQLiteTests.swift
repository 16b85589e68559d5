import BusdProtocol
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `A connection` {
    private let folder: Folder
    private let connection: Connection

    init() throws {
        folder = try Folder()
        try File.make(folder.database)
        connection = try Connection(path: folder.database)
        try connection.useLog(.full)
        try connection.execute("CREATE TABLE things (a, b, c, d)")
    }

    @Test(arguments: [0, 1, -1, Int64.max, Int64.min])
    func `gives integers back`(number: Int64) throws {
        try insert(.integer(number))
        try first { #expect($0.integer(0) == number) }
    }

    @Test(arguments: ["", "a", "a\u{0}b", "'; DROP TABLE things", "e\u{301}", "%s", "\u{10ffff}"])
    func `gives texts back, byte for byte`(text: String) throws {
        try insert(.text(text))
        try first { #expect($0.text(0).map { Array($0.utf8) } == Array(text.utf8)) }
    }

    @Test(arguments: [[], [0], [0xff, 0, 1], [UInt8](repeating: 7, count: 10_000)])
    func `gives bytes back`(bytes: [UInt8]) throws {
        try insert(.blob(bytes))
        try first { #expect($0.blob(0) == bytes) }
    }

    @Test func `takes no value for one of another kind`() throws {
        try insert(.integer(1), .text("1"), .blob([1]), .null)
        try first { row in
            #expect(row.text(0) == nil && row.blob(0) == nil)
            #expect(row.integer(1) == nil && row.blob(1) == nil)
            #expect(row.integer(2) == nil && row.text(2) == nil)
            #expect(row.integer(3) == nil && row.text(3) == nil && row.blob(3) == nil)
        }
    }

    @Test func `takes no bytes for a text that are none`() throws {
        try connection.execute("INSERT INTO things (a) VALUES (CAST(x'ff41' AS TEXT))")
        try first { #expect($0.text(0) == nil) }
    }

    @Test func `uses a statement again after an error, and after rows that nobody read`() throws {
        try connection.execute("CREATE UNIQUE INDEX one ON things (a)")
        try insert(.integer(1))
        #expect(throws: SQLiteStatus.self) { try insert(.integer(1)) }
        try insert(.integer(2))
        for _ in 1...2 { try first { #expect($0.integer(0) == 1) } }
    }

    @Test func `says what is wrong by name`() throws {
        try connection.execute("CREATE TABLE strict (a INTEGER NOT NULL) STRICT")
        #expect(
            failure { try connection.execute("INSERT INTO strict VALUES ('x')") }
                == "SQLITE_CONSTRAINT (3091): cannot store TEXT value in INTEGER column strict.a")
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
            failure { _ = try Connection(path: folder("none")) }
                == "SQLITE_CANTOPEN: unable to open database file")
    }

    @Test func `does all of a transaction or nothing`() throws {
        try connection.transaction { () throws(SQLiteStatus) in
            try connection.statement("INSERT INTO things (a) VALUES (1)").run()
        }
        let second = failure {
            try connection.transaction { () throws(SQLiteStatus) in
                try connection.statement("INSERT INTO things (a) VALUES (2)").run()
                throw SQLiteStatus.damage("enough")
            }
        }
        #expect(second == "SQLITE_CORRUPT: enough")
        try connection.execute("ROLLBACK")
        #expect(try connection.integer("SELECT count(*) FROM things") == 1)
    }

    @Test func `knows the length of its log`() throws {
        try insert(.integer(1))
        let frames = connection.framesInLog
        #expect(frames > 0)
        #expect(try bytes(of: folder.log).count == 32 + frames * (24 + 4096))
        #expect(try connection.checkpoint() == frames)
        #expect(connection.framesInLog == 0)
    }

    @Test func `leaves its log when it is dropped, unless it is told not to`() throws {
        try insert(.integer(1))
        let log = try bytes(of: folder.log)
        let file = try bytes(of: folder.database)
        let copy = try Folder()
        try write(file, to: copy.database)
        try write(log, to: copy.log)
        do {
            let other = try Connection(path: copy.database)
            #expect(try other.integer("SELECT count(*) FROM things") == 1)
        }
        #expect(try bytes(of: copy.log) == log)
        #expect(try bytes(of: copy.database) == file)
        do {
            let other = try Connection(path: copy.database)
            #expect(try other.integer("SELECT count(*) FROM things") == 1)
            try other.removeLogOnClose()
        }
        #expect(copy.names == ["store.sqlite"])
    }

    private func insert(_ values: SQLValue...) throws(SQLiteStatus) {
        let all = values + Array(repeating: SQLValue.null, count: 4 - values.count)
        try connection.statement("INSERT INTO things VALUES (?1, ?2, ?3, ?4)")
            .run(all[0], all[1], all[2], all[3])
    }

    private func first(_ body: (Statement) -> Void) throws {
        var count = 0
        try connection.statement("SELECT * FROM things").forEach { row throws(SQLiteStatus) in
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
            return "\(error)"
        }
    }
}

@Suite struct `A status of SQLite` {
    @Test(arguments: [
        (0, "SQLITE_OK"), (1, "SQLITE_ERROR"), (5, "SQLITE_BUSY"), (10, "SQLITE_IOERR"),
        (11, "SQLITE_CORRUPT"), (13, "SQLITE_FULL"), (26, "SQLITE_NOTADB"), (28, "SQLITE_WARNING"),
        (266, "SQLITE_IOERR_READ"), (522, "SQLITE_IOERR_SHORT_READ"), (778, "SQLITE_IOERR_WRITE"),
        (1034, "SQLITE_IOERR_FSYNC"), (8458, "SQLITE_IOERR_CORRUPTFS"),
        (8714, "SQLITE_IOERR (8714)"), (2067, "SQLITE_CONSTRAINT (2067)"), (99, "SQLITE_99"),
    ])
    func `has the name that SQLite gives it`(code: Int32, name: String) {
        #expect(SQLiteStatus(code: code, message: "").name == name)
    }

    @Test(arguments: [11, 26, 266, 522, 8202, 8458, 267])
    func `tells damage from trouble`(damage: Int32) {
        #expect(SQLiteStatus(code: damage, message: "").isDamage)
        for code: Int32 in [1, 7, 8, 10, 13, 14, 778, 1034, 1546] {
            #expect(!SQLiteStatus(code: code, message: "").isDamage)
        }
    }
}
