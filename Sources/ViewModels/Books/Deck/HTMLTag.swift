import BusdProtocol

/// A tag of HTML, or a comment.
struct HTMLTag {
    /// The end of something that may be missing.
    enum End: Hashable {
        case comment
        case content(of: ExactText)
        case quotes
    }

    /// In lowercase; empty for a comment.
    private let name: String
    private let isClosing: Bool
    /// What is between the name and the end.
    private let inside: ArraySlice<UInt8>
    private let rules: PlainText.Rules
    /// The index behind the tag, or behind its content that is left out.
    private(set) var end: Int

    private static let longestName = 10
    private static let blocks: Set = ["div", "p", "li", "ul", "ol", "tr", "table", "hr"]
    /// The digit of `h1` is no part of the name.
    private static let blocksOfFiles: Set = [
        "h", "pre", "blockquote", "dl", "dt", "dd", "section", "article", "header", "footer",
        "center", "figure", "figcaption", "caption", "details", "summary",
    ]
    /// `rp` has parentheses for browsers without ruby.
    private static let leftOut: Set = ["style", "script", "rp"]

    var isLineBreak: Bool { name == "br" }
    var isBlock: Bool {
        Self.blocks.contains(name) || rules == .file && Self.blocksOfFiles.contains(name)
    }
    /// The beginning of a cell in a table.
    var isCell: Bool { !isClosing && (name == "td" || name == "th") }

    /// The beginning of a reading of the characters before it, as in `<ruby>三<rt>さん</rt></ruby>`.
    var isReading: Bool { name == "rt" && !isClosing }
    /// Also if the tag `</rt>` is missing.
    var endsReading: Bool { isClosing && (name == "rt" || name == "ruby") || isReading }

    /// A tag begins with a letter, a slash or an exclamation mark; `a < b` contains no tag.
    ///
    /// - Parameter html: a text that begins with `<`.
    init?(at html: ArraySlice<UInt8>, _ rules: PlainText.Rules, _ missing: inout Set<End>) {
        let inside = html.dropFirst()
        guard let first = inside.first else { return nil }
        isClosing = first == UInt8(ascii: "/")
        guard first.isLetter || isClosing || first == UInt8(ascii: "!"),
            let close = inside.firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let letters = inside.dropFirst(isClosing ? 1 : 0).prefix(Self.longestName)
        let name = letters.prefix { $0.isLetter }
        self.name = String(decoding: name.map { $0 | 0x20 }, as: UTF8.self)
        self.rules = rules
        var tagEnd = close
        if rules == .file, first.isLetter {
            tagEnd = Self.endOutsideQuotes(inside, from: name.endIndex, &missing) ?? close
        }
        self.inside = html[name.endIndex..<tagEnd]
        end = tagEnd + 1
        if rules == .file { skipContent(html, &missing) }
    }

    private mutating func skipContent(_ html: ArraySlice<UInt8>, _ missing: inout Set<End>) {
        if html.starts(with: "<!--".utf8) {
            skip(to: Array("-->".utf8), in: html.dropFirst(4), .comment, &missing)
        } else if Self.leftOut.contains(name), !isClosing {
            skip(
                to: Array("</\(name)".utf8), in: html[end...], .content(of: ExactText(name)),
                &missing)
        }
    }

    /// Moves the end behind the next `mark`, and behind the tag that it begins.
    private mutating func skip(
        to mark: [UInt8], in html: ArraySlice<UInt8>, _ what: End, _ missing: inout Set<End>
    ) {
        guard !missing.contains(what) else { return }
        guard let found = html.firstRange(ignoringCaseOf: mark),
            let close = html[(found.upperBound - 1)...].firstIndex(of: UInt8(ascii: ">"))
        else {
            missing.insert(what)
            return
        }
        end = close + 1
    }

    /// The index of the first `>` that is in no value in quotes.
    private static func endOutsideQuotes(
        _ html: ArraySlice<UInt8>, from start: Int, _ missing: inout Set<End>
    ) -> Int? {
        guard !missing.contains(.quotes) else { return nil }
        var open: UInt8?
        var isValue = false
        for at in start..<html.endIndex {
            let byte = html[at]
            if let quote = open {
                if byte == quote { open = nil }
            } else if byte == UInt8(ascii: ">") {
                return at
            } else if isValue, byte == .quote || byte == UInt8(ascii: "'") {
                open = byte
            }
            if byte > .space { isValue = byte == UInt8(ascii: "=") }
        }
        missing.insert(.quotes)
        return nil
    }

    // MARK: Images

    /// The text or the name of an image, empty if it has neither; nil for another tag.
    var image: [UInt8]? {
        guard name == "img", !isClosing else { return nil }
        if let text = attribute("alt"), !text[...].isBlank { return text }
        return attribute("src").map(Self.fileName) ?? []
    }

    /// The value of an attribute, with its entities decoded.
    private func attribute(_ wanted: StaticString) -> [UInt8]? {
        let isInKey: (UInt8) -> Bool = { $0.isLetter || $0 == UInt8(ascii: "-") }
        var rest = inside
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            var key = rest[..<equals].trimmed { $0 <= .space }
            if let other = key.lastIndex(where: { !isInKey($0) }) { key = key[(other + 1)...] }
            rest = rest[(equals + 1)...].drop { $0 <= .space }
            let value: ArraySlice<UInt8>
            if let quote = rest.first, quote == .quote || quote == UInt8(ascii: "'") {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                value = rest.prefix { $0 > .space }
                rest = rest[value.endIndex...]
            }
            if key.equalsIgnoringCase("\(wanted)".utf8) {
                return PlainText(html: value, rules, hasTags: false).bytes
            }
        }
        return nil
    }

    /// The name of a file without its folder, from an address; empty if the address has none.
    private static func fileName(_ address: [UInt8]) -> [UInt8] {
        if address.starts(with: "data:".utf8) { return [] }
        let path = address.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return decodingPercents(path.split(separator: UInt8(ascii: "/")).last ?? [])
    }

    /// `my%20cat.jpg` is `my cat.jpg`. The text stays as it is if the result is not UTF-8.
    private static func decodingPercents(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
                let low = rest.dropFirst().first?.hexadecimalValue
            {
                plain.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                plain.append(byte)
            }
        }
        return String(validating: plain, as: UTF8.self) == nil ? Array(text) : plain
    }
}
