import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import TestSupport
import Testing

@testable import BusdBooks

@Suite struct BookTests {
    private let now = Instant.seconds(1)

    private func book(_ count: Int, known: Set<Int> = [], current: Int? = nil) throws -> Book {
        Book(
            name: try Name("Kanji"), cards: cards(count),
            isKnown: (0..<count).map(known.contains), current: current)
    }

    @Test func `A book asks its first card first`() throws {
        let book = Book(BookSeed(name: try Name("Kanji"), cards: cards(2)))
        #expect(book.current == 0)
        #expect(book.card == Card(front: "front 1", back: "back 1"))
        #expect(book.progress == Progress(known: 0, of: 2))
    }

    @Test(arguments: [nil, -1, 0, 1, 2, 7, Int.max, Int.min])
    func `A book asks an unknown card, whatever card was stored`(current: Int?) throws {
        let book = try book(3, known: [0, 2], current: current)
        #expect(book.current == 1)
    }

    @Test func `Stored marks that are too few or too many are fitted to the cards`() throws {
        let name = try Name("Kanji")
        let short = Book(name: name, cards: cards(3), isKnown: [true], current: 0)
        #expect(short.isKnown == [true, false, false])
        #expect(short.current == 1)
        let long = Book(name: name, cards: cards(1), isKnown: [true, false, true], current: 2)
        #expect(long.isKnown == [true])
        #expect(long.progress == Progress(known: 1, of: 1))
        #expect(long.card == nil)
    }

    @Test func `A book asks unknown cards again, after the others`() throws {
        var book = try book(3)
        let asked = [false, false, true, false, true, true].map { isKnown in
            defer { _ = book.apply(.answer(isKnown: isKnown), at: now) }
            return book.current
        }
        #expect(asked == [0, 1, 2, 0, 1, 0])
        #expect(book.current == nil)
        let done = book
        let isAnswered = book.apply(.answer(isKnown: false), at: now)
        #expect(!isAnswered)
        #expect(book == done)
    }

    @Test func `An unknown answer to the only card that is left changes nothing`() throws {
        var book = try book(3, known: [0, 2])
        let before = book
        let hasChanged = book.apply(.answer(isKnown: false), at: now)
        #expect(!hasChanged)
        #expect(book == before)
    }

    @Test func `A finished book asks cards that are added`() throws {
        var book = try book(1, known: [0])
        #expect(book.current == nil)
        _ = book.apply(.add(cards(2, from: 2)), at: now)
        #expect(book.current == 1)
        let isChanged = book.apply(.add([]), at: now)
        #expect(!isChanged)
        #expect(book.current == 1)
        #expect(book.cards == cards(3))
    }

    @Test(arguments: [
        (0, 0, 0), (0, 3, 0), (1, 3, 33), (2, 3, 66), (3, 3, 100), (1, 200, 0), (199, 200, 99),
        (43, 100, 43), (99_999, 100_000, 99), (1, 1, 100), (57, 100, 57), (29, 100, 29),
    ])
    func `The percentage of known cards is rounded down`(known: Int, of cards: Int, percent: Int) {
        let progress = Progress(known: known, of: cards)
        #expect(progress.percent == percent)
        #expect(progress.shortText == "\(percent)%")
        #expect(progress.text == "\(percent)% KNOWN")
    }
}

/// `hasEffect` predicts whether `apply` changes a thing. It needs no copy of the thing.
@Suite struct HasEffectTests {
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `The method hasEffect predicts whether an action changes a book`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var book = Book(BookSeed(name: try Name("Kanji"), cards: cards(random.number(0...4))))
        for _ in 1...200 {
            let actions: [BookAction] = [
                .answer(isKnown: true), .answer(isKnown: false), .ask(random.number(-1...5)),
                .askAll, .add(cards(random.once(in: 20) ? 1 : 0)),
            ]
            let action = actions[random.number(actions.indices)]
            let (before, hasEffect) = (book, book.hasEffect(action, at: .seconds(1)))
            #expect(book.apply(action, at: .seconds(1)) == hasEffect)
            #expect((book != before) == hasEffect)
            #expect(book.summary.cardBytes == book.cards.bytes)
        }
    }
}
