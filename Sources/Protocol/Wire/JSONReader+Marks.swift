// Texts are stream-safe (UAX #15, section 13): at most `Limits.marks` consecutive combining marks.
// Code that compares texts as Unicode does, such as `==` of `String`, first sorts consecutive
// marks, which takes quadratic time. No language needs more than a few.

extension JSONReader {
    /// Whether a text has more marks in a row than the limits allow.
    ///
    /// - Parameter range: the text, between its quotes.
    func hasTooManyMarks(_ range: Range<Int>, isEscaped: Bool) -> Bool {
        let raw = bytes[range]
        guard isEscaped else { return Self.hasMarks(raw, moreThan: mostMarks) }
        // It may be a password.
        var plain = JSONText.unescaped(raw)
        defer { plain.wipe() }
        return Self.hasMarks(plain[...], moreThan: mostMarks)
    }

    /// For most scalars, the bytes alone show that they are not marks. The others are looked up
    /// only if there are too many in a row, from the last one backwards, because looking up each
    /// would cost as much as the rest of a line.
    ///
    /// - Parameter text: valid UTF-8.
    private static func hasMarks(_ text: ArraySlice<UInt8>, moreThan most: Int) -> Bool {
        text.withUnsafeBytes { text in
            // A mark has two bytes at least.
            guard text.count / 2 > most else { return false }
            var (at, run) = (0, 0)
            while at < text.count {
                let next = at + text.scalarLength(at: at)
                run = text.mayBeMark(at: at) ? run + 1 : 0
                at = next
                guard run > most else { continue }
                run = text.marks(before: at, most: run)
                if run > most { return true }
            }
            return false
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func scalarLength(at place: Int) -> Int {
        switch self[place] {
        case ..<0x80: 1
        case ..<0xE0: 2
        case ..<0xF0: 3
        default: 4
        }
    }

    /// False for a scalar of a block without marks: Latin, most of Chinese and Japanese, Korean,
    /// emoji. The first two bytes determine the block.
    fileprivate func mayBeMark(at place: Int) -> Bool {
        let first = self[place]
        guard first >= 0xCC, place + 1 < count else { return false }
        let second = self[place + 1]
        switch first {
        case 0xCC...0xE0: return true
        case 0xE1: return second < 0xB8  // U+1000 to U+1DFF
        case 0xE2: return second == 0x83 || second >= 0xB3  // U+20C0, U+2CC0
        case 0xE3: return second <= 0x82  // to U+30BF
        case 0xEA: return 0x98...0xAF ~= second  // U+A600 to U+ABFF
        case 0xEF: return second == 0xAC || second == 0xB8  // U+FB00, U+FE00
        case 0xF0: return 0x90...0x9E ~= second  // U+10000 to U+1EFFF
        default: return false
        }
    }

    /// The number of consecutive marks before a place, counted up to `most`.
    fileprivate func marks(before place: Int, most: Int) -> Int {
        var (end, marks) = (place, 0)
        while end > 0, marks < most {
            var start = end - 1
            while start > 0, self[start] & 0xC0 == 0x80 { start -= 1 }
            let scalar = String(decoding: self[start..<end], as: UTF8.self).unicodeScalars.first
            guard scalar?.isNonStarter == true else { break }
            (end, marks) = (start, marks + 1)
        }
        return marks
    }
}
