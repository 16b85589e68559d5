/// Reads one line of JSON into a document, after RFC 8259 and PROTOCOL.md, section 1, and stricter
/// than most readers: UTF-8 only, no key twice (code point by code point), no lone surrogate, no
/// U+0000, and no more levels and values than the limits say. One pass, no allocation for a value,
/// and time linear in the line.
///
/// It is our own because the limits, the duplicate keys and the path of an error belong into that
/// one pass; the parsers at hand check them before or after, or not at all.
struct JSONReader {
    private let document: JSONDocument
    private let limits: Limits
    private var at = 0

    /// Throws what is wrong with the line, and where.
    static func read(
        _ line: Span<UInt8>, into document: JSONDocument, limits: Limits
    ) throws(JSONError) {
        document.hold(line)
        do {
            _ = try UTF8Span(validating: line)
        } catch {
            throw JSONError(at: error.byteOffsets.lowerBound, "this is not UTF-8")
        }
        var reader = JSONReader(document: document, limits: limits)
        do throws(JSONError) {
            try reader.readLine()
        } catch {
            document.nodes.removeAll(keepingCapacity: true)
            throw error
        }
    }

    private init(document: JSONDocument, limits: Limits) {
        self.document = document
        self.limits = limits
    }

    // MARK: Values

    private mutating func readLine() throws(JSONError) {
        skipSpaces()
        try readValue(level: 1)
        skipSpaces()
        guard peek == nil else { throw wrong("there is more after the end of the value") }
    }

    private mutating func readValue(level: Int) throws(JSONError) {
        guard let byte = peek else { throw wrong("a value is missing") }
        switch byte {
        case UInt8(ascii: "{"): try readObject(level: level)
        case UInt8(ascii: "["): try readList(level: level)
        case UInt8(ascii: "\""): try readText()
        case UInt8(ascii: "t"): try readWord("true", .boolean)
        case UInt8(ascii: "f"): try readWord("false", .boolean)
        case UInt8(ascii: "n"): try readWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
        default: throw wrong("a value can't begin like this")
        }
    }

    private mutating func readObject(level: Int) throws(JSONError) {
        let object = try open(.object, level: level)
        if !skip(UInt8(ascii: "}")) {
            repeat {
                skipSpaces()
                guard peek == UInt8(ascii: "\"") else { throw wrong("a key is missing") }
                try readText(isKey: true)
                skipSpaces()
                guard skip(UInt8(ascii: ":")) else { throw wrong("a colon is missing") }
                skipSpaces()
                try readValue(level: level + 1)
                skipSpaces()
            } while skip(UInt8(ascii: ","))
            guard skip(UInt8(ascii: "}")) else { throw wrong("a comma or } is missing") }
        }
        close(object)
        try refuseDoubleKeys(of: object)
    }

    private mutating func readList(level: Int) throws(JSONError) {
        let list = try open(.list, level: level)
        if !skip(UInt8(ascii: "]")) {
            repeat {
                skipSpaces()
                try readValue(level: level + 1)
                skipSpaces()
            } while skip(UInt8(ascii: ","))
            guard skip(UInt8(ascii: "]")) else { throw wrong("a comma or ] is missing") }
        }
        close(list)
    }

    private mutating func readWord(
        _ word: StaticString, _ kind: JSONDocument.Kind
    ) throws(JSONError) {
        let start = at
        let isThere = word.withUTF8Buffer { letters in
            document.bytes.dropFirst(start).starts(with: letters)
        }
        guard isThere else { throw wrong("this is not \(word)") }
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
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        guard at > start else { throw wrong("a digit is missing") }
    }

    // MARK: Texts

    private mutating func readText(isKey: Bool = false) throws(JSONError) {
        at += 1
        let start = at
        var isEscaped = false
        while true {
            guard let byte = peek else { throw wrong("a text does not end") }
            switch byte {
            case UInt8(ascii: "\""):
                try add(.text, from: start, isEscaped: isEscaped, isKey: isKey)
                at += 1
                return
            case UInt8(ascii: "\\"):
                isEscaped = true
                try readEscape()
            case 0..<0x20:
                throw wrong("a control character in a text is written as an escape")
            default:
                at += 1
            }
        }
    }

