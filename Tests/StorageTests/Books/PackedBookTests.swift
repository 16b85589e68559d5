import BusdProtocol
import BusdViewModels
import Testing

@testable import BusdStorage

@Suite struct `A packed book` {
    @Test func `becomes the same book again`() throws {
        var book = Book(name: try Name("Kanji"), cards: cards(20))
        var packed = PackedBook(name: book.name)
        packed.become(book)
        #expect(packed.thing == book)
        for number in 0..<23 {
            _ = book.answer(isKnown: number % 3 != 0)
            if number == 10 { book.add(cards(5, from: 21)) }
            packed.become(book)
            #expect(packed.thing == book)
            #expect(packed.summary(.first) == BookSummary(book, id: .first))
        }
    }

    @Test(arguments: ["", "a\u{0}b", "Zoë 😀", "\t\n", String(repeating: "ü", count: 9000)])
    func `keeps every text`(text: String) throws {
        let odd = [Card(front: text, back: ""), Card(front: "", back: text)]
        var packed = PackedCards()
        for card in odd { packed.append(card) }
        let first = packed
        for card in cards(3) { packed.append(card) }
        #expect(packed.cards().map(\.front.utf8.count).prefix(2) == [text.utf8.count, 0])
        #expect(packed.cards() == odd + cards(3))
        #expect(packed.cards(after: first) == cards(3))
    }

    @Test func `has a bit for every card`() throws {
        var book = Book(name: try Name("Kanji"), cards: cards(9))
        for number in 0..<9 { _ = book.answer(isKnown: number == 0 || number == 8) }
        var packed = PackedBook(name: book.name)
        packed.become(book)
        #expect(packed.known == [0b0000_0001, 0b0000_0001])
        #expect(packed.asked == 1)
    }

    @Test func `leaves each card what is known of it where others are missing`() throws {
        // Of ten cards the first, the fifth and the last can't be read; 2, 5 and 7 are known.
        var left = PackedCards()
        for place in [1, 2, 3, 5, 6, 7, 8] {
            left.append(Card(front: "\(place + 1)", back: ""))
        }
        var packed = try PackedBook(
            name: "Kanji", rank: 0, cards: left, holes: [0, 4, 9], known: [0b0101_0010, 0], asked: 4
        )
        var book = try #require(packed.thing)
        #expect(book.cards.map(\.front) == ["2", "3", "4", "6", "7", "8", "9"])
        #expect(book.isKnown == [true, false, false, false, true, false, false])
        #expect(book.current == 3)
        #expect(packed.knownCount == 2)
        _ = book.answer(isKnown: true)
        book.add([Card(front: "11", back: "")])
        packed.become(book)
        #expect(packed.placeCount == 11)
        #expect(packed.known == [0b0110_0010, 0])
        #expect(packed.asked == 7)
        #expect(packed.thing == book)
        #expect(packed.withoutHoles.thing == book)
        #expect(packed.withoutHoles.placeCount == 8)
    }

    @Test func `asks the first card where the last can't be read`() throws {
        var left = PackedCards()
        left.append(Card(front: "1", back: ""))
        let packed = try PackedBook(
            name: "a", rank: 0, cards: left, holes: [1], known: [0], asked: 1)
        #expect(packed.thing?.current == 0)
    }
}
