/// The number of a thing in its library. Numbers count from 1 and are never used again, so a newer
/// thing has a higher number.
public struct Identifier<Thing>: Hashable, Comparable, Sendable {
    /// From 1 to 2^52.
    public let number: Int

    /// `nil` below 1, and above 2^52: no library has so many things.
    public init?(_ number: Int) {
        guard LogEntry.numbers.contains(number), number > 0 else { return nil }
        self.number = number
    }

    /// `nil` unless the text has the form of `text`: `01` is not an identifier.
    public init?(_ text: some StringProtocol) {
        guard let number = Int(peer: text), let id = Self(number), id.text == text else {
            return nil
        }
        self = id
    }

    /// The number in decimal digits, as addresses and rows have it.
    public var text: String { String(number) }

    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

extension Identifier: ThingID {
    public static func numbered(_ number: Int) -> Self? { Self(number) }

    public var description: String { text }

    public init?(_ description: String) { self.init(description[...]) }

    public init(from decoder: any Decoder) throws {
        self = try decoder.value("an id must be 1 to 2^52") { (number: Int) in Self(number) }
    }

    public func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
}
