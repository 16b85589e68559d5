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
    }

    /// `**`
    public static let everything = Pattern(segments: [], isOpen: true, text: "**")

    private init(segments: [Segment], isOpen: Bool, text: String) {
        self.segments = segments
        self.isOpen = isOpen
        self.text = text
    }

    public init(_ address: Address) {
        text = address.text
        segments = address.segments.map { .name($0) }
        isOpen = false
    }

    /// The one address that is meant; `nil` where a `*` leaves it open.
    public var address: Address? {
        guard !isOpen, !segments.contains(.any) else { return nil }
        return Address(text)
    }

    /// Linear in the length of the address, whatever the pattern.
    public func matches(_ address: Address) -> Bool {
        let names = address.segments
        guard isOpen ? names.count >= segments.count : names.count == segments.count else {
            return false
        }
        return zip(segments, names).allSatisfy { segment, name in
            switch segment {
            case .any: true
            case .name(let wanted): wanted.utf8.elementsEqual(name.utf8)
            }
        }
    }

    public var description: String { text }
}
