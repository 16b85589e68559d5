// Texts are stream-safe (UAX #15, section 13): at most `Limits.marks` combining marks follow each
// other. Whatever compares texts as Unicode does, such as `==` of `String`, first orders the marks
// in a row, and takes quadratic time for it. No language needs more than a few.

extension JSONReader {
    /// Whether a text has more marks in a row than the limits allow.
    ///
    /// - Parameter range: the text, between its quotes.
    func hasTooManyMarks(_ range: Range<Int>, isEscaped: Bool) -> Bool {
        let raw = bytes[range]
        guard isEscaped else { return Self.hasMarks(raw, moreThan: mostMarks) }
        // There may be a password in it.
        var plain = JSONText.unescaped(raw)
        defer { plain.wipe() }
        return Self.hasMarks(plain[...], moreThan: mostMarks)
    }

    /// - Parameter text: valid UTF-8.
    private static func hasMarks(_ text: ArraySlice<UInt8>, moreThan most: Int) -> Bool {
        text.withUnsafeBytes { text in
            // A mark has two bytes at least.
            guard text.count / 2 > most else { return false }
            var (at, marks) = (0, 0)
            while at < text.count {
                guard text[at] >= 0x80 else {
                    (at, marks) = (at + 1, 0)
                    continue
                }
                let (scalar, length) = text.scalar(at: at)
                at += length
                marks = scalar.isMark ? marks + 1 : 0
                if marks > most { return true }
            }
            return false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The scalar of more than one byte that begins at a place of valid UTF-8, and its length.
    fileprivate func scalar(at place: Int) -> (Unicode.Scalar, length: Int) {
        let first = UInt32(truncatingIfNeeded: self[place])
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = first & (0x7F &>> UInt32(truncatingIfNeeded: length))
        for byte in self[(place + 1)..<Swift.min(place + length, count)] {
            value = value &<< 6 | UInt32(truncatingIfNeeded: byte & 0x3F)
        }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}

extension Unicode.Scalar {
    /// A non-starter: its combining class is not 0. The class is looked up only in blocks that have
    /// marks; that leaves out Latin, Chinese, Korean and emoji.
    fileprivate var isMark: Bool {
        switch value {
        case 0x300..<0x1E00, 0x20D0..<0x2100, 0x2CE0..<0x3100, 0xA600..<0xAC00, 0xFB00..<0xFE30,
            0x1_0000..<0x1_F000:
            properties.canonicalCombiningClass != .notReordered
        default: false
        }
    }
}
