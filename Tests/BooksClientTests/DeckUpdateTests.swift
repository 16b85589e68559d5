import BusdBooksEvents
import BusdProtocol
import TestSupport
import Testing

@testable import books

/// What an import into an existing book does.
@Suite struct DeckUpdateTests {
    private func card(_ text: String) -> Card {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        return Card(front: String(sides[0]), back: String(sides[1]))
    }

    private func cards(_ texts: [String]) -> [Card] { texts.map(card) }

    /// The steps of an update, such as `0 a=b` for a change and `+ a=b` for an addition.
    private func steps(_ book: [String], _ file: [String]) -> [String] {
        let update = DeckUpdate(of: cards(book), from: cards(file))
        return update.changes.map { "\($0.place) \($0.new.front)=\($0.new.back)" }
            + update.added.map { "+ \($0.front)=\($0.back)" }
            + (update.kept > 0 ? ["kept \(update.kept)"] : [])
    }

    @Test(
        arguments: [
            ([], ["a=1"], ["+ a=1"]), (["a=1"], ["a=1"], []), (["a=1"], ["a=2"], ["0 a=2"]),
            (["a=1"], ["b=1"], ["0 b=1"]), (["a=1"], ["b=2"], ["+ b=2", "kept 1"]),
            // The front counts before the back.
            (["a=1", "b=2"], ["b=1"], ["1 b=1", "kept 1"]),
            (["a=1", "b=2"], ["b=1", "c=1"], ["1 b=1", "+ c=1", "kept 1"]),
            // A back that exists twice, in the book or in the file, finds nothing.
            (["a=1", "b=1"], ["c=1"], ["+ c=1", "kept 2"]),
            (["a=1"], ["b=1", "c=1"], ["+ b=1", "+ c=1", "kept 1"]),
            // Equal cards are one each.
            (["a=1", "a=1"], ["a=1"], ["kept 1"]), (["a=1"], ["a=1", "a=1"], ["+ a=1"]),
            (["a=1", "a=2"], ["a=2", "a=3"], ["0 a=3"]),
            // Compared byte by byte.
            (["e\u{301}=1", "b=1"], ["\u{E9}=2"], ["+ \u{E9}=2", "kept 2"]),
        ] as [([String], [String], [String])])
    func `A card is found by its front, then by a back that exists once`(
        book: [String], file: [String], expected: [String]
    ) {
        #expect(steps(book, file) == expected)
    }

    /// The book after the first steps of the update.
    private func book(_ book: [Card], after steps: Int, of update: DeckUpdate) -> [Card] {
        var book = book
        for change in update.changes.prefix(steps) {
            #expect(book[change.place] == change.card)
            book[change.place] = change.new
        }
        return book + update.added.prefix(max(0, steps - update.changes.count))
    }

    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func `An update that was interrupted at any step, and then repeated, gives the same book`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        func cards(_ most: Int) -> [Card] {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in
                Card(
                    front: ["a", "b", "c", "d"].randomElement(using: &random) ?? "",
                    back: ["1", "2", "3", "4"].randomElement(using: &random) ?? "")
            }
        }
        let (before, file) = (cards(6), cards(6))
        let update = DeckUpdate(of: before, from: file)
        let after = book(before, after: update.count, of: update)
        #expect(after.count == file.count + update.kept)
        var left = after
        for card in file {
            let place = left.firstIndex(of: card)
            #expect(place != nil)
            if let place { left.remove(at: place) }
        }
        for steps in 0...update.count {
            let part = book(before, after: steps, of: update)
            let rest = DeckUpdate(of: part, from: file)
            #expect(book(part, after: rest.count, of: rest) == after)
            #expect(rest.kept == update.kept)
            #expect(rest.count == update.count - steps)
        }
    }
}
