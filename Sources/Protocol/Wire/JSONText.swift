/// The text between the quotes of a JSON string.
enum JSONText {
    /// The UTF-8 that the escapes of a string stand for. The string has been read, so every escape
    /// in it is whole and every surrogate has its pair.
    static func unescaped(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(raw.count)
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                out.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "b"): out.append(0x08)
            case UInt8(ascii: "f"): out.append(0x0C)
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "u"): append(scalar(&rest), to: &out)
            default: out.append(escape)
            }
        }
        return out
    }

    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        let first = unit(rest.prefix(4)) ?? 0xFFFD
        rest = rest.dropFirst(4)
        guard UTF16.isLeadSurrogate(first), let second = unit(rest.dropFirst(2).prefix(4)) else {
            return Unicode.Scalar(first) ?? "\u{FFFD}"
        }
        rest = rest.dropFirst(6)
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private static func append(_ scalar: Unicode.Scalar, to out: inout [UInt8]) {
        out.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// The UTF-16 code unit of four hexadecimal digits; `nil` where they are not four.
    static func unit(_ digits: some Collection<UInt8>) -> UInt16? {
        guard digits.count == 4 else { return nil }
        var unit: UInt16 = 0
        for digit in digits {
            guard let value = hexadecimal(digit) else { return nil }
            unit = unit << 4 | UInt16(truncatingIfNeeded: value)
        }
        return unit
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }
}
