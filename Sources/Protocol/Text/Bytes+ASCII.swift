extension UInt8 {
    package static let tab = UInt8(ascii: "\t")
    package static let lineFeed = UInt8(ascii: "\n")
    package static let carriageReturn = UInt8(ascii: "\r")
    package static let space = UInt8(ascii: " ")
    package static let quote = UInt8(ascii: "\"")
    package static let backslash = UInt8(ascii: "\\")

    /// Whether this is a letter of ASCII.
    package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// Whether this is a digit of ASCII.
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    package var isLetterOrDigit: Bool { isLetter || isDigit }

    /// The value of a hexadecimal digit; `nil`: it is none.
    var hexadecimalValue: UInt8? {
        if isDigit { return self & 0x0F }
        let isHexadecimal = (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
        return isHexadecimal ? (self & 0x0F) + 9 : nil  // fits: at most 15
    }
}

extension ArraySlice<UInt8> {
    /// Whether a text in UTF-8 has only characters that cannot be seen.
    package var isBlank: Bool {
        if contains(where: { 0x21...0x7E ~= $0 }) { return false }
        return String(decoding: self, as: UTF8.self).unicodeScalars.allSatisfy(\.isBlank)
    }
}

extension Unicode.Scalar {
    /// Whether this character cannot be seen: a space, a control, or one that Unicode ignores by
    /// default.
    public var isBlank: Bool {
        if 0x21...0x7E ~= value { return false }
        return value < 0x21 || 0x7F...0xA0 ~= value || properties.isWhitespace
            || properties.isDefaultIgnorableCodePoint
    }
}
