import BusdBooksEvents
import BusdProtocol
import TestSupport
import Testing

@testable import BusdBooks

@Suite struct CardListTests {
    private static let texts = [
        "", " ", ":", "5:", "水", "e\u{301}", "\u{1}", "a\r\nb", "\"\\", "\u{10FFFF}", "👩‍👩‍👧",
        String(repeating: "x", count: 1_000),
    ]

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `A list of cards is read as it was written`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let cards = (0..<random.number(0...20)).map { _ in
            Card(
                front: Self.texts[random.number(Self.texts.indices)],
                back: Self.texts[random.number(Self.texts.indices)])
        }
        let text = CardList(cards: cards).text
        let read = try #require(CardList(text)).cards
        #expect(read.count == cards.count)
        for (one, other) in zip(read, cards) {
            #expect(one.front.isExactly(other.front))
            #expect(one.back.isExactly(other.back))
        }
    }

    @Test(arguments: [
        "1", "1:", "0:", "1:a", "0:0", "3:a0:", "1:a1:bc", "-1:a0:", "1 :a0:", "x", ":a", "1:水0:",
        "99999999999999999999999:a0:",
    ])
    func `Any other text is not a list of cards`(text: String) { #expect(CardList(text) == nil) }
}
