import CSQLite
import Measures

/// A writer with nothing but SQLite: one row of 200 bytes in place of each `send`, and as many rows
/// per commit as busd has sends.
final class BareWriter {
    private let handle: OpaquePointer?
    private let statements: [OpaquePointer?]
    private let rows: Int

    init(in folder: String, rowsPerCommit rows: Int) {
        self.rows = rows
        var handle: OpaquePointer?
        Self.check(sqlite3_open("\(folder)/bare.sqlite", &handle), "open")
        let setUp = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA locking_mode = EXCLUSIVE;
            CREATE TABLE rows (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
            """
        Self.check(sqlite3_exec(handle, setUp, nil, nil, nil), "set-up")
        let insert = "INSERT INTO rows (bytes) VALUES (zeroblob(200))"
        statements = ["BEGIN IMMEDIATE", insert, "COMMIT"].map { sql in
            var statement: OpaquePointer?
            Self.check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil), sql)
            return statement
        }
        self.handle = handle
    }

    deinit {
        for statement in statements { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    func run(seconds: Double, _ latencies: inout Latencies) {
        let start = Clock.now
        while Clock.now - start < seconds {
            let began = Clock.now
            step(statements[0])
            for _ in 0..<rows { step(statements[1]) }
            step(statements[2])
            latencies.note(Clock.now - began)
        }
        latencies.elapsed += Clock.now - start
    }

    private func step(_ statement: OpaquePointer?) {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        if code != SQLITE_DONE { Self.check(code, "step") }
    }

    private static func check(_ code: Int32, _ what: String) {
        if code != SQLITE_OK { stop("sqlite: \(what): \(String(cString: sqlite3_errstr(code)))") }
    }
}
