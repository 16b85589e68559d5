import Glibc

/// Searches for the end of a text, eight bytes at a time: most of the JSON read and written is
/// text, and nearly all of its bytes need no escape.
extension UnsafeRawBufferPointer {
    /// The index of the next such byte; `count` if there is none.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int {
        guard let baseAddress, start < count,
            let found = memchr(baseAddress + start, Int32(truncatingIfNeeded: byte), count - start)
        else { return count }
        return UnsafeRawPointer(found) - baseAddress
    }

    /// The index of the next byte before `end` that JSON escapes in a text (a quote, a backslash, a
    /// control character); `end` if there is none.
    func firstEscape(from start: Int, to end: Int) -> Int {
        var at = start
        while at + 8 <= end {
            let found = word(at: at).markingEscapes()
            if found != 0 { return at + found.trailingZeroBitCount / 8 }
            at += 8
        }
        while at < end, !Self.isEscaped(self[at]) { at += 1 }
        return at
    }

    /// Whether there is a byte that JSON escapes. The last eight bytes are read as one word, which
    /// may overlap the word before; 4 to 7 bytes are read as two halves, which may overlap.
    var hasEscape: Bool {
        switch count {
        case 8...:
            return word(at: count - 8).markingEscapes() != 0
                || firstEscape(from: 0, to: count & ~7) < count & ~7
        case 4...:
            let halves = half(at: 0) << 32 | half(at: count - 4)
            return halves.markingEscapes() != 0
        default: return contains(where: Self.isEscaped)
        }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    @inline(__always)
    private func word(at place: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    @inline(__always)
    private func half(at place: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
}

/// Marks bytes that need an escape, in their highest bit. Borrows can mark later bytes wrongly, so
/// only the first mark counts.
extension UInt64 {
    @inline(__always)
    fileprivate func markingEscapes() -> Self {
        let quotes = (self ^ Self.all(UInt8(ascii: "\""))) &- Self.all(1)
        let backslashes = (self ^ Self.all(UInt8(ascii: "\\"))) &- Self.all(1)
        let controls = self &- Self.all(0x20)
        return (quotes | backslashes | controls) & ~self & Self.all(0x80)
    }

    @inline(__always)
    private static func all(_ byte: UInt8) -> Self {
        0x0101_0101_0101_0101 &* UInt64(truncatingIfNeeded: byte)
    }
}
