import Glibc

/// One line of JSON that has been read: a flat list of nodes over the line's bytes.
///
/// A node knows where its text is and which node follows its subtree, so nothing is allocated for a
/// value, and a value is found by walking. An object's children are key, value, key, value. A
/// document is used again for the next line; what was read from the line before is then gone.
///
/// There may be a password in the line. The document has the only copy of it, and overwrites it.
public final class JSONDocument {
    public enum Kind: UInt8, Sendable {
        case object
        case list
        case text
        case integer
        case number
        case boolean
        case null
    }

    struct Node {
        var kind: Kind
        /// A text with a backslash in it.
        var isEscaped = false
        /// The bytes of the value; of a text, those between its quotes.
        var start: Int32
        var end: Int32
        /// The node after this one and all below it.
        var next: Int32
    }

    // These are only ever read and replaced as a whole, so that no access to them needs a check at
    // run time.
    private var line: [UInt8] = []
    private var nodes: [Node] = []

    public var bytes: [UInt8] { line }

    /// Whether a type that is decoded passes over keys that it does not know, as a client does: a
    /// later daemon may say more. A daemon does not: it refuses what it does not understand.
    let ignoresUnknownKeys: Bool

    public init(ignoringUnknownKeys: Bool = false) { ignoresUnknownKeys = ignoringUnknownKeys }

    deinit { forget() }

    /// Holds no line any more.
    public func forget() {
        guard !line.isEmpty else { return }
        nodes = takeNodes()
        line = wipedLine()
    }

    /// Gives up its nodes; their memory serves again.
    func takeNodes() -> [Node] {
        var taken = nodes
        nodes = []
        taken.removeAll(keepingCapacity: true)
        return taken
    }

    private func wipedLine() -> [UInt8] {
        var wiped = line
        line = []
        wiped.wipe()
        wiped.removeAll(keepingCapacity: true)
        return wiped
    }

    func hold(_ line: Span<UInt8>) {
        forget()
        var bytes = self.line
        self.line = []
        // Growing would leave bytes behind; these are none.
        bytes.reserveCapacity(line.count)
        line.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        self.line = bytes
    }

    func hold(_ nodes: [Node]) { self.nodes = nodes }

    /// The outermost value. A document that holds no line has none.
    public var root: JSONValue? { nodes.isEmpty ? nil : JSONValue(document: self, index: 0) }

    func node(_ index: Int) -> Node { nodes[index] }

    fileprivate func holds(_ wanted: String, from start: Int, to end: Int) -> Bool {
        guard end - start == wanted.utf8.count else { return false }
        var wanted = wanted
        return wanted.withUTF8 { wanted in
            line[start..<end].withUnsafeBytes { own in
                guard let own = own.baseAddress, let wanted = wanted.baseAddress else {
                    return true
                }
                return memcmp(own, wanted, end - start) == 0
            }
        }
    }
}

/// A value of a document.
public struct JSONValue {
    let document: JSONDocument
    let index: Int

    private var node: JSONDocument.Node { document.node(index) }

    public var kind: JSONDocument.Kind { node.kind }

    /// The bytes of the value as they stand in the line; of a text, those between its quotes.
    public var raw: ArraySlice<UInt8> {
        let node = node
        return document.bytes[Int(node.start)..<Int(node.end)]
    }

    /// A text of at most 16 bytes as a number; `nil` for a longer one.
    var shortText: UInt128? {
        let node = node
        guard node.kind == .text else { return nil }
        return node.isEscaped ? UInt128(short: JSONText.unescaped(raw)) : UInt128(short: raw)
    }

    /// The value as JSON, a text with its quotes.
    public var json: ArraySlice<UInt8> {
        node.kind == .text ? document.bytes[(Int(node.start) - 1)..<(Int(node.end) + 1)] : raw
    }

    // MARK: Scalars

    public var text: String? {
        guard node.kind == .text else { return nil }
        return node.isEscaped
            ? String(decoding: JSONText.unescaped(raw), as: UTF8.self)
            : String(decoding: raw, as: UTF8.self)
    }

    /// A text of which no other copy is left in memory than the line's.
    var secret: Secret? {
        guard node.kind == .text else { return nil }
        guard node.isEscaped else { return Secret(raw) }
        var plain = JSONText.unescaped(raw)
        defer { plain.wipe() }
        return Secret(plain)
    }

    /// `nil` also where the integer does not fit.
    public var integer: Int? {
        guard node.kind == .integer else { return nil }
        var digits = raw
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        var value = 0
        for digit in digits {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let ones = Int(digit &- UInt8(ascii: "0"))
            let (next, overflowAgain) =
                isNegative
                ? tens.subtractingReportingOverflow(ones) : tens.addingReportingOverflow(ones)
            guard !overflow, !overflowAgain else { return nil }
            value = next
        }
        return value
    }

    /// `nil` also where the number is too large for a `Double`.
    public var number: Double? {
        guard node.kind == .integer || node.kind == .number else { return nil }
        guard let value = Double(String(decoding: raw, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }

    public var boolean: Bool? {
        node.kind == .boolean ? raw.first == UInt8(ascii: "t") : nil
    }

    // MARK: Children

    /// The elements of a list; nothing of any other value.
    public var elements: Children { Children(of: self, if: .list) }

    /// The members of an object, a key and a value each; nothing of any other value.
    public var members: Members { Members(children: Children(of: self, if: .object)) }

    /// The value of a key; `nil` where there is none, and of anything but an object.
    public subscript(key: String) -> JSONValue? {
        let node = node
        guard node.kind == .object else { return nil }
        var place = index + 1
        while place < node.next {
            let value = JSONValue(document: document, index: place + 1)
            if JSONValue(document: document, index: place).isExactly(key) { return value }
            place = Int(value.node.next)
        }
        return nil
    }

    /// Code point by code point, not by canonical equivalence.
    package func isExactly(_ wanted: String) -> Bool {
        let node = node
        guard node.isEscaped else {
            return document.holds(wanted, from: Int(node.start), to: Int(node.end))
        }
        return JSONText.unescaped(raw).elementsEqual(wanted.utf8)
    }

    public struct Children: Sequence, IteratorProtocol {
        private let document: JSONDocument
        private var index: Int
        private let end: Int

        init(of value: JSONValue, if kind: JSONDocument.Kind) {
            document = value.document
            index = value.index + 1
            end = value.node.kind == kind ? Int(value.node.next) : index
        }

        public mutating func next() -> JSONValue? {
            guard index < end else { return nil }
            defer { index = Int(document.node(index).next) }
            return JSONValue(document: document, index: index)
        }
    }

    public struct Members: Sequence, IteratorProtocol {
        fileprivate var children: Children

        public mutating func next() -> (key: JSONValue, value: JSONValue)? {
            guard let key = children.next(), let value = children.next() else { return nil }
            return (key, value)
        }
    }
}

extension UInt128 {
    /// At most 16 bytes as a number, in which none of them is 0; `nil` for more of them.
    init?(short bytes: some Collection<UInt8>) {
        guard bytes.count <= 16 else { return nil }
        self = 0
        for byte in bytes { self = self << 8 | UInt128(byte) }
    }
}
