/// Which view models are meant: an address in which `*` stands for one whole segment, and a last
/// `**` for any number of segments, none included (PROTOCOL.md, section 2).
public struct Pattern: Hashable, Sendable, CustomStringConvertible {
    private enum Segment: Hashable, Sendable {
        case name(Substring)
        case any
    }

    public let text: String
    private let segments: [Segment]
    private let isOpen: Bool
    /// The one address that is meant; `nil` where a `*` leaves it open.
    public let address: Address?

    /// `nil` where the text is neither an address nor a pattern.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Address.longest else { return nil }
        var pieces = text.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.count <= Address.mostSegments else { return nil }
        isOpen = pieces.last == "**"
        if isOpen { pieces.removeLast() }
        var segments: [Segment] = []
        for piece in pieces {
            if piece == "*" {
                segments.append(.any)
            } else if Address.isSegment(piece.utf8) {
                segments.append(.name(piece))
            } else {
                return nil
            }
        }
        self.segments = segments
        self.text = text
        address = isOpen || segments.contains(.any) ? nil : Address(text)
    }

    /// `**`
    public static let everything = Pattern(segments: [], isOpen: true, text: "**")

    private init(segments: [Segment], isOpen: Bool, text: String) {
        self.segments = segments
        self.isOpen = isOpen
        self.text = text
        address = nil
    }

    public init(_ address: Address) {
        text = address.text
        segments = address.segments.map { .name($0) }
        isOpen = false
        self.address = address
    }

    /// Linear in the length of the address, whatever the pattern; it allocates nothing.
    public func matches(_ address: Address) -> Bool {
        var rest: Substring.UTF8View? = Substring(address.text).utf8
        for segment in segments {
            guard let left = rest else { return false }
            let end = left.firstIndex(of: UInt8(ascii: "/"))
            if case .name(let wanted) = segment {
                guard wanted.utf8.elementsEqual(left[..<(end ?? left.endIndex)]) else {
                    return false
                }
            }
            rest = end.map { left[left.index(after: $0)...] }
        }
        return isOpen || rest == nil
    }

    public var description: String { text }
}
