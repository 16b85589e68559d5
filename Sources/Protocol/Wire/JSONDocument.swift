import Glibc

/// One line of JSON that has been read: a flat list of nodes over the line's bytes.
///
/// A node has the range of its text and the index of the node after its subtree, so values need no
/// allocation and are found by walking. The children of an object are key, value, key, value. The
/// document is reused for the next line, which makes values of the line before invalid.
///
/// The line may contain a password. The document has the only copy of the line, and overwrites it.
public final class JSONDocument {
    /// The kind of a value in JSON. A number without a fraction and an exponent is an `integer`.
    public enum Kind: UInt8, Sendable {
        /// Keys and values between braces.
        case object
        /// Values between brackets.
        case list
        /// A string.
        case text
        /// A number of digits alone, maybe with a minus sign.
        case integer
        /// A number with a fraction or an exponent.
        case number
        /// `true` or `false`.
        case boolean
        /// `null`.
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

    // Each of these is only read, or replaced as a whole, so no access needs a check at run time.
    private var memory: [UInt8] = []
    private var nodes: [Node] = []
    /// The length of the line in `memory`. Zeros follow it, at least sixteen.
    private(set) var length = 0
    /// All of the line is ASCII.
    private var isASCII = false
    var recentAddresses = RecentAddresses()

    /// True in a client. It ignores unknown keys, because a later daemon may send more. It makes
    /// texts stream-safe, because it compares them. A daemon does neither.
    let isLenient: Bool

    /// An empty document; `read` fills it. A client sets `isLenient`, a daemon does not.
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

    func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { memory[range] }

    func withBytes<Result>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        memory.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The index of the key, if an object has exactly one member. The value follows it.
    func onlyMember(of index: Int) -> Int? {
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
