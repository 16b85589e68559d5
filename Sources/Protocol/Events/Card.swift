/// A flash card: a question and its answer. Both can be any text.
public struct Card: Codable, Hashable, Sendable {
    /// The question.
    public var front: String
    /// The answer.
    public var back: String

    /// Takes any texts, also empty ones.
    public init(front: String, back: String) {
        self.front = front
        self.back = back
    }
}
