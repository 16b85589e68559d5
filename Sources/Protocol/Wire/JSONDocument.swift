import Glibc

/// One line of JSON that has been read: a flat list of nodes over the line's bytes.
///
/// A node has the range of its text and the index of the node after its subtree, so values need no
/// allocation and are found by walking. The children of an object are key, value, key, value. The
/// document is reused for the next line, which makes values of the line before invalid.
///
/// The line may contain a password. The document has the only copy of the line, and overwrites it.
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
        /// The value is a text with a backslash in it.
        var isEscaped: Bool
        private let start: Int32
        private var end: Int32
        private var after: Int32

        init(_ kind: Kind, isEscaped: Bool, from start: Int, to end: Int, next: Int) {
            self.kind = kind
            self.isEscaped = isEscaped
            self.start = Int32(truncatingIfNeeded: start)
            self.end = Int32(truncatingIfNeeded: end)
            after = Int32(truncatingIfNeeded: next)
        }

        /// The bytes of the value; of a text, those between its quotes.
        var range: Range<Int> {
            Int(truncatingIfNeeded: start)..<Int(truncatingIfNeeded: end)
        }
        /// The node after this one and all below it.
        var next: Int { Int(truncatingIfNeeded: after) }

        mutating func close(at end: Int, next: Int) {
            self.end = Int32(truncatingIfNeeded: end)
            after = Int32(truncatingIfNeeded: next)
        }
    }

    // These are only read and replaced as a whole, so accesses to them need no check at run time.
    private var memory: [UInt8] = []
    private var nodes: [Node] = []
    /// The length of the line in `memory`. Zeros follow it, at least sixteen.
    private(set) var length = 0
    /// All of the line is ASCII.
    private var isASCII = false

    /// True in a client. It ignores unknown keys, because a later daemon may send more. It makes
    /// texts stream-safe, because it compares them. A daemon does neither.
    let isLenient: Bool

    public init(isLenient: Bool = false) { self.isLenient = isLenient }

    deinit { forget() }

    /// Overwrites the line and removes its nodes.
    public func forget() {
        guard length > 0 else { return }
        nodes = takeNodes()
        var memory = self.memory
        self.memory = []
        memory.wipe(0..<length)
        self.memory = memory
        length = 0
    }

    /// Returns the array of nodes, emptied, so that its memory is used again.
    func takeNodes() -> [Node] {
        var taken = nodes
        nodes = []
        if !taken.isEmpty { taken.removeAll(keepingCapacity: true) }
        return taken
    }

    /// Replaces the line before. Returns the memory, which begins with the line.
    func hold(_ line: Span<UInt8>, isASCII: Bool) -> [UInt8] {
        var memory = self.memory
        self.memory = []
        if memory.count < line.count + 16 {
            memory.wipe()
            memory = [UInt8](repeating: 0, count: line.count + 16)
        }
        line.withUnsafeBytes { line in memory.withUnsafeMutableBytes { $0.copyMemory(from: line) } }
        if line.count < length { memory.wipe(line.count..<length) }
        self.memory = memory
        self.isASCII = isASCII
        length = line.count
        return memory
    }

    func hold(_ nodes: [Node]) { self.nodes = nodes }

    /// The outermost value; `nil`: the document holds no line.
    public var root: JSONValue? { nodes.isEmpty ? nil : JSONValue(document: self, index: 0) }

    // MARK: Values, by the numbers of their nodes

    func node(_ index: Int) -> Node { nodes[index] }

    fileprivate func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { memory[range] }

    /// The index of the key, if an object has exactly one member. The value follows it.
    fileprivate func onlyMember(of index: Int) -> Int? {
        let object = nodes[index]
        // An object that has members has a key and a value in it.
        guard object.kind == .object, object.next > index + 1,
            nodes[index + 2].next == object.next
        else { return nil }
        return index + 1
    }

    /// Compares code point by code point, not by canonical equivalence.
    func isText(_ index: Int, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        let node = nodes[index]
        guard !node.isEscaped else {
            return JSONText.unescaped(bytes(node.range)).elementsEqual(wanted)
        }
        guard node.range.count == wanted.count else { return false }
        for place in 0..<wanted.count where memory[node.range.lowerBound + place] != wanted[place] {
            return false
        }
        return true
    }

    /// A text of at most 16 bytes as a number; `nil` for longer texts and for other values.
    func shortText(_ index: Int) -> UInt128? {
        let node = nodes[index]
        guard node.kind == .text else { return nil }
        guard !node.isEscaped else {
            return UInt128(short: JSONText.unescaped(bytes(node.range)))
        }
        let (count, memory) = (node.range.count, memory)
        guard count <= 16, node.range.lowerBound + 16 <= memory.count else { return nil }
        let bytes = memory.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: node.range.lowerBound, as: UInt128.self)
        }
        return UInt128(littleEndian: bytes) & ~(UInt128.max << (8 * count))
    }

    func text(_ index: Int) -> String? {
        let node = nodes[index]
        guard node.kind == .text else { return nil }
        guard isASCII, !node.isEscaped else {
            let raw = bytes(node.range)
            let text = String(
                decoding: node.isEscaped ? JSONText.unescaped(raw)[...] : raw, as: UTF8.self)
            return isLenient ? text.streamSafe : text
        }
        let memory = memory
        let text = memory.span.extracting(node.range)
        return String(copying: UTF8Span(unchecked: text, isKnownASCII: true))
    }
}

/// A value of a document.
public struct JSONValue {
    let document: JSONDocument
    let index: Int

    private var node: JSONDocument.Node { document.node(index) }

    public var kind: JSONDocument.Kind { node.kind }

    /// The bytes of the value as they are in the line; of a text, those between its quotes.
    public var raw: ArraySlice<UInt8> { document.bytes(node.range) }

    /// The value as JSON, a text with its quotes.
    public var json: ArraySlice<UInt8> {
        let range = node.range
        return kind == .text ? document.bytes(range.lowerBound - 1..<range.upperBound + 1) : raw
    }

    // MARK: Scalars

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

    public struct Members: Sequence, IteratorProtocol {
        fileprivate var children: Children

        public mutating func next() -> (key: JSONValue, value: JSONValue)? {
            guard let key = children.next(), let value = children.next() else { return nil }
            return (key, value)
        }
    }
}

extension UInt128 {
    /// At most 16 bytes as a number, the first byte lowest; `nil` for more bytes. Without zero
    /// bytes, different texts have different numbers.
    init?(short bytes: some Collection<UInt8>) {
        guard bytes.count <= 16 else { return nil }
        self = 0
        for (place, byte) in bytes.enumerated() {
            self |= UInt128(truncatingIfNeeded: byte) << (8 * place)
        }
    }
}
