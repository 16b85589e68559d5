import BusdProtocol
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import BusdScreens

@Suite struct ChosenListTests {
    struct Row: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var text = ""
    }

    private func list(_ ids: [Int], choosing chosen: Int? = nil) -> ChosenList<Row> {
        var list = ChosenList<Row>()
        list.replace(with: ids.map { Row(id: $0) })
        if let chosen { list.choose(id: chosen) }
        return list
    }

    @Test func `A list is unknown before it gets its rows`() {
        #expect(!ChosenList<Row>().isKnown)
        #expect(list([]).isKnown)
        #expect(list([]).chosenRow == nil)
    }

    @Test func `The next row is chosen even if others change at the same time`() {
        var list = list([1, 2, 3, 4], choosing: 3)
        list.apply([.insert(at: 0, row: Row(id: 9)), .delete(at: 3), .move(from: 3, to: 0)])
        #expect(list.rows.map(\.id) == [4, 9, 1, 2])
        #expect(list.chosen == 4)
        list.apply([.delete(at: 0), .delete(at: 2)])
        #expect(list.chosen == 9)
        list.replace(with: [Row(id: 1), Row(id: 7)])
        #expect(list.chosen == 1)
        list.replace(with: [Row(id: 8)])
        #expect(list.chosen == 8)
    }

    @Test func `Edits that would take very long leave the list as it was`() {
        var list = list([1, 2])
        list.apply([Edit<Row>](repeating: .insert(at: 0, row: Row(id: 3)), count: 100_000))
        #expect(list.rows.map(\.id) == [1, 2])
    }

    @Test func `The shown rows are around the chosen one, as far as the ends allow it`() {
        var list = list(Array(0..<10), choosing: 0)
        #expect(list.firstShown(of: 4) == 0)
        list.choose(id: 5)
        #expect(list.firstShown(of: 4) == 3)
        list.move(by: 99)
        #expect(list.chosen == 9)
        #expect(list.firstShown(of: 4) == 6)
        #expect(list.firstShown(of: 40) == 0)
    }

    @Test func `Over random edits the choice stays, or goes to the nearest row that is left`() {
        for seed in 0..<300 { edit(at: UInt64(seed)) }
    }

    private func edit(at seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var list = list(Array(0..<Int.random(in: 0...12, using: &random)))
        var nextID = 100
        for _ in 0..<30 {
            list.move(by: Int.random(in: -3...3, using: &random))
            let before = list
            let edits = self.edits(of: list.rows, &nextID, &random)
            list.apply(edits)
            var expected = before.rows
            let fits = expected.apply(edits)
            #expect(fits)
            #expect(list.rows == expected)
            #expect(list.chosen == successor(of: before, in: expected), "seed \(seed)")
        }
    }

    /// A few valid edits.
    private func edits(
        of rows: [Row], _ nextID: inout Int, _ random: inout SeededGenerator
    ) -> [Edit<Row>] {
        var count = rows.count
        return (0..<Int.random(in: 1...4, using: &random)).map { _ in
            nextID += 1
            func place() -> Int { Int.random(in: 0..<max(1, count), using: &random) }
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where count > 0:
                let edit = Edit<Row>.delete(at: place())
                count -= 1
                return edit
            case 1 where count > 0: return .move(from: place(), to: place())
            default:
                count += 1
                return .insert(at: place() % count, row: Row(id: nextID))
            }
        }
    }

    private func successor(of list: ChosenList<Row>, in rows: [Row]) -> Int? {
        guard let chosen = list.chosen else { return rows.first?.id }
        let ids = list.rows.map(\.id)
        let place = ids.firstIndex(of: chosen) ?? 0
        let candidates = Array(ids[place...]) + ids[..<place].reversed() + rows.map(\.id)
        return candidates.first { id in rows.contains { $0.id == id } }
    }

    @Test func `Keys move the choice by rows, by pages and to the ends`() {
        let keys: [(Key, Int)] = [
            (.up, -1), (.text("k"), -1), (.scrollUp, -1), (.down, 1), (.text("j"), 1),
            (.scrollDown, 1), (.pageUp, -7), (.pageDown, 7),
        ]
        for (key, step) in keys { #expect(key.step(page: 7) == step) }
        #expect(Key.pageDown.step(page: -3) == 1)
        #expect(Key.enter.step(page: 7) == nil)
        var list = list([1, 2, 3])
        list.move(by: Key.end.step(page: 1) ?? 0)
        #expect(list.chosen == 3)
        list.move(by: Key.home.step(page: 1) ?? 0)
        #expect(list.chosen == 1)
    }
}
