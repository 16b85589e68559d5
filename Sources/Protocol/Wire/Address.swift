/// The address of a view model: 1 to 8 segments joined by `/`, at most 200 bytes (docs/protocol.md,
/// "Addresses and patterns").
public struct Address: Hashable, Sendable, CustomStringConvertible {
    /// The most segments of an address or a pattern.
    public static let mostSegments = 8
    /// The longest address or pattern, in bytes.
    public static let longest = 200

    /// The whole address, such as `scoreboard/1/home/2`.
    public let text: String

    /// `nil` if the text is not an address.
    public init?(_ text: String) {
        var text = text
        guard text.withUTF8(Self.isAddress) else { return nil }
        self.text = text
    }

    /// An address in the source code. Traps if the text is not an address, which is a bug.
    public static func literal(_ text: StaticString) -> Address {
        guard let address = Address("\(text)") else {
            preconditionFailure("\(text) is not an address")  // holds: it is in the source
        }
        return address
    }

    /// The address `name` below this one; `nil` if the result is not an address.
    public func appending(_ name: String) -> Address? { Address("\(text)/\(name)") }

    /// The parts between the slashes; at least one.
    public var segments: [Substring] {
        text.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// The last segment, `1` of `scoreboard/1`.
    public var name: String { segments.last.map(String.init) ?? text }

    /// Whether `other`, followed by `/`, is the beginning of this address.
    public func isBelow(_ other: Address) -> Bool {
        let (own, above) = (text.utf8, other.text.utf8)
        return own.count > above.count && own.starts(with: above)
            && own.dropFirst(above.count).first == UInt8(ascii: "/")
    }

    public var description: String { text }

    private static func isAddress(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count <= longest else { return false }
        var segments = 1
        var isFirst = true
        for byte in bytes {
            if byte == UInt8(ascii: "/"), !isFirst {
                segments += 1
                isFirst = true
            } else {
                guard isName(byte), !isFirst || byte != UInt8(ascii: ".") else { return false }
                isFirst = false
            }
        }
        return segments <= mostSegments && !isFirst
    }

    /// `[A-Za-z0-9_-][A-Za-z0-9._-]*`
    static func isSegment(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, first != UInt8(ascii: ".") else { return false }
        return bytes.allSatisfy(isName)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}

extension Address: Comparable {
    /// Byte by byte. For ASCII this is the order of `String`.
    public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}
