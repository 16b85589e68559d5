import BusdBooksEvents
import BusdProtocol

/// What makes the cards of a book those of a file, without losing their progress.
///
/// A card of the file and a card of the book are one if they are equal, else if their fronts are
/// equal, else if their back exists once, both in the file and among the cards that are left. So
/// the rest of an update that was begun is the same as the rest of the first plan.
struct DeckUpdate: Equatable {
    /// The card at the place, from 0, gets other texts.
    struct Change: Equatable {
        let place: Int
        let card: Card
        let new: Card
    }

    private(set) var changes: [Change] = []
    /// These go to the end of the book.
    private(set) var added: [Card] = []
    /// Cards of the book that the file lacks.
    private(set) var kept = 0

    init(of book: [Card], from file: [Card]) {
        var free = Free(book)
        let others = file.filter { free.takeEqual($0) == nil }
        free.forgetTaken(book) { ExactText($0.front) }
        let unknown = others.filter { card in
            guard let place = free.take(ExactText(card.front)) else { return true }
            changes.append(Change(place: place, card: book[place], new: card))
            return false
        }
        free.forgetTaken(book) { ExactText($0.back) }
        let count = Dictionary(file.map { (ExactText($0.back), 1) }, uniquingKeysWith: +)
        added = unknown.filter { card in
            guard count[ExactText(card.back)] == 1, let place = free.takeOnly(ExactText(card.back))
            else { return true }
            changes.append(Change(place: place, card: book[place], new: card))
            return false
        }
        kept = free.isFree.count { $0 }
    }

    /// The number of steps.
    var count: Int { changes.count + added.count }
}

/// The cards of a book that are not matched yet.
private struct Free {
    private(set) var isFree: [Bool]
    /// Places by card, in reverse order.
    private var equal: [Card: [Int]]
    /// Places by one side, in reverse order.
    private var bySide: [ExactText: [Int]] = [:]

    init(_ book: [Card]) {
        isFree = Array(repeating: true, count: book.count)
        equal = Dictionary(grouping: book.indices.reversed()) { book[$0] }
    }

    mutating func takeEqual(_ card: Card) -> Int? {
        guard let place = equal[card]?.popLast() else { return nil }
        isFree[place] = false
        return place
    }

    mutating func forgetTaken(_ book: [Card], _ side: (Card) -> ExactText) {
        bySide = Dictionary(grouping: book.indices.reversed().filter { isFree[$0] }) {
            side(book[$0])
        }
    }

    mutating func take(_ side: ExactText) -> Int? {
        guard let place = bySide[side]?.popLast() else { return nil }
        isFree[place] = false
        return place
    }

    mutating func takeOnly(_ side: ExactText) -> Int? {
        bySide[side]?.count == 1 ? take(side) : nil
    }
}
