/// A text that is a key by its UTF-8 bytes.
///
/// `String` hashes and compares by canonical equivalence: it orders the combining marks that follow
/// each other, which takes quadratic time for a text made for it. A text from a peer is therefore
/// never the key of a dictionary or the element of a set, but this is.
public struct ExactText: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    /// Bytes of UTF-8.
    public var length: Int { text.utf8.count }

    public static func == (a: Self, b: Self) -> Bool {
        a.length == b.length
            && a.text.withBytes { a in
                b.text.withBytes { a.elementsEqual($0) }
            }
    }

    public func hash(into hasher: inout Hasher) {
        text.withBytes { hasher.combine(bytes: $0) }
    }
}

extension ExactText: Comparable {
    /// Byte by byte, which is the order of the code points.
    public static func < (a: Self, b: Self) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }
}

extension ExactText: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
