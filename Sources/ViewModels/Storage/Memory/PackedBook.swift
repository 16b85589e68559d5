import BusdProtocol
import BusdViewModels

/// A book as the store keeps it in memory while nobody needs it, and as it is on disk.
///
/// On disk each card has a place, which it never gives up. So where a card is damaged there is a
/// hole in the places, and those behind it stay where they are.
struct PackedBook: Equatable, Packed {
    static let mostUnpacked = 8

    let name: Name
    /// The books come in the order of their ranks.
    var rank = 0
    private(set) var cards = PackedCards()
    /// Ascending.
    let holes: [Int]
    /// A bit a place, the first in the lowest bit of the first byte.
    private(set) var known: [UInt8] = []
    private(set) var knownCount = 0
    /// The place of the card that is asked.
    private(set) var asked: Int?

    /// Why what was read is not a book.
    struct Nonsense: Error {
        let reason: String
    }

    /// A new book.
    init(name: Name) {
        self.name = name
        holes = []
    }

    /// A book that was read.
    init(
        name: String, rank: Int, cards: PackedCards, holes: [Int], known: [UInt8], asked: Int?
    ) throws(Nonsense) {
        guard let name = Name(stored: name) else { throw Nonsense(reason: "its name is none") }
        self.name = name
        self.rank = rank
        self.cards = cards
        self.holes = holes
        self.known = known
        self.asked = asked
        guard known.count == (placeCount + 7) / 8, asked.map((0..<placeCount).contains) ?? true
        else { throw Nonsense(reason: "what is known of it does not fit its cards") }
        knownCount = places.count { isKnown(at: $0) }
    }

    /// Takes over what the book has become.
    mutating func become(_ book: Book) {
        for card in book.cards[cards.count...] { cards.append(card) }
        let places = places
        known = Array(repeating: 0, count: (placeCount + 7) / 8)
        for (place, isKnown) in zip(places, book.isKnown) where isKnown {
            known[place / 8] |= 1 << UInt8(place % 8)  // fits: it is below 8
        }
        knownCount = book.knownCount
        asked = book.current.map { places[$0] }
    }

    /// As `Card.bytes` counts them, about.
    var cardBytes: Int { cards.bytes.count + 30 * cards.count }

    var workToUnpack: Int { cards.bytes.count / 8 + 16 * placeCount }

    static func workToPack(_ book: Book) -> Int { 2 * book.cards.count }  // fits: it is in memory

    var thing: Book? {
        let places = places
        let current = asked.flatMap { asked in places.firstIndex { $0 >= asked } }
        return Book(
            name: name, cards: cards.cards(), isKnown: places.map(isKnown), current: current)
    }

    func summary(_ id: BookID) -> BookSummary {
        BookSummary(id: id, name: name, progress: Progress(known: knownCount, of: cards.count))
    }

    /// As it is written to a new file.
    var withoutHoles: PackedBook {
        var whole = PackedBook(name: name)
        whole.rank = rank
        if let thing { whole.become(thing) }
        return whole
    }

    // MARK: Places

    /// How many there are, holes and all.
    var placeCount: Int { cards.count + holes.count }

    /// Of the cards.
    private var places: [Int] {
        var holes = holes[...]
        return (0..<placeCount).filter { place in
            guard place == holes.first else { return true }
            holes.removeFirst()
            return false
        }
    }

    private func isKnown(at place: Int) -> Bool {
        known[place / 8] >> UInt8(place % 8) & 1 == 1  // fits: it is below 8
    }
}
