/// Texts as one string, which is written and read much faster than a list. Each text follows its
/// number of bytes and a colon: `3:水5:water`.
public struct CountedTexts: Sendable {
    /// In their order.
    public let texts: [String]

    /// Any number of texts, with any bytes.
    public init(_ texts: [String]) { self.texts = texts }

    /// The form in an action or a state.
    public var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count + 4 })
        for text in texts {
            bytes += text.utf8.count.numeral.utf8
            bytes.append(UInt8(ascii: ":"))
            bytes += text.utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `nil` unless the text is the prefix followed by the form of such texts.
    public init?(_ text: String, after prefix: String = "") {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        let texts = text.withBytes { bytes in
            var reader = Reader(rest: bytes[prefix.utf8.count...])
            return reader.texts()
        }
        guard let texts else { return nil }
        self.texts = texts
    }
}

private struct Reader {
    var rest: Slice<UnsafeRawBufferPointer>

    mutating func texts() -> [String]? {
        var texts: [String] = []
        while !rest.isEmpty {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return texts
    }

    private mutating func text() -> String? {
        var count = 0
        while true {
            guard let byte = rest.popFirst() else { return nil }
            if byte == UInt8(ascii: ":") { break }
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte, count <= rest.count else {
                return nil
            }
            count = count * 10 + Int(byte - UInt8(ascii: "0"))  // fits: it was at most `rest.count`
        }
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return String(validating: rest.prefix(count), as: UTF8.self)
    }
}
