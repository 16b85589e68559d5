/// A value of a document.
public struct JSONValue {
    let document: JSONDocument
    let index: Int

    private var node: JSONDocument.Node { document.node(index) }

    /// Decides which of the properties below can have a value.
    public var kind: JSONDocument.Kind { node.kind }

    /// The bytes of the value as they are in the line; of a text, those between its quotes.
    public var raw: ArraySlice<UInt8> { document.bytes(node.range) }

    /// The value as JSON, a text with its quotes.
    public var json: ArraySlice<UInt8> {
        let range = node.range
        return kind == .text ? document.bytes(range.lowerBound - 1..<range.upperBound + 1) : raw
    }

    // MARK: Scalars

    /// The text, without escapes; `nil`: the value is not a text.
    public var text: String? { document.text(index) }

    /// A text as a secret; `nil` if it is too long. The line has the only other copy in memory.
    var secret: Secret? {
        guard node.kind == .text else { return nil }
        guard node.isEscaped else { return Secret(checkingLength: raw) }
        var plain = JSONText.unescaped(raw)
        defer { plain.wipe() }
        return Secret(checkingLength: plain)
    }

    /// `nil` also if the magnitude is above `Limits.largestInteger`.
    public var integer: Int? {
        guard node.kind == .integer else { return nil }
        var digits = raw
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        var value = 0
        for digit in digits {
            value = value &* 10 &+ Int(truncatingIfNeeded: digit &- UInt8(ascii: "0"))
            guard value <= Limits.largestInteger else { return nil }
        }
        return isNegative ? -value : value
    }

    /// `nil` also if the number is too large for a `Double`.
    public var number: Double? {
        guard node.kind == .integer || node.kind == .number else { return nil }
        guard let value = Double(String(decoding: raw, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }

    /// The boolean; `nil`: the value is not a boolean.
    public var boolean: Bool? {
        node.kind == .boolean ? raw.first == UInt8(ascii: "t") : nil
    }

    // MARK: Children

    /// The elements of a list; empty for any other value.
    public var elements: Children { Children(of: self, if: .list) }

    /// The members of an object, each a key and a value; empty for any other value.
    public var members: Members { Members(children: Children(of: self, if: .object)) }

    /// The value of a key; `nil` if there is none, or if this is not an object.
    public subscript(key: String) -> JSONValue? {
        let node = node
        guard node.kind == .object else { return nil }
        var place = index + 1
        while place < node.next {
            let value = JSONValue(document: document, index: place + 1)
            if JSONValue(document: document, index: place).isExactly(text: key) { return value }
            place = value.node.next
        }
        return nil
    }

    /// The member of an object that has exactly one; else `nil`.
    public var onlyMember: (key: JSONValue, value: JSONValue)? {
        guard let key = document.onlyMember(of: index) else { return nil }
        return (
            JSONValue(document: document, index: key), JSONValue(document: document, index: key + 1)
        )
    }

    /// Compares code point by code point, not by canonical equivalence.
    package func isExactly(text: String) -> Bool {
        var text = text
        return text.withUTF8 { document.isText(index, $0) }
    }

    func isExactly(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { document.isText(index, $0) }
    }

    /// The elements of a list, in order.
    public struct Children: Sequence, IteratorProtocol {
        private let document: JSONDocument
        private var index: Int
        private let end: Int

        init(of value: JSONValue, if kind: JSONDocument.Kind) {
            document = value.document
            index = value.index + 1
            end = value.node.kind == kind ? value.node.next : index
        }

        public mutating func next() -> JSONValue? {
            guard index < end else { return nil }
            defer { index = document.node(index).next }
            return JSONValue(document: document, index: index)
        }
    }

    /// The keys and values of an object, in order.
    public struct Members: Sequence, IteratorProtocol {
        fileprivate var children: Children

        public mutating func next() -> (key: JSONValue, value: JSONValue)? {
            guard let key = children.next(), let value = children.next() else { return nil }
            return (key, value)
        }
    }
}
