public import BusdProtocol

/// An action on a book. Its form in the log is permanent: one string.
public enum BookAction: Hashable, Sendable {
    /// Adds cards at the end of the book.
    case add([Card])
    /// Answers the card that is asked.
    case answer(isKnown: Bool)
    /// Asks the card at this place, from 0, and makes it unknown.
    case ask(Int)
    /// Makes all cards unknown, if all are known.
    case askAll
}

extension BookAction: Codable {
    private static let add = "add "
    private static let ask = "ask "

    private var text: String {
        switch self {
        case .add(let cards): Self.add + CardList(cards: cards).text
        case .answer(let isKnown): isKnown ? "known" : "unknown"
        case .ask(let place): Self.ask + String(place)
        case .askAll: "askAll"
        }
    }

    private init?(_ text: String) {
        switch ExactText(text) {
        case "known": self = .answer(isKnown: true)
        case "unknown": self = .answer(isKnown: false)
        case "askAll": self = .askAll
        default:
            if let place = text.argument(after: Self.ask) {
                self = .ask(place)
            } else if let list = CardList(text, after: Self.add) {
                self = .add(list.cards)
            } else {
                return nil
            }
        }
    }

    public init(from decoder: any Decoder) throws {
        self = try decoder.value("this is not an action of a book") { (text: String) in Self(text) }
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
