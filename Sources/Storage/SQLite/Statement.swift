import BusdProtocol
import CBusdSQLite

/// A value that a statement takes, or that a row has.
enum SQLValue: Equatable {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// In a row, also a value of another type, or a text that is not UTF-8.
    case null

    static func integer(_ value: Int) -> Self { .integer(Int64(widening: value)) }
    static func integer(orNull value: Int?) -> Self { value.map { .integer($0) } ?? .null }

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var number: Int? { integer.flatMap { Int(exactly: $0) } }
    /// `nil` if no row can have this number.
    var rowNumber: Int? { number.flatMap { TableScan.numbers.contains($0) ? $0 : nil } }
    /// `nil` if no row can have this time.
    var instant: Instant? {
        integer.flatMap { Instant.stored.contains($0) ? Instant(microseconds: $0) : nil }
    }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}

/// A prepared statement. Its connection outlives it.
final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let path: String

    init(_ sql: String, on database: OpaquePointer, _ path: String) throws(StoreError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        try check(code, on: database, path)
        guard let handle else {
            throw .database(
                SQLiteStatus(code: SQLITE_MISUSE, message: "an empty statement"), path: path)
        }
        (self.handle, self.database, self.path) = (handle, database, path)
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs a statement and ignores its rows.
    func run(_ values: [SQLValue] = []) throws(StoreError) {
        defer { sqlite3_reset(handle) }
        try bind(values)
        while try step() {}
    }

    /// Calls `body` for each row, until it returns false.
    func forEach(
        _ values: [SQLValue] = [], body: ([SQLValue]) throws(StoreError) -> Bool
    ) throws(StoreError) {
        defer { sqlite3_reset(handle) }
        try bind(values)
        while try step() {
            guard try body(row) else { return }
        }
    }

    func firstRow(_ values: [SQLValue] = []) throws(StoreError) -> [SQLValue]? {
        defer { sqlite3_reset(handle) }
        try bind(values)
        return try step() ? row : nil
    }

    private func step() throws(StoreError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_DONE { return false }
        if code != SQLITE_ROW { try check(code, on: database, path) }
        return true
    }

    private func bind(_ values: [SQLValue]) throws(StoreError) {
        for (index, value) in values.enumerated() {
            let place = Int32(clamping: index + 1)
            try check(bind(value, at: place), on: database, path)
        }
    }

    /// Passes the length of a text, so that the text may contain NUL.
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

    private var row: [SQLValue] { (0..<sqlite3_column_count(handle)).map(value) }

    private func value(_ column: Int32) -> SQLValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(handle, column) else { return .null }
            let count = Int(widening: sqlite3_column_bytes(handle, column))
            let bytes = UnsafeBufferPointer(start: start, count: count)
            return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .null
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, column)
            let count = Int(widening: sqlite3_column_bytes(handle, column))
            return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }
}

/// Throws a status code as an error, with the message of the connection.
func check(_ code: Int32, on database: OpaquePointer?, _ path: String) throws(StoreError) {
    guard code != SQLITE_OK else { return }
    let message = database.map(sqlite3_errmsg) ?? sqlite3_errstr(code)
    throw .database(
        SQLiteStatus(code: code, message: message.map { String(cString: $0) } ?? ""), path: path)
}
