/// Reads one line of JSON into a document, after RFC 8259 and PROTOCOL.md, section 1, and stricter
/// than most readers: UTF-8 only, no key twice (code point by code point), no lone surrogate, no
/// U+0000, and no more levels and values than the limits say. One pass, no allocation for a value,
/// and time linear in the line.
///
/// It is our own because the limits, the duplicate keys and the path of an error belong into that
/// one pass; the parsers at hand check them before or after, or not at all.
struct JSONReader {
    private let bytes: [UInt8]
    private let limits: Limits
    private var nodes: [JSONDocument.Node]
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
        var reader = JSONReader(bytes: document.bytes, limits: limits, nodes: document.takeNodes())
        try reader.readLine()
        document.hold(reader.nodes)
    }

    private init(bytes: [UInt8], limits: Limits, nodes: [JSONDocument.Node]) {
        self.bytes = bytes
        self.limits = limits
        self.nodes = nodes
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
            bytes.dropFirst(start).starts(with: letters)
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
            at = bytes.withUnsafeBytes { $0.firstEscape(from: at) }
            guard let byte = peek else { throw wrong("a text does not end") }
            switch byte {
            case UInt8(ascii: "\""):
                try add(.text, from: start, isEscaped: isEscaped, isKey: isKey)
                at += 1
                return
            case UInt8(ascii: "\\"):
                isEscaped = true
                try readEscape()
            default:
                throw wrong("a control character in a text is written as an escape")
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
        guard let unit = JSONText.unit(bytes.dropFirst(at).prefix(4)) else {
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
        let index = nodes.count
        let start = at
        at += 1
        try add(kind, from: start)
        skipSpaces()
        return index
    }

    private mutating func close(_ index: Int) {
        nodes[index].end = Int32(truncatingIfNeeded: at)
        nodes[index].next = Int32(truncatingIfNeeded: nodes.count)
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
        nodes.append(
            JSONDocument.Node(
                kind: kind, isEscaped: isEscaped, start: Int32(truncatingIfNeeded: start),
                end: Int32(truncatingIfNeeded: at),
                next: Int32(truncatingIfNeeded: nodes.count + 1)))
    }

    /// A few keys are compared with each other; many go through a set, whose hashing is seeded, so
    /// that nobody can prepare keys that collide.
    private func refuseDoubleKeys(of object: Int) throws(JSONError) {
        var (count, many) = (0, Set<[UInt8]>())
        var key = object + 1
        while key < nodes[object].next {
            let isDouble =
                if count < 8 {
                    stands(key, among: count, from: object + 1)
                } else {
                    !many.insert(plainText(key)).inserted
                }
            // It is not quoted: a password may have come to stand there.
            guard !isDouble else {
                throw JSONError(at: range(key).lowerBound, "a key stands here twice")
            }
            count += 1
            if count == 8 { many = firstKeys(of: object) }
            key = after(key)
        }
    }

    /// The key after the value of this one.
    private func after(_ key: Int) -> Int { Int(nodes[key + 1].next) }

    private func stands(_ key: Int, among count: Int, from first: Int) -> Bool {
        var other = first
        for _ in 0..<count {
            if hasSameText(key, other) { return true }
            other = after(other)
        }
        return false
    }

    private func firstKeys(of object: Int) -> Set<[UInt8]> {
        var (keys, key) = (Set<[UInt8]>(), object + 1)
        for _ in 0..<8 {
            keys.insert(plainText(key))
            key = after(key)
        }
        return keys
    }

    private func hasSameText(_ one: Int, _ other: Int) -> Bool {
        if nodes[one].isEscaped || nodes[other].isEscaped {
            return plainText(one) == plainText(other)
        }
        let (own, others) = (range(one), range(other))
        return own.count == others.count && zip(own, others).allSatisfy { bytes[$0] == bytes[$1] }
    }

    private func range(_ index: Int) -> Range<Int> {
        Int(nodes[index].start)..<Int(nodes[index].end)
    }

    private func raw(_ index: Int) -> ArraySlice<UInt8> { bytes[range(index)] }

    private func plainText(_ index: Int) -> [UInt8] {
        nodes[index].isEscaped ? JSONText.unescaped(raw(index)) : Array(raw(index))
    }

    // MARK: Bytes

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

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
