import BusdBooksEvents
import BusdProtocol

/// Cards as one string: the front and the back of each card.
struct CardList: Codable {
    let cards: [Card]

    init(cards: [Card]) { self.cards = cards }

    var text: String { CountedTexts(cards.flatMap { [$0.front, $0.back] }).text }

    /// `nil` unless the text is the prefix followed by cards.
    init?(_ text: String, after prefix: String = "") {
        guard let texts = CountedTexts(text, after: prefix)?.texts, texts.count.isMultiple(of: 2)
        else { return nil }
        cards = stride(from: 0, to: texts.count, by: 2).map {
            Card(front: texts[$0], back: texts[$0 + 1])
        }
    }

    init(from decoder: any Decoder) throws {
        self = try decoder.value("this is not a list of cards") { (text: String) in Self(text) }
    }

    func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
