import BusdBooksEvents
public import BusdProtocol

/// A book of flash cards, and the progress of its reader.
///
/// One card is asked at a time, in the order of the book. An unknown card is asked again after the
/// others; a known card is not asked again.
public struct Book: Thing {
    public static let kind = "book"

    private(set) var name: Name
    var cards: [Card]
    /// Whether the reader knows each card, in the order of `cards`.
    var isKnown: [Bool]
    var knownCount: Int
    /// The place of the card that is asked, from 0; `nil` if all are known.
    var current: Int?
    /// Bytes of all cards; see `Card.bytes`.
    var cardBytes: Int
    /// The last removal or change of a card, if it can be taken back.
    var correction: Correction?
    /// When the book was marked as deleted.
    private(set) var deleted: Instant?

    public init(_ seed: BookSeed) {
        self.init(name: seed.name, cards: seed.cards, isKnown: [], current: nil)
    }

    /// A stored book. A card without a value in `isKnown` is unknown. If the card at `current` is
    /// known or missing, the next unknown card is asked.
    init(name: Name, cards: [Card], isKnown: [Bool], current: Int?) {
        self.name = name
        self.cards = cards
        let missing = max(0, cards.count - isKnown.count)
        self.isKnown = isKnown.prefix(cards.count) + Array(repeating: false, count: missing)
        knownCount = self.isKnown.count { $0 }
        cardBytes = cards.bytes
        self.current = nextUnknown(from: current ?? 0)
    }

    /// The card that is asked.
    var card: Card? { current.map { cards[$0] } }

    var progress: Progress { Progress(known: knownCount, of: cards.count) }

    public func hasEffect(_ action: BookAction, at time: Instant) -> Bool {
        if let deleted {
            guard case .restore = action else { return false }
            return time < deleted + Deletion.span
        }
        return switch action {
        case .add(let more): !more.isEmpty
        // If one card is left, a wrong answer asks it again, and changes nothing.
        case .answer(let isKnown): current != nil && (isKnown || knownCount + 1 < cards.count)
        case .ask(let place):
            isKnown.indices.contains(place) && (isKnown[place] || current != place)
        case .askAll: current == nil && !cards.isEmpty
        case .delete: true
        case .restore: false
        case .rename(let old, let new): old == ExactText(name.text) && new != name
        case .change, .insert, .move, .remove, .takeBack: canCorrect(action)
        }
    }

    public mutating func apply(_ action: BookAction, at time: Instant) -> Bool {
        guard hasEffect(action, at: time) else { return false }
        switch action {
        case .add(let more): add(more)
        case .answer(let isKnown): answer(isKnown)
        case .ask(let place): ask(place)
        case .askAll:
            isKnown = Array(repeating: false, count: cards.count)
            (knownCount, current) = (0, 0)
        case .delete: deleted = time
        case .restore: deleted = nil
        case .rename(_, let new): name = new
        case .change, .insert, .move, .remove, .takeBack: correct(action)
        }
        return true
    }

    private mutating func add(_ more: [Card]) {
        cards += more
        cardBytes += more.bytes
        isKnown += Array(repeating: false, count: more.count)
        current = nextUnknown(from: current ?? 0)
    }

    private mutating func answer(_ answer: Bool) {
        guard let asked = current else { return }
        if answer {
            isKnown[asked] = true
            knownCount += 1
        }
        current = nextUnknown(from: asked + 1)
    }

    private mutating func ask(_ place: Int) {
        if isKnown[place] { knownCount -= 1 }
        isKnown[place] = false
        current = place
    }

    /// The first unknown card from `place` on; after the last card, the search wraps around.
    func nextUnknown(from place: Int) -> Int? {
        let start = isKnown.indices.contains(place) ? place : 0
        return isKnown[start...].firstIndex(of: false) ?? isKnown[..<start].firstIndex(of: false)
    }

    // MARK: In a library

    public var summary: BookSummary {
        BookSummary(
            name: name, progress: progress, cardBytes: cardBytes,
            keptBytes: correction?.card.bytes ?? 0, deleted: deleted)
    }

    /// A marked book counts nothing for the progress.
    public static func size(of summary: BookSummary) -> BooksSize {
        BooksSize(
            progress: summary.isDeleted ? Progress() : summary.progress,
            cardBytes: summary.cardBytes + summary.keptBytes)
    }

    public static func growth(by action: BookAction) -> BooksSize {
        switch action {
        case .add(let more): BooksSize(progress: Progress(of: more.count), cardBytes: more.bytes)
        case .insert(_, let card): BooksSize(progress: Progress(of: 1), cardBytes: card.bytes)
        // The former card is kept.
        case .change(_, _, let new): BooksSize(cardBytes: new.bytes)
        case .takeBack: BooksSize(progress: Progress(of: 1))
        case .answer, .ask, .askAll, .delete, .restore, .rename, .move, .remove: .zero
        }
    }

    public static func expiry(of summary: BookSummary) -> Instant? {
        summary.deleted.map { $0 + Deletion.span }
    }
}

/// The number of a book, as `books` and `study` have it.
public typealias BookID = Identifier<Book>

extension Book: Codable {
    private struct Stored: Codable {
        var name: Name
        var cards: CardList
        /// One digit per card: `1` if it is known, else `0`.
        var known: String
        var current: Int?
        var correction: Correction?
        /// In microseconds.
        var deleted: Int64?
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        self.init(
            name: stored.name, cards: stored.cards.cards,
            isKnown: stored.known.utf8.map { $0 == UInt8(ascii: "1") }, current: stored.current)
        correction = try stored.correction.map { try decoder.checked($0, in: cards.count) }
        deleted = try stored.deleted.map {
            Instant(microseconds: try decoder.checked(microseconds: $0))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        let flags = isKnown.map { $0 ? UInt8(ascii: "1") : UInt8(ascii: "0") }
        try Stored(
            name: name, cards: CardList(cards: cards),
            known: String(decoding: flags, as: UTF8.self), current: current,
            correction: correction, deleted: deleted?.microseconds
        ).encode(to: encoder)
    }
}

/// The name and the cards from which a book is created.
public struct BookSeed: Hashable, Sendable {
    let name: Name
    let cards: [Card]

    init(name: Name, cards: [Card]) {
        self.name = name
        self.cards = cards
    }
}

extension BookSeed: Codable {
    private struct Stored: Codable {
        var name: Name
        var cards: CardList
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        self.init(name: stored.name, cards: stored.cards.cards)
    }

    public func encode(to encoder: any Encoder) throws {
        try Stored(name: name, cards: CardList(cards: cards)).encode(to: encoder)
    }
}
