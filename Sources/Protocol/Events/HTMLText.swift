// Converts a field in HTML to plain text: no tags, line breaks where the tags make them, and
// characters in place of entities. Unclosed tags and unknown entities stay as they are.

/// UTF-8 in, UTF-8 out.
func plainText(ofHTML html: ArraySlice<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(html.count)
    let lastClose = html.lastIndex(of: UInt8(ascii: ">")) ?? html.startIndex
    var rest = html
    let isSpecial: (UInt8) -> Bool = { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
    while let special = rest.firstIndex(where: isSpecial) {
        plain.append(contentsOf: rest[..<special])
        rest = rest[special...]
        let byte = rest[special]
        if byte == UInt8(ascii: "<"), rest.startIndex < lastClose, let tag = Tag(at: rest) {
            tag.apply(to: &plain)
            rest = rest[tag.end...]
        } else if byte == UInt8(ascii: "&"), let entity = Entity.find(at: rest) {
            plain.append(contentsOf: String(entity.character).utf8)
            rest = rest[entity.end...]
        } else {
            plain.append(byte)
            rest.removeFirst()
        }
    }
    plain.append(contentsOf: rest)
    return plain.trimmingLineFeeds()
}

private struct Tag {
    private let name: String
    let end: Int

    private static let longestName = 10
    private static let blocks: Set = ["div", "p", "li", "ul", "ol", "tr", "table", "hr"]

    /// A tag begins with a letter, a slash or an exclamation mark; `a < b` contains no tag.
    init?(at html: ArraySlice<UInt8>) {
        let inside = html.dropFirst()
        guard let first = inside.first else { return nil }
        let isClosing = first == UInt8(ascii: "/")
        guard first.isLetter || isClosing || first == UInt8(ascii: "!"),
            let close = inside.firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let letters = inside.dropFirst(isClosing ? 1 : 0).prefix(Self.longestName)
        name = String(decoding: letters.prefix { $0.isLetter }.map { $0 | 0x20 }, as: UTF8.self)
        end = close + 1
    }

    /// A block begins and ends at the beginning of a line.
    func apply(to plain: inout [UInt8]) {
        let isBlock = Self.blocks.contains(name)
        let atLineStart = plain.last ?? .lineFeed == .lineFeed
        if name == "br" || isBlock && !atLineStart { plain.append(.lineFeed) }
    }
}

private struct Entity {
    let character: Unicode.Scalar
    let end: Int

    private static let mostDigits = 8
    private static let named: [(bytes: [UInt8], character: Unicode.Scalar)] = [
        (Array("amp;".utf8), "&"), (Array("lt;".utf8), "<"), (Array("gt;".utf8), ">"),
        (Array("quot;".utf8), "\""), (Array("apos;".utf8), "'"), (Array("nbsp;".utf8), " "),
    ]

    static func find(at html: ArraySlice<UInt8>) -> Entity? {
        let inside = html.dropFirst()
        if inside.first == UInt8(ascii: "#") { return find(number: inside.dropFirst()) }
        return named.first { inside.starts(with: $0.bytes) }.map {
            Entity(character: $0.character, end: inside.startIndex + $0.bytes.count)
        }
    }

    /// - Parameter number: the text behind the `#` of an entity such as `&#39;` or `&#x27;`.
    private static func find(number: ArraySlice<UInt8>) -> Entity? {
        let isHex = number.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = number.dropFirst(isHex ? 1 : 0).prefix(mostDigits + 1)
        guard let semicolon = digits.firstIndex(of: UInt8(ascii: ";")),
            digits.first != UInt8(ascii: "+"),
            let number = UInt32(  // fits: else it is nil
                String(decoding: digits[..<semicolon], as: UTF8.self), radix: isHex ? 16 : 10),
            number > 0, let character = Unicode.Scalar(number)
        else { return nil }
        return Entity(character: character, end: semicolon + 1)
    }
}

extension UInt8 {
    fileprivate static let lineFeed = UInt8(ascii: "\n")

    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

extension [UInt8] {
    fileprivate func trimmingLineFeeds() -> [UInt8] {
        guard let last = lastIndex(where: { $0 != .lineFeed }) else { return [] }
        return Array(self[...last].drop { $0 == .lineFeed })
    }
}
