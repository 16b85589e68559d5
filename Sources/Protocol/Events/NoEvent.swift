/// An enum without a case, for a direction in which a kind has no events.
public protocol NoEvent: WireEvent {}

extension NoEvent {
    public static var examples: [Self] { [] }

    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "unknown event"))
    }

    public func encode(to encoder: any Encoder) throws {}
}
