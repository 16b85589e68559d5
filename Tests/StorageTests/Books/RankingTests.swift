import BusdViewModels
import Testing

@testable import BusdStorage

@Suite struct `The order of books` {
    @Test func `changes one rank with a move`() throws {
        var ranking = Ranking([])
        for number in 1...100 {
            #expect(ranking.append(try bookID(number)) == [try bookID(number)])
        }
        #expect(ranking.move(try bookID(100), to: 0) == [try bookID(100)])
        #expect(ranking.move(try bookID(1), to: 99) == [try bookID(1)])
        #expect(ranking.move(try bookID(50), to: 7) == [try bookID(50)])
        #expect(ranking.ids.map(\.number).prefix(9) == [100, 2, 3, 4, 5, 6, 7, 50, 8])
        #expect(ranking.ids.last == .first)
    }

    @Test func `is numbered anew when there is no room left, seldom`() throws {
        var ranking = Ranking([])
        for number in 1...10 { _ = ranking.append(try bookID(number)) }
        var all = 0
        // Always between the first two.
        for _ in 1...320 {
            let changed = ranking.move(ranking.ids[9], to: 1)
            if changed.count > 1 { all += 1 }
            #expect(changed.count == 1 || changed.count == 10)
            expectAscending(ranking)
        }
        #expect(all <= 11)
    }

    @Test func `knows no other places`() throws {
        var ranking = Ranking([(.first, 1), (try bookID(2), 2)])
        #expect(ranking.move(.first, to: 0).isEmpty)
        #expect(ranking.move(.first, to: 2).isEmpty)
        #expect(ranking.move(.first, to: -1).isEmpty)
        #expect(ranking.move(.first, to: .max).isEmpty)
        #expect(ranking.move(try bookID(3), to: 0).isEmpty)
        #expect(ranking.ids == [.first, try bookID(2)])
    }

    @Test(arguments: [
        [Int.min, 0], [0, Int.max], [Int.min, Int.max], [7, 7], [-1, 0], [0, 1],
    ])
    func `bears whatever a file says`(ranks: [Int]) throws {
        for place in 0...2 {
            var ranking = Ranking([(.first, ranks[0]), (try bookID(2), ranks[1])])
            #expect(ranking.ids == [.first, try bookID(2)])
            let new = try bookID(3)
            _ = ranking.append(new)
            _ = ranking.move(new, to: place)
            #expect(ranking.ids.firstIndex(of: new) == place)
            expectAscending(ranking)
        }
    }

    /// So it is the same order when it is read again.
    private func expectAscending(_ ranking: Ranking) {
        let again = Ranking(ranking.ids.reversed().map { ($0, ranking.rank(of: $0)) })
        #expect(again.ids == ranking.ids)
    }
}
