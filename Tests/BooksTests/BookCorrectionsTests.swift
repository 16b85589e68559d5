import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import BusdTestKit
import TestSupport
import Testing

@testable import BusdBooks

/// Corrections of the cards of a book.
@Suite struct BookCorrectionsTests {
    private let now = Instant.seconds(1)

    private func book(_ count: Int, known: Set<Int> = [], current: Int? = nil) throws -> Book {
        Book(
            name: try Name("Kanji"), cards: cards(count),
            isKnown: (0..<count).map(known.contains), current: current)
    }

    private func apply(_ action: BookAction, to book: inout Book) -> Bool {
        let couldHave = book.hasEffect(action, at: now)
        let before = book
        let had = book.apply(action, at: now)
        #expect(had == couldHave)
        if !had { #expect(book == before) }
        return had
    }

    @Test func `The card that is asked stays the same card`() throws {
        var book = try book(4, known: [0], current: 2)
        let asked = book.card
        for action in [
            BookAction.insert(at: 0, card: Card(front: "new", back: "new")),
            .move(from: 3, card: cards(4)[2], to: 0), .move(from: 4, card: cards(4)[3], to: 0),
            .remove(at: 2, card: Card(front: "new", back: "new")),
            .takeBack(at: 2, card: Card(front: "new", back: "new")),
        ] {
            #expect(apply(action, to: &book))
            #expect(book.card == asked)
        }
        #expect(book.knownCount == 1)
    }

    @Test func `A changed card keeps its progress, and stays the card that is asked`() throws {
        var book = try book(3, known: [0], current: 1)
        let new = Card(front: "new", back: "new")
        for place in 0...1 {
            let isChanged = apply(.change(at: place, card: cards(3)[place], to: new), to: &book)
            #expect(isChanged)
        }
        #expect(book.isKnown == [true, false, false])
        #expect(book.card == new)
        #expect(book.correction == Correction(card: cards(3)[1], place: 1, wasKnown: nil))
    }

    @Test func `If the card that is asked is removed, the next unknown one is asked`() throws {
        var book = try book(4, known: [2], current: 1)
        _ = apply(.remove(at: 1, card: cards(4)[1]), to: &book)
        #expect(book.card == cards(4)[3])
        _ = apply(.takeBack(at: 1, card: cards(4)[1]), to: &book)
        #expect(book.card == cards(4)[3])
        #expect(book.isKnown == [false, false, true, false])
        #expect(book.correction == nil)
    }

    @Test func `A finished book asks a card that is added, and an unknown one that returns`() throws
    {
        var book = try book(2, known: [0], current: 1)
        _ = apply(.remove(at: 1, card: cards(2)[1]), to: &book)
        #expect(book.current == nil)
        _ = apply(.takeBack(at: 1, card: cards(2)[1]), to: &book)
        #expect(book.current == 1)
        _ = apply(.answer(isKnown: true), to: &book)
        _ = apply(.insert(at: 0, card: cards(1)[0]), to: &book)
        #expect(book.current == 0)
    }

    @Test func `A correction that names another card, place or name has no effect`() throws {
        var book = try book(2)
        let (first, second) = (cards(2)[0], cards(2)[1])
        let other = Card(front: "front 1", back: "Back 1")
        let decomposed = Card(front: "e\u{301}", back: "")
        let composed = Card(front: "\u{E9}", back: "")
        for action in [
            BookAction.change(at: 0, card: second, to: other),
            .change(at: 0, card: first, to: first),
            .change(at: 2, card: first, to: other), .insert(at: 3, card: other),
            .move(from: 0, card: second, to: 1), .move(from: 0, card: first, to: 0),
            .move(from: 0, card: first, to: 2), .remove(at: 0, card: other),
            .remove(at: 2, card: first), .takeBack(at: 0, card: first),
            .rename(from: "kanji", to: try Name("Kana")),
            .rename(from: "Kanji", to: try Name("Kanji")), .restore,
        ] {
            #expect(!apply(action, to: &book))
        }
        _ = apply(.change(at: 0, card: first, to: decomposed), to: &book)
        #expect(!apply(.remove(at: 0, card: composed), to: &book))
        #expect(apply(.change(at: 0, card: decomposed, to: composed), to: &book))
        #expect(!apply(.takeBack(at: 0, card: first), to: &book))
        #expect(!apply(.takeBack(at: 1, card: decomposed), to: &book))
        #expect(apply(.takeBack(at: 0, card: decomposed), to: &book))
        #expect(!apply(.takeBack(at: 0, card: decomposed), to: &book))
    }

    /// A book in which each card has its own progress, as a list of cards.
    private struct Reference {
        var cards: [(card: Card, isKnown: Bool)] = []
        var asked: Card?
        /// The cards before the last removal or change.
        var before: [(card: Card, isKnown: Bool)]?
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `Corrections keep the progress of all other cards, and an undo brings a card back`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var book = try book(4)
        var reference = Reference(cards: cards(4).map { ($0, false) }, asked: book.card)
        var made = 4
        for _ in 1...60 {
            let count = reference.cards.count
            let place = Int.random(in: 0..<max(1, count), using: &random)
            let card = count > 0 ? reference.cards[place].card : Card(front: "", back: "")
            made += 1
            let new = Card(front: "front \(made)", back: "back \(made)")
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where count > 0:
                #expect(apply(.change(at: place, card: card, to: new), to: &book))
                reference.before = reference.cards
                reference.cards[place].card = new
                if reference.asked == card { reference.asked = new }
            case 1 where count > 0:
                #expect(apply(.remove(at: place, card: card), to: &book))
                reference.before = reference.cards
                reference.cards.remove(at: place)
                if reference.asked == card {
                    let rest = reference.cards[place...] + reference.cards[..<place]
                    reference.asked = rest.first { !$0.isKnown }?.card
                }
            case 2:
                #expect(apply(.insert(at: place, card: new), to: &book))
                reference.cards.insert((new, false), at: place)
                reference.asked = reference.asked ?? new
                reference.before = nil
            case 3 where count > 1:
                let to = (place + 1) % count
                #expect(apply(.move(from: place, card: card, to: to), to: &book))
                reference.cards.insert(reference.cards.remove(at: place), at: to)
                reference.before = nil
            case 4:
                _ = apply(.answer(isKnown: .random(using: &random)), to: &book)
                reference.cards = zip(book.cards, book.isKnown).map { ($0, $1) }
                reference.asked = book.card
                reference.before = nil
            default:
                guard let correction = book.correction else { break }
                let undo = BookAction.takeBack(at: correction.place, card: correction.card)
                #expect(apply(undo, to: &book))
                if let before = reference.before {
                    #expect(book.cards == before.map(\.card))
                    #expect(book.isKnown == before.map(\.isKnown))
                }
                reference.cards = zip(book.cards, book.isKnown).map { ($0, $1) }
                reference.asked = book.card
                reference.before = nil
            }
            #expect(book.cards == reference.cards.map(\.card))
            #expect(book.isKnown == reference.cards.map(\.isKnown))
            #expect(book.card == reference.asked)
            #expect(book.knownCount == reference.cards.count { $0.isKnown })
            #expect(book.summary.cardBytes == book.cards.bytes)
        }
    }

