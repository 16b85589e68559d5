/// A flash card: what is asked, and the answer. Any text will do for either.
public struct Card: Codable, Hashable, Sendable {
    public var front: String
    public var back: String

    public init(front: String, back: String) {
        self.front = front
        self.back = back
    }
}
