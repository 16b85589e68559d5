import BusdGamesEvents
import BusdProtocol
import Testing

@testable import BusdGames

@Suite struct ScoreTests {
    @Test(arguments: [
        (0, 0, nil), (14, 0, nil), (15, 0, Side.home), (0, 15, .away), (15, 13, .home),
        (15, 14, nil), (14, 15, nil), (16, 14, .home), (14, 16, .away), (16, 15, nil),
        (15, 15, nil), (30, 29, nil), (30, 28, .home), (16, 0, .home),
    ])
    func `A side wins with 15 points or more and a lead of two`(
        home: Int, away: Int, winner: Side?
    ) {
        #expect(Score(home: home, away: away).winner(by: .usual) == winner)
    }

    @Test(arguments: [
        (0, 0, nil), (1, 0, Side.home), (0, 1, .away), (21, 20, .home), (20, 21, .away),
    ])
    func `A side wins by the rules of its game`(home: Int, away: Int, winner: Side?) throws {
        let short = try #require(GameRules(pointsToWin: 1, margin: 1))
        #expect(Score(home: home, away: away).winner(by: short) == winner)
        let long = try #require(GameRules(pointsToWin: 21, margin: 5))
        #expect(Score(home: home, away: away).winner(by: long) == nil)
        #expect(GameRules(pointsToWin: 0, margin: 1) == nil)
        #expect(GameRules(pointsToWin: 100, margin: 1) == nil)
        #expect(GameRules(pointsToWin: 15, margin: 0) == nil)
        #expect(GameRules(pointsToWin: 15, margin: 6) == nil)
    }

    @Test(arguments: [
        (0, 0, "0 - 0"), (3, 12, "3 - 12"), (23, 0, "23 - 0"), (0, 23, "0 - 23"),
        (24, 22, "24 - 22"), (22, 24, "22 - 24"), (101, 99, "101 - 99"), (-1, 0, "-1 - 0"),
    ])
    func `The text of a score has home first`(home: Int, away: Int, text: String) {
        #expect(Score(home: home, away: away).text == text)
    }

    @Test func `A score is read and changed by side`() {
        var score = Score()
        score[.home] += 2
        score[.away] += 1
        #expect(score == Score(home: 2, away: 1))
        #expect(score[.home] == 2)
        #expect(score[.away] == 1)
    }

    @Test func `The kinds of moves have one point, two points, or none`() {
        #expect(Move.Kind.allCases.map(\.points) == [1, 2, 0, 0, 0])
    }
}
