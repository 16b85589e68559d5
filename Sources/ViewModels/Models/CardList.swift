import BusdProtocol

/// Cards as one string, which is written and read much faster than a list. It has the front and the
/// back of each card. Each text follows its number of bytes and a colon: `3:水5:water`.
struct CardList: Codable {
    let cards: [Card]

    init(cards: [Card]) { self.cards = cards }

    var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cards.bytes)
        for card in cards {
            Self.append(card.front, to: &bytes)
            Self.append(card.back, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes += text.utf8.count.numeral.utf8
        bytes.append(UInt8(ascii: ":"))
        bytes += text.utf8
    }

    /// `nil` unless the text is the prefix followed by cards.
    init?(_ text: String, after prefix: String = "") {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        let cards = text.withBytes { bytes in
            var reader = CardListReader(rest: bytes[prefix.utf8.count...])
            return reader.cards()
        }
        guard let cards else { return nil }
        self.cards = cards
    }

    init(from decoder: any Decoder) throws {
        self = try decoder.value("this is not a list of cards") { (text: String) in Self(text) }
    }

    func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

private struct CardListReader {
    var rest: Slice<UnsafeRawBufferPointer>

    mutating func cards() -> [Card]? {
        var cards: [Card] = []
        while !rest.isEmpty {
            guard let front = text(), let back = text() else { return nil }
            cards.append(Card(front: front, back: back))
        }
        return cards
    }

    private mutating func text() -> String? {
        var count = 0
        while true {
            guard let byte = rest.popFirst() else { return nil }
            if byte == UInt8(ascii: ":") { break }
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte, count <= rest.count else {
                return nil
            }
            count = count * 10 + Int(byte - UInt8(ascii: "0"))  // fits: it was at most `rest.count`
        }
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return String(validating: rest.prefix(count), as: UTF8.self)
    }
}
