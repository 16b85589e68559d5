/// The text between the quotes of a JSON string.
enum JSONText {
    /// The UTF-8 of a string, with its escapes replaced. The string has been read, so every escape
    /// in it is whole and every surrogate has its pair.
    static func unescaped(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(raw.count)
        var place = raw.startIndex
        while place < raw.endIndex {
            let byte = raw[place]
            place += 1
            guard byte == UInt8(ascii: "\\"), place < raw.endIndex else {
                out.append(byte)
                continue
            }
            let escape = raw[place]
            place += 1
            switch escape {
            case UInt8(ascii: "b"): out.append(0x08)
            case UInt8(ascii: "f"): out.append(0x0C)
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "u"): append(scalar(of: raw, at: &place), to: &out)
            default: out.append(escape)
            }
        }
        return out
    }

    private static func scalar(
        of raw: ArraySlice<UInt8>, at place: inout Int
    ) -> Unicode.Scalar {
        let first = unit(of: raw, at: place) ?? 0xFFFD
        place += 4
        // A `\u` follows a leading surrogate.
        guard UTF16.isLeadSurrogate(first), let second = unit(of: raw, at: place + 2) else {
            return Unicode.Scalar(first) ?? "\u{FFFD}"
        }
        place += 6
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private static func append(_ scalar: Unicode.Scalar, to out: inout [UInt8]) {
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { out.append(byte) }
    }

    /// The UTF-16 code unit of the four hexadecimal digits at a place; `nil` if they are not four.
    static func unit(of bytes: ArraySlice<UInt8>, at place: Int) -> UInt16? {
        guard place <= bytes.endIndex - 4 else { return nil }
        var unit: UInt16 = 0
        for digit in place..<(place + 4) {
            guard let value = bytes[digit].hexadecimalValue else { return nil }
            unit = unit << 4 | UInt16(truncatingIfNeeded: value)
        }
        return unit
    }
}
