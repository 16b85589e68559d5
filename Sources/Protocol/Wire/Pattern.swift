/// A pattern of addresses: `*` stands for one whole segment, a last `**` for any number of
/// segments, including none (docs/protocol.md, "Addresses and patterns").
public struct Pattern: Hashable, Sendable, CustomStringConvertible {
    /// The pattern, such as `scoreboard/*`: at most `Address.longest` bytes.
    public let text: String
    /// The text without a last `**` and the `/` before it.
    private let closed: [UInt8]
    private let isOpen: Bool
    /// The only address that matches; `nil`: the pattern has a `*`.
    public let address: Address?

    /// `nil` if the text is neither an address nor a pattern.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Address.longest else { return nil }
        let slash = UInt8(ascii: "/")
        var pieces = text.utf8.split(separator: slash, omittingEmptySubsequences: false)
        guard pieces.count <= Address.mostSegments else { return nil }
        isOpen = pieces.last?.elementsEqual("**".utf8) ?? false
        if isOpen { pieces.removeLast() }
        guard pieces.allSatisfy({ Self.isStar($0) || Address.isSegment($0) }) else { return nil }
        self.text = text
        closed = Array(pieces.joined(separator: [slash]))
        address = isOpen || pieces.contains(where: Self.isStar) ? nil : Address(text)
    }

    private static func isStar(_ segment: Substring.UTF8View) -> Bool {
        segment.elementsEqual(CollectionOfOne(UInt8(ascii: "*")))
    }

    /// `**`
    public static let everything = Pattern(everythingAs: "**")

    private init(everythingAs text: String) {
        self.text = text
        closed = []
        isOpen = true
        address = nil
    }

    /// The pattern that only this address matches.
    public init(_ address: Address) {
        text = address.text
        closed = Array(text.utf8)
        isOpen = false
        self.address = address
    }

    /// A prefix of all addresses that match.
    package var stem: String {
        let known = closed.prefix { $0 != UInt8(ascii: "*") }
        return String(
            decoding: known.last == UInt8(ascii: "/") ? known.dropLast() : known, as: UTF8.self)
    }

    /// Takes time linear in the length of the address, for any pattern. It allocates nothing.
    public func matches(_ address: Address) -> Bool {
        if closed.isEmpty { return true }
        return address.text.utf8.withContiguousStorageIfAvailable { matches($0.span) }
            ?? matches(Array(address.text.utf8).span)
    }

    private func matches(_ address: Span<UInt8>) -> Bool {
        var at = 0
        for byte in closed {
            guard at < address.count else { return false }
            if byte == UInt8(ascii: "*") {
                while at < address.count, address[at] != UInt8(ascii: "/") { at += 1 }
            } else {
                guard address[at] == byte else { return false }
                at += 1
            }
        }
        return at == address.count || isOpen && address[at] == UInt8(ascii: "/")
    }

    public var description: String { text }
}
