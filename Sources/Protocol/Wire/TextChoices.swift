/// The words of an enum of texts, such as
/// `enum Station: String, Codable, Sendable, CaseIterable`. `describe` lists them, and so does the
/// error for another text.
enum TextChoices {
    /// Nil for a type that is no such enum.
    static func words(of type: Any.Type) -> [String]? {
        (type as? any CaseIterable.Type).flatMap { words($0) }
    }

    private static func words<Choice: CaseIterable>(_ type: Choice.Type) -> [String]? {
        var words: [String] = []
        for choice in Choice.allCases {
            guard let word = (choice as? any RawRepresentable)?.rawValue as? String else {
                return nil
            }
            words.append(word)
        }
        return words.isEmpty ? nil : words
    }
}

/// A text that is none of the words of its enum.
struct UnknownChoice: Error {
    let path: [any CodingKey]
    let text: String
    let words: [String]

    func asWireError(_ root: String) -> WireError {
        let last = words.last ?? "nothing"
        let wanted =
            words.count < 2 ? last : words.dropLast().joined(separator: ", ") + " or " + last
        return WireError(
            .badEvent, "expected \(wanted)", path: path.text(from: root),
            suggestions: Suggestions.near(text, among: words))
    }
}
