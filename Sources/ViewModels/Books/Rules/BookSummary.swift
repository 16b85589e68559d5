import BusdProtocol

/// The values of a book that a list shows.
public struct BookSummary: Hashable, Sendable {
    let name: Name
    let progress: Progress
    /// See `Card.bytes`.
    let cardBytes: Int
    /// Bytes of the card that an undo brings back; 0: there is none.
    let keptBytes: Int
    /// When the book was marked as deleted.
    let deleted: Instant?

    var isDeleted: Bool { deleted != nil }
}

/// Coded as a list: the name, the number of known cards, the number of cards, and their bytes.
///
/// If an undo keeps a card, or the book is marked, the last element is a list: the bytes, those of
/// the kept card, and the microseconds of the mark.
extension BookSummary: Codable {
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        name = try list.decode(Name.self)
        progress = Progress(known: try list.decodeCount(), of: try list.decodeCount())
        if var more = try? list.nestedUnkeyedContainer() {
            cardBytes = try more.decodeCount()
            keptBytes = try more.decodeCount()
            deleted =
                try more.isAtEnd
                ? nil
                : Instant(microseconds: decoder.checked(microseconds: more.decode(Int64.self)))
        } else {
            (cardBytes, keptBytes, deleted) = (try list.decodeCount(), 0, nil)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(name)
        try list.encode(progress.known)
        try list.encode(progress.cards)
        guard keptBytes > 0 || isDeleted else { return try list.encode(cardBytes) }
        var more = list.nestedUnkeyedContainer()
        try more.encode(cardBytes)
        try more.encode(keptBytes)
        if let deleted { try more.encode(deleted.microseconds) }
    }
}

/// How much a library of books holds.
public struct BooksSize: AdditiveArithmetic, Sendable {
    /// The sum over all books.
    var progress: Progress
    /// See `Card.bytes`.
    var cardBytes: Int

    public static let zero = BooksSize()

    init(progress: Progress = Progress(), cardBytes: Int = 0) {
        (self.progress, self.cardBytes) = (progress, cardBytes)
    }

    public static func + (a: Self, b: Self) -> Self { a.combined(with: b, +) }
    public static func - (a: Self, b: Self) -> Self { a.combined(with: b, -) }

    private func combined(with other: Self, _ combine: (Int, Int) -> Int) -> Self {
        let (own, its) = (progress, other.progress)
        return Self(
            progress: Progress(
                known: combine(own.known, its.known), of: combine(own.cards, its.cards)),
            cardBytes: combine(cardBytes, other.cardBytes))
    }
}
