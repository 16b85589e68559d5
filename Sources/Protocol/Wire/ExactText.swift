/// A text that is compared and hashed by its UTF-8 bytes.
///
/// `String` hashes and compares by canonical equivalence: it sorts consecutive combining marks,
/// which takes quadratic time for a text made for it. So a text from a peer must not be a key of a
/// dictionary or an element of a set; an `ExactText` may be.
public struct ExactText: Hashable, Sendable {
    /// The text, which may equal (`==`) another text that has other bytes.
    public let text: String

    public init(_ text: String) { self.text = text }

    /// Bytes of UTF-8.
    public var length: Int { text.utf8.count }

    public static func == (a: Self, b: Self) -> Bool { a.text.isExactly(b.text) }

    public func hash(into hasher: inout Hasher) {
        text.withBytes { hasher.combine(bytes: $0) }
    }
}

extension ExactText: Comparable {
    /// Byte by byte, which is the order of code points.
    public static func < (a: Self, b: Self) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }
}

extension ExactText: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
