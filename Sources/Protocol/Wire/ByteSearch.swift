import Glibc

/// Finding the byte at which something ends, sixteen bytes at a time: long texts are most of what
/// there is to read and to write, and nearly all of their bytes stand for themselves.
extension UnsafeRawBufferPointer {
    /// Where the byte stands next; `count` where it does not.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int {
        guard let baseAddress, start < count,
            let found = memchr(baseAddress + start, Int32(truncatingIfNeeded: byte), count - start)
        else { return count }
        return UnsafeRawPointer(found) - baseAddress
    }

    /// Where the next byte before `end` stands that JSON escapes in a text (a quote, a backslash, a
    /// control character); `end` where there is none.
    func firstEscape(from start: Int, to end: Int) -> Int {
        var at = start
        while at + 16 <= end {
            let found = words(at: at).markingEscapes()
            if found[0] != 0 { return at + found[0].trailingZeroBitCount / 8 }
            if found[1] != 0 { return at + 8 + found[1].trailingZeroBitCount / 8 }
            at += 16
        }
        while at < end, !Self.isEscaped(self[at]) { at += 1 }
        return at
    }

    /// Whether there is such a byte. Of eight to sixteen bytes the first eight and the last eight
    /// are all, some of them twice.
    var hasEscape: Bool {
        guard (8...16).contains(count) else { return firstEscape(from: 0, to: count) < count }
        return SIMD2(word(at: 0), word(at: count - 8)).markingEscapes() != .zero
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    @inline(__always)
    private func words(at place: Int) -> SIMD2<UInt64> {
        let words = loadUnaligned(fromByteOffset: place, as: SIMD2<UInt64>.self)
        return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    }

    @inline(__always)
    private func word(at place: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}

/// A byte of a word is marked, in its highest bit, where it is one that is looked for. Borrows can
/// mark bytes behind the first one wrongly, so only the first mark counts.
extension SIMD2<UInt64> {
    @inline(__always)
    fileprivate func markingEscapes() -> Self {
        let quotes = (self ^ Self.all(UInt8(ascii: "\""))) &- Self.all(1)
        let backslashes = (self ^ Self.all(UInt8(ascii: "\\"))) &- Self.all(1)
        let controls = self &- Self.all(0x20)
        return (quotes | backslashes | controls) & ~self & Self.all(0x80)
    }

    private static func all(_ byte: UInt8) -> Self {
        Self(repeating: 0x0101_0101_0101_0101 &* UInt64(byte))
    }
}
