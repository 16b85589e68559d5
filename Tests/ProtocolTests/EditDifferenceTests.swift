import BusdProtocol
import TestSupport
import Testing

/// From one list to another by edits: they lead there, they are few, and they are as many as they
/// must be.
struct EditDifferenceTests {
    private struct Row: Codable, Equatable, Sendable, Identifiable {
        var id: Int
        var text = ""
    }

    private func rows(_ ids: Int...) -> [Row] { ids.map { Row(id: $0) } }

    private func expect(
        _ edits: [Edit<Row>]?, lead from: [Row], to new: [Row],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var list = from
        let fits = edits.map { list.apply($0) } ?? false
        #expect(fits && list == new, "\(String(describing: edits))", sourceLocation: sourceLocation)
    }

    @Test func `equal lists need no edit`() {
        #expect(rows(1, 2, 3).edits(to: rows(1, 2, 3)) == [])
        #expect(rows().edits(to: rows()) == [])
    }

    @Test func `a row that comes, goes, or says something else is one edit`() {
        let old = rows(1, 2, 3)
        #expect(old.edits(to: rows(1, 2, 9, 3)) == [.insert(at: 2, row: Row(id: 9))])
        #expect(old.edits(to: rows(1, 3)) == [.delete(at: 1)])
        var new = old
        for place in old.indices {
            new[place].text = "new"
            let row = new[place]
            #expect(old.edits(to: new) == [.update(at: place, row: row)])
            new = old
        }
    }

    @Test func `a row that moves is one edit, whichever way`() {
        #expect(rows(1, 2, 3, 4).edits(to: rows(2, 3, 4, 1)) == [.move(from: 0, to: 3)])
        #expect(rows(1, 2, 3, 4).edits(to: rows(4, 1, 2, 3)) == [.move(from: 3, to: 0)])
        #expect(rows(1, 2, 3, 4, 5).edits(to: rows(1, 3, 4, 2, 5)) == [.move(from: 1, to: 3)])
    }

    @Test func `a row that moves and says something else is two`() {
        let new = [Row(id: 2), Row(id: 3), Row(id: 1, text: "new")]
        #expect(
            rows(1, 2, 3).edits(to: new)
                == [.move(from: 0, to: 2), .update(at: 2, row: Row(id: 1, text: "new"))])
    }

    @Test func `a list that ends is told whole`() {
        #expect(rows(1, 2, 3).edits(to: []) == nil)
        #expect(rows(1, 2, 3, 4).edits(to: rows(9)) == nil)
        #expect(rows(1).edits(to: rows(2)) == nil)
        #expect(rows().edits(to: rows(1, 2))?.count == 2)
    }

    @Test func `a list turned round moves all rows but one`() {
        let old = (0..<100).map { Row(id: $0) }
        let edits = old.edits(to: old.reversed())
        #expect(edits?.count == 99)
        expect(edits, lead: old, to: old.reversed())
    }

    @Test(arguments: 0..<400)
    func `any list leads to any other`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = Int.random(in: 0...40, using: &random)
        let old = (0..<size).map { Row(id: $0) }
        var new = old
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            switch Int.random(in: 0...4, using: &random) {
            case 0: new.insert(Row(id: 1000 + new.count), at: place(in: new, &random))
            case 1: if !new.isEmpty { new.remove(at: row(in: new, &random)) }
            case 2: if !new.isEmpty { new[row(in: new, &random)].text += "!" }
            case 3: if seed.isMultiple(of: 7) { new.shuffle(using: &random) }
            default:
                if !new.isEmpty {
                    let row = new.remove(at: row(in: new, &random))
                    new.insert(row, at: place(in: new, &random))
                }
            }
        }
        new = unique(new)
        let edits = old.edits(to: new)
        if let edits {
            expect(edits, lead: old, to: new)
            #expect(edits.count <= new.count)
            #expect(edits.count == fewest(from: old, to: new))
        } else {
            #expect(fewest(from: old, to: new) > new.count)
        }
    }

    private func place(in rows: [Row], _ random: inout SeededGenerator) -> Int {
        Int.random(in: 0...rows.count, using: &random)
    }

    private func row(in rows: [Row], _ random: inout SeededGenerator) -> Int {
        Int.random(in: 0..<rows.count, using: &random)
    }

    private func unique(_ rows: [Row]) -> [Row] {
        var seen: Set<Int> = []
        return rows.filter { seen.insert($0.id).inserted }
    }

    /// Counted the slow way: all rows that are not in the longest common order move.
    private func fewest(from old: [Row], to new: [Row]) -> Int {
        let (before, after) = (old.map(\.id), new.map(\.id))
        let kept = after.filter(before.contains)
        let order = before.filter(after.contains)
        var longest = Array(
            repeating: Array(repeating: 0, count: kept.count + 1), count: order.count + 1)
        for (i, a) in order.enumerated() {
            for (j, b) in kept.enumerated() {
                longest[i + 1][j + 1] =
                    a == b ? longest[i][j] + 1 : max(longest[i][j + 1], longest[i + 1][j])
            }
        }
        let moved = kept.count - longest[order.count][kept.count]
        let changed = new.count { row in old.contains { $0.id == row.id && $0 != row } }
        return before.count - kept.count + after.count - kept.count + moved + changed
    }

    @Test func `shuffles of five hundred rows lead where they should`() {
        var random = SeededGenerator(seed: 500)
        let old = (0..<500).map { Row(id: $0) }
        for _ in 0..<20 {
            let new = old.shuffled(using: &random)
            expect(old.edits(to: new), lead: old, to: new)
        }
    }

    @Test func `an id that stands twice does no harm`() {
        let old = rows(1, 1, 2, 3, 4)
        let new = rows(2, 1, 3, 1, 4, 4)
        if let edits = old.edits(to: new) { expect(edits, lead: old, to: new) }
    }
}
