package import BusdProtocol

/// The values of a book that a list shows.
public struct BookSummary: Hashable, Sendable {
    package let name: Name
    package let progress: Progress
    /// See `Card.bytes`.
    package let cardBytes: Int

    init(name: Name, progress: Progress, cardBytes: Int) {
        (self.name, self.progress, self.cardBytes) = (name, progress, cardBytes)
    }
}

/// Coded as a list: the name, the number of known cards, the number of cards, and their bytes.
extension BookSummary: Codable {
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        name = try list.decode(StoredName.self).name
        progress = Progress(known: try list.decodeCount(), of: try list.decodeCount())
        cardBytes = try list.decodeCount()
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(StoredName(name))
        try list.encode(progress.known)
        try list.encode(progress.cards)
        try list.encode(cardBytes)
    }
}

/// How much a library of books holds.
public struct BooksSize: AdditiveArithmetic, Sendable {
    /// The sum over all books.
    package var progress: Progress
    /// See `Card.bytes`.
    package var cardBytes: Int

    public static let zero = BooksSize()

    package init(progress: Progress = Progress(), cardBytes: Int = 0) {
        (self.progress, self.cardBytes) = (progress, cardBytes)
    }

    public static func + (a: Self, b: Self) -> Self {
        Self(
            progress: Progress(
                known: a.progress.known + b.progress.known,
                of: a.progress.cards + b.progress.cards),
            cardBytes: a.cardBytes + b.cardBytes)
    }

    public static func - (a: Self, b: Self) -> Self {
        Self(
            progress: Progress(
                known: a.progress.known - b.progress.known,
                of: a.progress.cards - b.progress.cards),
            cardBytes: a.cardBytes - b.cardBytes)
    }
}
