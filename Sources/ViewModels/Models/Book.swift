public import BusdProtocol

/// A book of flash cards, and how far its reader has come.
///
/// One card is asked at a time, in the order of the book; a card that is not known comes again
/// after the others. What is known is not asked any more.
public struct Book: Equatable, Sendable {
    public let name: Name
    public private(set) var cards: [Card]
    /// For each card.
    public private(set) var isKnown: [Bool]
    public private(set) var knownCount: Int
    /// The place of the card that is asked, from 0; `nil` where all are known.
    public private(set) var current: Int?

    public init(name: Name, cards: [Card]) {
        self.init(
            name: name, cards: cards, isKnown: Array(repeating: false, count: cards.count),
            current: nil)
    }

    /// A book that is read from storage. A card of which `isKnown` says nothing is not known. Where
    /// `current` is no card that can be asked, the next one is.
    public init(name: Name, cards: [Card], isKnown: [Bool], current: Int?) {
        self.name = name
        self.cards = cards
        let unsaid = max(0, cards.count - isKnown.count)
        self.isKnown = isKnown.prefix(cards.count) + Array(repeating: false, count: unsaid)
        knownCount = self.isKnown.count { $0 }
        self.current = nextUnknown(from: current ?? 0)
    }

    /// The card that is asked.
    public var card: Card? { current.map { cards[$0] } }

    public var progress: Progress { Progress(known: knownCount, of: cards.count) }

    /// Of the card that is asked. Returns false where nothing has changed: there is none, or it is
    /// not known and the only one left.
    public mutating func answer(isKnown answer: Bool) -> Bool {
        guard let asked = current else { return false }
        if answer {
            isKnown[asked] = true
            knownCount += 1
        }
        current = nextUnknown(from: asked + 1)
        return current != asked
    }

    /// Asks that card again, known or not. Returns false where nothing has changed.
    public mutating func ask(_ place: Int) -> Bool {
        guard isKnown.indices.contains(place), isKnown[place] || current != place else {
            return false
        }
        if isKnown[place] { knownCount -= 1 }
        isKnown[place] = false
        current = place
        return true
    }

    /// Begins again with all cards unknown. Returns false while a card is asked, or without cards.
    public mutating func askAll() -> Bool {
        guard current == nil, !cards.isEmpty else { return false }
        isKnown = Array(repeating: false, count: cards.count)
        knownCount = 0
        current = 0
        return true
    }

    /// They go to the end.
    public mutating func add(_ more: [Card]) {
        cards += more
        isKnown += Array(repeating: false, count: more.count)
        current = nextUnknown(from: current ?? 0)
    }

    /// The first from that place on, and round.
    private func nextUnknown(from place: Int) -> Int? {
        let start = isKnown.indices.contains(place) ? place : 0
        return isKnown[start...].firstIndex(of: false) ?? isKnown[..<start].firstIndex(of: false)
    }
}
