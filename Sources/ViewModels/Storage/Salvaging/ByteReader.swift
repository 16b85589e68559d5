/// Reads numbers, one after the other, out of bytes that may be anything; `nil` where they end.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var count: Int { rest.count }

    /// An unsigned number of at most seven bytes, the high one first.
    mutating func number(_ count: Int) -> Int? {
        take(count)?.reduce(0) { $0 << 8 | Int($1) }  // fits: a byte does
    }

    /// A signed number of at most eight bytes, the high one first.
    mutating func signed(_ count: Int) -> Int64? {
        guard let bytes = take(count), let first = bytes.first else { return nil }
        return bytes.reduce(first < 0x80 ? 0 : -1) { $0 << 8 | Int64($1) }  // fits: a byte does
    }

    /// SQLite's own: seven bits in a byte, the high ones first, and eight in the ninth.
    mutating func varint() -> Int64? {
        var value: UInt64 = 0
        for _ in 1...8 {
            guard let byte = rest.popFirst() else { return nil }
            value = value << 7 | UInt64(byte & 0x7f)  // fits: a byte does
            if byte < 0x80 { return Int64(bitPattern: value) }
        }
        guard let last = rest.popFirst() else { return nil }
        return Int64(bitPattern: value << 8 | UInt64(last))  // fits: a byte does
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard 0...rest.count ~= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
