/// A flash card: a question and its answer. Both can be any text.
public struct Card: Codable, Hashable, Sendable {
    public var front: String
    public var back: String

    public init(front: String, back: String) {
        self.front = front
        self.back = back
    }
}
