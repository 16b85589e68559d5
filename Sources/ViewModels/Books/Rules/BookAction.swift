public import BusdBooksEvents
public import BusdProtocol

/// An action on a book. Its form in the log is permanent: one string.
///
/// A correction names what its sender saw. It has no effect if that has changed. Places count from
/// 0.
public enum BookAction: Hashable, Sendable {
    /// Adds cards at the end of the book.
    case add([Card])
    /// Answers the card that is asked.
    case answer(isKnown: Bool)
    /// Asks the card at this place, from 0, and makes it unknown.
    case ask(Int)
    /// Makes all cards unknown, if all are known.
    case askAll
    /// Marks the book as deleted. From then on only `restore` has an effect.
    case delete
    /// Takes `delete` back, if it was less than `Deletion.span` ago.
    case restore
    /// Gives the book another name.
    case rename(from: ExactText, to: Name)
    /// Gives the card at the place other texts.
    case change(at: Int, card: Card, to: Card)
    /// Adds a card, so that it is at the place.
    case insert(at: Int, card: Card)
    /// `to` is the place after the move.
    case move(from: Int, card: Card, to: Int)
    /// Removes the card at the place.
    case remove(at: Int, card: Card)
    /// Takes back the last `change` or `remove`: the card returns to the place.
    case takeBack(at: Int, card: Card)
}

extension BookAction: Codable {
    private static let add = "add "
    private static let ask = "ask "
    private static let rename = "rename "
    private static let change = "change "
    private static let insert = "insert "
    private static let move = "move "
    private static let remove = "remove "
    private static let takeBack = "undo "

    private var text: String {
        switch self {
        case .add(let cards): Self.add + CardList(cards: cards).text
        case .answer(let isKnown): isKnown ? "known" : "unknown"
        case .ask(let place): Self.ask + String(place)
        case .askAll: "askAll"
        case .delete: "delete"
        case .restore: "restore"
        case .rename(let old, let new):
            Self.rename + PlacedCards([], [Card(front: old.text, back: new.text)]).text
        case .change(let place, let card, let new):
            Self.change + PlacedCards([place], [card, new]).text
        case .insert(let place, let card): Self.insert + PlacedCards([place], [card]).text
        case .move(let from, let card, let to):
            Self.move + PlacedCards([from, to], [card]).text
        case .remove(let place, let card): Self.remove + PlacedCards([place], [card]).text
        case .takeBack(let place, let card): Self.takeBack + PlacedCards([place], [card]).text
        }
    }

    private init?(_ text: String) {
        switch ExactText(text) {
        case "known": self = .answer(isKnown: true)
        case "unknown": self = .answer(isKnown: false)
        case "askAll": self = .askAll
        case "delete": self = .delete
        case "restore": self = .restore
        default:
            if let place = text.argument(after: Self.ask) {
                self = .ask(place)
            } else if let list = CardList(text, after: Self.add) {
                self = .add(list.cards)
            } else {
                self.init(correction: text)
            }
        }
    }

    private init?(correction text: String) {
        if let found = PlacedCards(text, after: Self.rename, places: 0, cards: 1) {
            guard let name = try? Name(found.cards[0].back) else { return nil }
            self = .rename(from: ExactText(found.cards[0].front), to: name)
        } else if let found = PlacedCards(text, after: Self.change, places: 1, cards: 2) {
            self = .change(at: found.places[0], card: found.cards[0], to: found.cards[1])
        } else if let found = PlacedCards(text, after: Self.insert, places: 1, cards: 1) {
            self = .insert(at: found.places[0], card: found.cards[0])
        } else if let found = PlacedCards(text, after: Self.move, places: 2, cards: 1) {
            self = .move(from: found.places[0], card: found.cards[0], to: found.places[1])
        } else if let found = PlacedCards(text, after: Self.remove, places: 1, cards: 1) {
            self = .remove(at: found.places[0], card: found.cards[0])
        } else if let found = PlacedCards(text, after: Self.takeBack, places: 1, cards: 1) {
            self = .takeBack(at: found.places[0], card: found.cards[0])
        } else {
            return nil
        }
    }

    public init(from decoder: any Decoder) throws {
        self = try decoder.value("this is not an action of a book") { (text: String) in Self(text) }
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension String {
    /// The number after `word`, which includes a space at its end.
    fileprivate func argument(after word: String) -> Int? {
        guard utf8.starts(with: word.utf8) else { return nil }
        return Int(Substring(utf8.dropFirst(word.utf8.count)))  // fits: else it is nil
    }
}

/// Places and cards as one string: each place with a space behind it, then a `CardList`, such as
/// `3 0 3:水5:water`.
private struct PlacedCards {
    let places: [Int]
    let cards: [Card]

    init(_ places: [Int], _ cards: [Card]) { (self.places, self.cards) = (places, cards) }

    var text: String { places.map { "\($0) " }.joined() + CardList(cards: cards).text }

    /// `nil` unless the text is the word followed by so many places and cards.
    init?(_ text: String, after word: String, places count: Int, cards cardCount: Int) {
        guard text.utf8.starts(with: word.utf8) else { return nil }
        var rest = text.utf8.dropFirst(word.utf8.count)
        var places: [Int] = []
        for _ in 0..<count {
            guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
                let place = Int(peer: Substring(rest[..<space])), 0...(1 << 40) ~= place
            else { return nil }
            places.append(place)
            rest = rest[rest.index(after: space)...]
        }
        guard let list = CardList(String(Substring(rest))), list.cards.count == cardCount else {
            return nil
        }
        self.init(places, list.cards)
    }
}
