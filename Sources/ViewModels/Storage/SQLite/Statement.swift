import CBusdSQLite

/// What a statement takes and a row has.
enum SQLValue {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case null

    static func integer(_ value: Int) -> Self { .integer(Int64(value)) }  // fits: both have 64 bits
}

/// A prepared statement: bind and step. It is finalized with the object, which its connection
/// outlives.
final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer

    init(_ sql: String, on database: OpaquePointer) throws(SQLiteStatus) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        try check(code, on: database)
        guard let handle else {
            throw SQLiteStatus(code: SQLITE_MISUSE, message: "an empty statement")
        }
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs a statement that has no rows, or whose rows nobody wants.
    func run(_ values: SQLValue...) throws(SQLiteStatus) {
        defer { sqlite3_reset(handle) }
        try bind(values)
        while try step() {}
    }

    /// Hands each row to `body`, until that returns false.
    func forEach(
        _ values: SQLValue..., body: (Statement) throws(SQLiteStatus) -> Bool
    ) throws(SQLiteStatus) {
        defer { sqlite3_reset(handle) }
        try bind(values)
        while try step() {
            guard try body(self) else { return }
        }
    }

    /// The first column of the first row; `nil` unless it is an integer.
    func firstInteger(_ values: SQLValue...) throws(SQLiteStatus) -> Int64? {
        defer { sqlite3_reset(handle) }
        try bind(values)
        return try step() ? integer(0) : nil
    }

    private func step() throws(SQLiteStatus) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_DONE { return false }
        if code != SQLITE_ROW { try check(code, on: database) }
        return true
    }

    private func bind(_ values: [SQLValue]) throws(SQLiteStatus) {
        for (index, value) in values.enumerated() {
            try check(bind(value, at: Int32(index + 1)), on: database)  // fits: a statement has few
        }
    }

    /// Lengths are told, so that a text may hold any character.
    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    let count = UInt64($0.count)  // fits: a count does
                    return busd_bind_text(handle, index, $0.baseAddress, count)
                }
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                let count = UInt64($0.count)  // fits: a count does
                return busd_bind_blob(handle, index, $0.baseAddress, count)
            }
        case .null: return sqlite3_bind_null(handle, index)
        }
    }
}

// Of the present row.
extension Statement: Columns {
    func integer(_ column: Int32) -> Int64? {
        guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(handle, column)
    }

    func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(handle, column) == SQLITE_TEXT,
            let start = sqlite3_column_text(handle, column)
        else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))  // fits: 32 bits do
        return String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8]? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))  // fits: 32 bits do
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// A status code as an error, with what the connection says about it.
func check(_ code: Int32, on database: OpaquePointer?) throws(SQLiteStatus) {
    guard code != SQLITE_OK else { return }
    let message = database.map(sqlite3_errmsg) ?? sqlite3_errstr(code)
    throw SQLiteStatus(code: code, message: message.map { String(cString: $0) } ?? "")
}
