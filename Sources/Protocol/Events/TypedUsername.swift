/// The text in a field for the name of a user: any text of at most `mostBytes` bytes.
public struct TypedUsername: Equatable, Sendable {
    /// The longest user name, in bytes of UTF-8.
    public static let mostBytes = 200

    /// The text as it was typed.
    public let text: String

    /// `nil` if the text has more than `mostBytes` bytes of UTF-8.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.mostBytes else { return nil }
        self.text = text
    }

    /// A name in a program: stops if it is too long.
    public static func literal(_ text: StaticString) -> Self {
        guard let name = Self("\(text)") else {
            preconditionFailure("\(text) is too long")  // holds: it is in the source
        }
        return name
    }

    /// Compares bytes.
    public static func == (a: Self, b: Self) -> Bool { ExactText(a.text) == ExactText(b.text) }
}

extension TypedUsername: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a user name must have at most \(Self.mostBytes) bytes") {
            Self($0)
        }
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
