/// The name of a team, a player or a book: 1 to 40 characters as a reader counts them
/// (`Character`), none of them a control character.
public struct Name: Hashable, Sendable {
    public static let longest = 40
    /// A character can have any number of marks. No name that anybody bears has so many bytes.
    public static let mostBytes = 1_280

    public let text: String

    /// Throws what is wrong with the text.
    public init(_ text: String) throws(NameProblem) {
        if let problem = NameProblem(of: text) { throw problem }
        self.text = text
    }
}

/// What can be wrong with a name.
public enum NameProblem: Error, Equatable, Sendable {
    case isEmpty
    case isTooLong
    case hasControlCharacter

    /// `nil` where the text makes a good name.
    public init?(of text: String) {
        if text.isEmpty {
            self = .isEmpty
        } else if text.utf8.count > Name.mostBytes || text.count > Name.longest {
            self = .isTooLong
        } else if text.unicodeScalars.contains(where: Self.isControl) {
            self = .hasControlCharacter
        } else {
            return nil
        }
    }

    /// These are all that Unicode will ever have; to look them up would take long.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
    }

    /// How it is told to a person, after "the name ".
    public var text: String {
        switch self {
        case .isEmpty: "is missing"
        case .isTooLong: "has more than \(Name.longest) characters"
        case .hasControlCharacter: "has a control character"
        }
    }
}

extension Name: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            try self.init(text)
        } catch {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the name \(error.text)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
