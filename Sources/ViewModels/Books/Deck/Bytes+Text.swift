import BusdProtocol

extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")

    /// Whether this is a letter of ASCII.
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// The value of a hexadecimal digit; `nil`: it is none.
    var hexadecimalValue: UInt8? {
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        let digit = self &- UInt8(ascii: "0")
        return digit < 10 ? digit : letter < 6 ? letter &+ 10 : nil
    }
}

extension ArraySlice<UInt8> {
    /// Without the spaces at both ends.
    var trimmed: ArraySlice<UInt8> { trimmed { $0 == .space } }

    func trimmed(_ isLeftOut: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let end = lastIndex { !isLeftOut($0) }.map { $0 + 1 } ?? startIndex
        return self[..<end].drop(while: isLeftOut)
    }

    /// - Parameter text: lowercase letters of ASCII, and spaces.
    func equalsIgnoringCase(_ text: some Sequence<UInt8>) -> Bool {
        elementsEqual(text) { own, wanted in
            own == wanted || wanted >= UInt8(ascii: "a") && own | 0x20 == wanted && own < 0x60
        }
    }

    /// The first place of a text, in either case.
    ///
    /// - Parameter text: lowercase letters of ASCII, and signs. It begins with a sign.
    func firstRange(ignoringCaseOf text: [UInt8]) -> Range<Int>? {
        var rest = self
        while let start = rest.firstIndex(where: { $0 == text.first }) {
            let end = start + text.count
            guard end <= endIndex else { return nil }
            if self[start..<end].equalsIgnoringCase(text) { return start..<end }
            rest = self[(start + 1)...]
        }
        return nil
    }

    /// The last place of a text.
    func lastRange(of text: [UInt8]) -> Range<Int>? {
        (startIndex...endIndex).last { self[$0...].starts(with: text) }.map {
            $0..<($0 + text.count)
        }
    }

    /// Whether a text in UTF-8 has only characters that cannot be seen.
    var isBlank: Bool {
        if contains(where: { 0x21...0x7E ~= $0 }) { return false }
        return String(decoding: self, as: UTF8.self).unicodeScalars.allSatisfy(\.isBlank)
    }
}