    @Test func `An undo finds its place after cards were added and moved`() throws {
        var book = try book(3)
        let changed = Card(front: "new", back: "")
        _ = apply(.change(at: 1, card: cards(3)[1], to: changed), to: &book)
        _ = apply(.insert(at: 0, card: changed), to: &book)
        #expect(book.correction?.place == 2)
        _ = apply(.move(from: 2, card: changed, to: 0), to: &book)
        #expect(book.correction?.place == 0)
        _ = apply(.move(from: 3, card: cards(3)[2], to: 0), to: &book)
        #expect(apply(.takeBack(at: 1, card: cards(3)[1]), to: &book))
        #expect(book.cards == [cards(3)[2], cards(3)[1], changed, cards(3)[0]])
        _ = apply(.remove(at: 3, card: cards(3)[0]), to: &book)
        _ = apply(.move(from: 0, card: cards(3)[2], to: 2), to: &book)
        _ = apply(.add(cards(1, from: 9)), to: &book)
        let place = try #require(book.correction?.place)
        #expect(apply(.takeBack(at: place, card: cards(3)[0]), to: &book))
        #expect(Set(book.cards) == Set(cards(3) + cards(1, from: 9) + [changed]))
    }

    // MARK: Stored forms

    @Test(arguments: [
        #""correction":{"card":"1:a1:b","place":2}"#, #""correction":{"card":"1:a1:b","place":-1}"#,
        #""correction":{"card":"1:a1:b","place":3,"known":true}"#,
        #""correction":{"card":"","place":0}"#, #""correction":{"card":"0:0:0:0:","place":0}"#,
        #""deleted":-1"#, #""deleted":1152921504606846977"#, #""deleted":"x""#,
    ])
    func `A state with a fact that cannot be is refused`(fact: String) throws {
        let body = #"{"name":"Kanji","cards":"1:a1:b1:c1:d","known":"00","current":0,"#
        _ = try decode(Book.self, from: Array((body + #""deleted":7}"#).utf8))
        #expect(throws: WireError.self) {
            try decode(Book.self, from: Array("\(body)\(fact)}".utf8))
        }
    }

    @Test(arguments: [
        "delete ", "restored", "rename 1:a", "rename 1:a0:", "rename 1:a1:b1:c1:d",
        "change 1:a1:b1:c1:d", "change 0 1:a1:b", "change -1 1:a1:b1:c1:d", "insert 0",
        "insert 0 ", "insert 0  1:a1:b", "insert x 1:a1:b", "move 0 1:a1:b", "remove 0 1:a",
        "remove 99999999999999 1:a1:b", "undo", "undo 1:a1:b",
    ])
    func `Any other form of an action of a book is reported`(text: String) {
        #expect(throws: WireError.self) {
            try decode(BookAction.self, from: Array("\"\(text)\"".utf8))
        }
    }
}
