/// Reads one line of JSON into a document, by RFC 8259 and docs/protocol.md, "Lines". Stricter
/// than most readers: UTF-8 only, no duplicate keys (compared code point by code point), no lone
/// surrogate, no U+0000, and limits on levels and values. It takes one pass, allocates nothing per
/// value, and its time is linear in the length of the line.
///
/// Existing parsers check limits, duplicate keys and the path of an error in another pass, or not
/// at all. This one does so in the same pass.
struct JSONReader {
    let bytes: [UInt8]
    /// The index after the line.
    private let end: Int
    private let mostLevels: Int
    private let mostValues: Int
    /// Consecutive combining marks in a text.
    let mostMarks: Int
    /// Not all of the line is ASCII, or an escape stands for a character that may be a mark.
    private var mayHaveMarks: Bool
    private(set) var nodes: [JSONDocument.Node]
    private var at = 0

    /// Throws the first fault of the line.
    static func read(
        _ line: Span<UInt8>, into document: JSONDocument, limits: Limits
    ) throws(JSONError) {
        let nodes = document.takeNodes()
        let isASCII: Bool
        do {
            isASCII = try UTF8Span(validating: line).isKnownASCII
        } catch {
            document.forget()
            throw JSONError(at: error.byteOffsets.lowerBound, "invalid UTF-8")
        }
        var reader = JSONReader(
            document.hold(line, isASCII: isASCII), end: line.count, isASCII: isASCII, limits,
            nodes)
        try reader.readLine()
        document.hold(reader.nodes)
    }

    private init(
        _ bytes: [UInt8], end: Int, isASCII: Bool, _ limits: Limits,
        _ nodes: [JSONDocument.Node]
    ) {
        self.bytes = bytes
        self.end = end
        mostLevels = limits.depth
        mostValues = limits.values
        mostMarks = limits.marks
        mayHaveMarks = !isASCII
        self.nodes = nodes
    }

    // MARK: Values

    private mutating func readLine() throws(JSONError) {
        skipSpaces()
        try readValue(level: 1)
        skipSpaces()
        guard peek == nil else { throw wrong("unexpected text after the value") }
    }

    private mutating func readValue(level: Int) throws(JSONError) {
        guard let byte = peek else { throw wrong("expected a value") }
        switch byte {
        case UInt8(ascii: "{"): try readObject(level: level)
        case UInt8(ascii: "["): try readList(level: level)
        case UInt8(ascii: "\""): try readText()
        case UInt8(ascii: "t"): try readWord("true", .boolean)
        case UInt8(ascii: "f"): try readWord("false", .boolean)
        case UInt8(ascii: "n"): try readWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
        default: throw wrong("expected a value")
        }
    }

    private mutating func readObject(level: Int) throws(JSONError) {
        let object = try open(.object, level: level)
        var keys = 0
        if !skip(UInt8(ascii: "}")) {
            repeat {
                keys += 1
                skipSpaces()
                guard peek == UInt8(ascii: "\"") else { throw wrong("expected a key") }
                try readText(isKey: true)
                skipSpaces()
                guard skip(UInt8(ascii: ":")) else { throw wrong("expected a colon") }
                skipSpaces()
                try readValue(level: level + 1)
                skipSpaces()
            } while skip(UInt8(ascii: ","))
            guard skip(UInt8(ascii: "}")) else { throw wrong("expected a comma or }") }
        }
        close(object)
        if keys > 1 { try refuseDoubleKeys(of: object, keys) }
    }

    private mutating func readList(level: Int) throws(JSONError) {
        let list = try open(.list, level: level)
        if !skip(UInt8(ascii: "]")) {
            repeat {
                skipSpaces()
                try readValue(level: level + 1)
                skipSpaces()
            } while skip(UInt8(ascii: ","))
            guard skip(UInt8(ascii: "]")) else { throw wrong("expected a comma or ]") }
        }
        close(list)
    }

    private mutating func readWord(
        _ word: StaticString, _ kind: JSONDocument.Kind
    ) throws(JSONError) {
        let start = at
        let matches = word.withUTF8Buffer { letters in
            bytes[start..<end].starts(with: letters)
        }
        guard matches else { throw wrong("expected \(word)") }
        at += word.utf8CodeUnitCount
        try add(kind, from: start)
    }

