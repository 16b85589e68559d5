import BusdProtocol

/// The number of a game or a book. Numbers count from 1 and are never used again; what came later
/// has a higher one.
public struct Identifier<Thing>: Hashable, Comparable, Sendable {
    public let number: Int

    /// `nil` below 1.
    public init?(_ number: Int) {
        guard number >= 1 else { return nil }
        self.number = number
    }

    /// `nil` unless the text is what `text` gives: `01` names nothing.
    public init?(_ text: some StringProtocol) {
        guard let number = Int(peer: text), let id = Self(number), id.text == text else {
            return nil
        }
        self = id
    }

    public static var first: Self { Self(unchecked: 1) }
    public var next: Self { Self(unchecked: number + 1) }
    public var text: String { String(number) }

    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }

    private init(unchecked number: Int) { self.number = number }
}

public typealias GameID = Identifier<Game>
public typealias BookID = Identifier<Book>
