import Glibc

/// Finding the byte at which something ends, eight bytes at a time: long texts are most of what
/// there is to read and to write, and nearly all of their bytes stand for themselves.
///
/// A byte of a word is marked, in its highest bit, where it is one that is looked for. Borrows can
/// mark bytes behind the first one wrongly, so only the first mark counts.
extension UnsafeRawBufferPointer {
    /// Where the byte stands next; `count` where it does not.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int {
        guard let baseAddress, start < count,
            let found = memchr(baseAddress + start, Int32(truncatingIfNeeded: byte), count - start)
        else { return count }
        return UnsafeRawPointer(found) - baseAddress
    }

    /// Where the next byte stands that JSON escapes in a text (a quote, a backslash, a control
    /// character); `count` where there is none.
    func firstEscape(from start: Int) -> Int {
        var at = start
        while at + 8 <= count {
            let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let found = Self.escapes(word)
            if found != 0 { return at + found.trailingZeroBitCount / 8 }
            at += 8
        }
        while at < count, !Self.isEscaped(self[at]) { at += 1 }
        return at
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Marks the bytes that are escaped.
    private static func escapes(_ word: UInt64) -> UInt64 {
        zeros(word ^ quotes) | zeros(word ^ backslashes) | (word &- 0x20 &* ones) & ~word & highest
    }

    /// Marks the bytes that are 0.
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highest }

    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var highest: UInt64 { 0x80 &* ones }
    private static var quotes: UInt64 { UInt64(UInt8(ascii: "\"")) &* ones }
    private static var backslashes: UInt64 { UInt64(UInt8(ascii: "\\")) &* ones }
}
