import BusdBooksEvents
import BusdProtocol

/// Cards as JSON, in as few batches as the limits of a line allow (docs/protocol.md, "Lines").
struct CardBatches {
    struct Batch: Equatable {
        /// The cards, separated by commas.
        var json: [UInt8] = []
        var count = 0
    }

    /// A card that is too long for a line of its own. `card` is its index.
    struct TooLong: Error, Equatable {
        let card: Int
    }

    let batches: [Batch]

    /// The other bytes of a request: `op`, `to`, the event and its name, `key`, `id`.
    static let otherBytes = 1_024
    private static let otherValues = 16
    /// The card and its two texts.
    private static let valuesOfCard = 3

    /// - Parameter otherBytes: the bytes of a line that are not for cards.
    init(
        _ cards: [Card], limits: Limits = Limits(), otherBytes: Int = otherBytes
    ) throws(TooLong) {
        let mostBytes = limits.line - otherBytes
        let mostCards = (limits.values - Self.otherValues) / Self.valuesOfCard
        var done: [Batch] = []
        var batch = Batch()
        for (place, card) in cards.enumerated() {
            let json = Self.json(card)
            guard json.count <= mostBytes else { throw TooLong(card: place) }
            let isFull = batch.count == mostCards || batch.json.count + 1 + json.count > mostBytes
            if isFull, batch.count > 0 {
                done.append(batch)
                batch = Batch()
            }
            if batch.count > 0 { batch.json.append(UInt8(ascii: ",")) }
            batch.json += json
            batch.count += 1
        }
        batches = batch.count > 0 ? done + [batch] : done
    }

    private static func json(_ card: Card) -> [UInt8] {
        var json = JSONWriter()
        json.object { out in
            out.member("front", card.front)
            out.member("back", card.back)
        }
        return json.bytes
    }
}

extension CardBatches.Batch {
    func importBook(_ name: Name) -> [UInt8] { event("importBook", "name", name.text) }

    func addCards(to book: String) -> [UInt8] { event("addCards", "book", book) }

    private func event(_ event: StaticString, _ key: StaticString, _ value: String) -> [UInt8] {
        var out = JSONWriter()
        out.object { out in
            out.key(event)
            out.object { out in
                out.member(key, value)
                out.key("cards")
                out.raw([UInt8(ascii: "[")] + json + [UInt8(ascii: "]")])
            }
        }
        return out.bytes
    }
}
