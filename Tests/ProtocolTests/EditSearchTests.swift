import TestSupport
import Testing

@testable import BusdProtocol

struct EditSearchTests {
    /// The edits, after a check that they give the new list.
    private func edits(
        _ old: String, _ new: String, sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Edit<String>] {
        let (old, new) = (old.map { String($0) }, new.map { String($0) })
        let edits = [Edit](from: old, to: new)
        expect(edits, turn: old, into: new, sourceLocation)
        return edits
    }

    private func expect<Row>(
        _ edits: [Edit<Row>], turn old: [Row], into new: [Row], _ place: SourceLocation
    ) {
        var list = old
        let isApplied = list.apply(edits)
        #expect(isApplied && list == new, "\(old) to \(new): \(edits)", sourceLocation: place)
    }

    @Test(arguments: ["", "a", "abc"])
    func `Equal lists need no edit`(list: String) {
        #expect(edits(list, list) == [])
    }

    @Test(
        arguments: [
            ("", "a", .insert(at: 0, row: "a")), ("abc", "abcd", .insert(at: 3, row: "d")),
            ("abc", "dabc", .insert(at: 0, row: "d")), ("aa", "aaa", .insert(at: 2, row: "a")),
            ("a", "", .delete(at: 0)), ("abc", "ac", .delete(at: 1)), ("aab", "ab", .delete(at: 1)),
            ("abc", "aBc", .update(at: 1, row: "B")), ("a", "b", .update(at: 0, row: "b")),
            ("abcd", "dabc", .move(from: 3, to: 0)), ("abcd", "bcda", .move(from: 0, to: 3)),
            ("abcd", "acbd", .move(from: 1, to: 2)),
        ] as [(String, String, Edit<String>)])
    func `One change of a list is one edit`(old: String, new: String, edit: Edit<String>) {
        #expect(edits(old, new) == [edit])
    }

    @Test(
        arguments: [
            ("abc", "AbC", [.update(at: 0, row: "A"), .update(at: 2, row: "C")]),
            ("abcdef", "fabcde", [.move(from: 5, to: 0)]),
            (
                "abcdef", "bAcdfe",
                [
                    .delete(at: 0), .insert(at: 1, row: "A"), .move(from: 4, to: 5),
                ]
            ),
            (
                "abc", "xyz",
                [
                    .update(at: 0, row: "x"), .update(at: 1, row: "y"), .update(at: 2, row: "z"),
                ]
            ),
            ("abcde", "ae", [.delete(at: 3), .delete(at: 2), .delete(at: 1)]),
            (
                "ae", "abcde",
                [
                    .insert(at: 1, row: "b"), .insert(at: 2, row: "c"), .insert(at: 3, row: "d"),
                ]
            ),
        ] as [(String, String, [Edit<String>])])
    func `Several changes are no more edits than changes`(
        old: String, new: String, expected: [Edit<String>]
    ) {
        #expect(edits(old, new) == expected)
    }

    /// All pairs of lists with at most four rows of three letters: each turns into each.
    @Test func `The edits turn every short list into every other one`() {
        var lists: [[Int]] = [[]]
        var longest = lists
        for _ in 1...4 {
            longest = longest.flatMap { list in (0..<3).map { list + [$0] } }
            lists += longest
        }
        #expect(lists.count == 121)
        for old in lists {
            for new in lists {
                let edits = [Edit](from: old, to: new)
                var list = old
                guard list.apply(edits), list == new, edits.count <= max(old.count, new.count)
                else {
                    Issue.record("\(old) to \(new): \(edits)")
                    return
                }
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `The edits turn a random list into a random change of it`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = random.number(2...80)
        let old = (0..<random.number(0...60)).map { _ in random.number(0..<letters) }
        var new = old
        let changes = random.number(0...20)
        for _ in 0..<changes {
            switch random.number(0..<4) {
            case 0: new.insert(random.number(0..<letters), at: random.number(0...new.count))
            case 1 where !new.isEmpty: new.remove(at: random.number(0..<new.count))
            case 2 where !new.isEmpty:
                new[random.number(0..<new.count)] = random.number(0..<letters)
            case _ where !new.isEmpty:
                let row = new.remove(at: random.number(0..<new.count))
                new.insert(row, at: random.number(0...new.count))
            default: break
            }
        }
        let edits = [Edit](from: old, to: new)
        expect(edits, turn: old, into: new, #_sourceLocation)
        // An update counts as two differences, so it may become a deletion and an insertion.
        #expect(edits.count <= 2 * changes)
    }

    @Test func `A few changes of a long list are a few edits, found with few comparisons`() {
        let old = Array(0..<10_000)
        var new = old
        new.insert(new.remove(at: 9_000), at: 10)
        new[5_000] = -1
        new.remove(at: 9_990)
        let edits = [Edit](from: old, to: new)
        expect(edits, turn: old, into: new, #_sourceLocation)
        #expect(edits.count == 3)
        #expect(comparisons(old, new) < 200_000)
    }

    @Test func `Long lists without a common row are compared in linear time`() {
        let (old, new) = (Array(0..<5_000), Array(5_000..<10_000))
        #expect([Edit](from: old, to: new) == old.map { .update(at: $0, row: $0 + 5_000) })
        #expect([Edit](from: old, to: []) == old.reversed().map { .delete(at: $0) })
        #expect([Edit](from: [], to: old) == old.map { .insert(at: $0, row: $0) })
        #expect(comparisons(old, new) < 50_000)
    }

    private func comparisons(_ old: [Int], _ new: [Int]) -> Int {
        var count = 0
        _ = EditSearch(old.count, new.count) {
            count += 1
            return old[$0] == new[$1]
        }
        return count
    }
}
