/// The number of a game. Numbers count from 1 and are never used again; a later game has a higher
/// one.
public struct GameID: Hashable, Comparable, Sendable {
    public let number: Int

    /// `nil` below 1.
    public init?(_ number: Int) {
        guard number >= 1 else { return nil }
        self.number = number
    }

    /// `nil` unless the text is what `text` gives: `01` names no game.
    public init?(_ text: some StringProtocol) {
        guard let number = Int(text), let id = GameID(number), id.text == text else { return nil }
        self = id
    }

    public static let first = GameID(unchecked: 1)
    public var next: GameID { GameID(unchecked: number + 1) }
    public var text: String { String(number) }

    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }

    private init(unchecked number: Int) { self.number = number }
}
