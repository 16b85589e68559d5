/// The name of a team, a player or a book: 1 to 40 characters as a reader counts them
/// (`Character`), at most 1,000 bytes, without control characters and line breaks, and without the
/// invisible characters that change the direction of text.
public struct Name: Hashable, Sendable {
    /// The longest name, in characters (`Character`).
    public static let longest = 40
    /// One `Character` can have any number of marks.
    public static let mostBytes = 1_000

    private let exact: ExactText
    /// The name, byte for byte as it was given.
    public var text: String { exact.text }

    /// Throws the first problem of the text.
    public init(_ text: String) throws(NameProblem) {
        if let problem = NameProblem(of: text) { throw problem }
        exact = ExactText(text)
    }

    /// A name that the source code knows. Stops the program if the text is not a name.
    public static func literal(_ text: StaticString) -> Name {
        do {
            return try Name("\(text)")
        } catch {
            preconditionFailure("the name \(text) \(error.text)")  // holds: it is in the source
        }
    }
}

/// A reason to refuse a name.
public enum NameProblem: Error, Equatable, Sendable {
    /// The text has no characters.
    case isEmpty
    /// The text has more than `Name.mostBytes` bytes.
    case hasTooManyBytes
    /// The text has more than `Name.longest` characters.
    case isTooLong
    /// The text has a character of the Unicode category Cc, such as a line feed.
    case hasControlCharacter
    /// The text has a character that changes the direction of text, or U+2028 or U+2029.
    case hasDirectionControl

    /// `nil` for a good name. The number of bytes is checked first, because the other checks take
    /// time for each byte.
    public init?(of text: String) {
        if text.isEmpty {
            self = .isEmpty
        } else if text.utf8.count > Name.mostBytes {
            self = .hasTooManyBytes
        } else if text.count > Name.longest {
            self = .isTooLong
        } else if text.unicodeScalars.contains(where: Self.isControl) {
            self = .hasControlCharacter
        } else if text.unicodeScalars.contains(where: Self.isDirectionControl) {
            self = .hasDirectionControl
        } else {
            return nil
        }
    }

    /// Unicode's set of controls is final, and a look-up would take longer.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
    }

    /// The marks, embeddings, overrides and isolates of UAX #9, and the separators U+2028 and
    /// U+2029: a name with them changes how the text around it is shown. Joiners (U+200C, U+200D)
    /// and variation selectors are allowed, because emoji, Persian and Indic names need them.
    private static func isDirectionControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The problem as the end of a sentence that begins with "the name".
    public var text: String {
        switch self {
        case .isEmpty: "is missing"
        case .hasTooManyBytes: "has more than \(Name.mostBytes) bytes"
        case .isTooLong: "has more than \(Name.longest) characters"
        case .hasControlCharacter: "has a control character"
        case .hasDirectionControl:
            "has an invisible character that changes the direction of text, or a line break"
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

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