    // MARK: Numbers

    private mutating func readNumber() throws(JSONError) {
        let start = at
        var kind = JSONDocument.Kind.integer
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try readDigits() }
        if skip(UInt8(ascii: ".")) {
            kind = .number
            try readDigits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            kind = .number
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try readDigits()
        }
        try add(kind, from: start)
    }

    private mutating func readDigits() throws(JSONError) {
        let start = at
        while let byte = peek, byte.isDigit { at += 1 }
        guard at > start else { throw wrong("expected a digit") }
    }

    // MARK: Texts

    private mutating func readText(isKey: Bool = false) throws(JSONError) {
        let start = at + 1
        at = start
        skipPlain()
        let isEscaped = peek == UInt8(ascii: "\\")
        while peek == UInt8(ascii: "\\") {
            try readEscape()
            skipPlain()
        }
        guard at < end else { throw wrong("unterminated text") }
        guard bytes[at] == UInt8(ascii: "\"") else {
            throw wrong("escape control characters in texts")
        }
        if mayHaveMarks, hasTooManyMarks(start..<at, isEscaped: isEscaped) {
            throw wrong("more than \(mostMarks) combining marks in a row")
        }
        try add(.text, from: start, isEscaped: isEscaped, isKey: isKey)
        at += 1
    }

    @inline(__always)
    private mutating func skipPlain() {
        at = bytes.withUnsafeBytes { $0.firstEscape(from: at, to: end) }
    }

    private mutating func readEscape() throws(JSONError) {
        at += 1
        guard let escape = peek else { throw wrong("unterminated escape") }
        at += 1
        switch escape {
        case UInt8(ascii: "u"): try readUnicodeEscape()
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        default: throw wrong("unknown escape")
        }
    }

    private mutating func readUnicodeEscape() throws(JSONError) {
        let unit = try readUnit()
        guard unit != 0 else { throw wrong("U+0000 is not allowed") }
        if unit >= 0x300 { mayHaveMarks = true }
        guard !UTF16.isTrailSurrogate(unit) else { throw wrong("lone surrogate") }
        guard UTF16.isLeadSurrogate(unit) else { return }
        guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")),
            UTF16.isTrailSurrogate(try readUnit())
        else { throw wrong("lone surrogate") }
    }

    private mutating func readUnit() throws(JSONError) -> UInt16 {
        guard let unit = JSONText.unit(of: bytes[..<end], at: at) else {
            throw wrong("expected four hexadecimal digits")
        }
        at += 4
        return unit
    }

    // MARK: Nodes

    private mutating func open(
        _ kind: JSONDocument.Kind, level: Int
    ) throws(JSONError) -> Int {
        guard level <= mostLevels else {
            throw wrong("more than \(mostLevels) levels (limit depth)")
        }
        let index = nodes.count
        let start = at
        at += 1
        try add(kind, from: start)
        skipSpaces()
        return index
    }

    private mutating func close(_ index: Int) {
        nodes[index].close(at: at, next: nodes.count)
    }

    private var values = 0

    private mutating func add(
        _ kind: JSONDocument.Kind, from start: Int, isEscaped: Bool = false, isKey: Bool = false
    ) throws(JSONError) {
        if !isKey {
            values += 1
            guard values <= mostValues else {
                throw wrong("more than \(mostValues) values (limit values)")
            }
        }
        nodes.append(
            JSONDocument.Node(
                kind, isEscaped: isEscaped, from: start, to: at, next: nodes.count + 1))
    }

    // MARK: Bytes

    // Called for each byte, so inlined: a call would copy the reader.

    @inline(__always)
    private var peek: UInt8? { at < end ? bytes[at] : nil }

    @inline(__always)
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        at += 1
        return true
    }

    @inline(__always)
    private mutating func skipSpaces() {
        while let byte = peek, byte <= 0x20,
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        { at += 1 }
    }

    private func wrong(_ message: String) -> JSONError { JSONError(at: at, message) }
}