    private mutating func readEscape() throws(JSONError) {
        at += 1
        guard let escape = peek else { throw wrong("an escape does not end") }
        at += 1
        switch escape {
        case UInt8(ascii: "u"): try readUnicodeEscape()
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        default: throw wrong("there is no such escape")
        }
    }

    private mutating func readUnicodeEscape() throws(JSONError) {
        let unit = try readUnit()
        guard unit != 0 else { throw wrong("U+0000 is not accepted") }
        guard !UTF16.isTrailSurrogate(unit) else { throw wrong("a lone surrogate") }
        guard UTF16.isLeadSurrogate(unit) else { return }
        guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
            throw wrong("a lone surrogate")
        }
        guard UTF16.isTrailSurrogate(try readUnit()) else { throw wrong("a lone surrogate") }
    }

    private mutating func readUnit() throws(JSONError) -> UInt16 {
        guard let unit = JSONText.unit(document.bytes.dropFirst(at).prefix(4)) else {
            throw wrong("four hexadecimal digits are missing")
        }
        at += 4
        return unit
    }

    // MARK: Nodes

    private mutating func open(
        _ kind: JSONDocument.Kind, level: Int
    ) throws(JSONError) -> Int {
        guard level <= limits.depth else {
            throw wrong("more than \(limits.depth) levels (limit depth)")
        }
        let index = document.nodes.count
        let start = at
        at += 1
        try add(kind, from: start)
        skipSpaces()
        return index
    }

    private func close(_ index: Int) {
        document.nodes[index].end = Int32(truncatingIfNeeded: at)
        document.nodes[index].next = Int32(truncatingIfNeeded: document.nodes.count)
    }

    private var values = 0

    private mutating func add(
        _ kind: JSONDocument.Kind, from start: Int, isEscaped: Bool = false, isKey: Bool = false
    ) throws(JSONError) {
        if !isKey {
            values += 1
            guard values <= limits.values else {
                throw wrong("more than \(limits.values) values (limit values)")
            }
        }
        document.nodes.append(
            JSONDocument.Node(
                kind: kind, isEscaped: isEscaped, start: Int32(truncatingIfNeeded: start),
                end: Int32(truncatingIfNeeded: at),
                next: Int32(truncatingIfNeeded: document.nodes.count + 1)))
    }

    /// A few keys are compared with each other; many go through a set, whose hashing is seeded, so
    /// that nobody can prepare keys that collide.
    private func refuseDoubleKeys(of object: Int) throws(JSONError) {
        var few: [JSONValue] = []
        var many: Set<[UInt8]> = []
        for (key, _) in JSONValue(document: document, index: object).members {
            let isNew: Bool
            if few.count < 8 {
                isNew = !few.contains { $0.hasSameText(as: key) }
                few.append(key)
            } else {
                if many.isEmpty { many.formUnion(few.map(\.plainText)) }
                isNew = many.insert(key.plainText).inserted
            }
            guard isNew else {
                throw JSONError(at: key.offset, "the key \(key.text ?? "") stands here twice")
            }
        }
    }

    // MARK: Bytes

    private var peek: UInt8? { at < document.bytes.count ? document.bytes[at] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipSpaces() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            at += 1
        }
    }

    private func wrong(_ message: String) -> JSONError { JSONError(at: at, message) }
}

extension JSONValue {
    fileprivate var offset: Int { raw.startIndex }

    fileprivate var plainText: [UInt8] {
        raw.contains(UInt8(ascii: "\\")) ? JSONText.unescaped(raw) : Array(raw)
    }

    fileprivate func hasSameText(as other: JSONValue) -> Bool {
        if !raw.contains(UInt8(ascii: "\\")), !other.raw.contains(UInt8(ascii: "\\")) {
            return raw.elementsEqual(other.raw)
        }
        return plainText == other.plainText
    }
}
