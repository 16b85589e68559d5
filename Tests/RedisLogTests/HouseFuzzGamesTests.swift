import BusdGamesEvents
import BusdProtocol
import Testing

@testable import BusdGames

/// Random changes of the games that stand in Redis.
@Suite struct HouseFuzzGamesTests {
    private struct FuzzedGames: FuzzedThings {
        static let kinds = [KindCheck(Game.self)]
        let games: Library<Game>

        init(_ libraries: Libraries) { games = Library(libraries) }

        func steps() throws -> [() -> Void] {
            let names = try ["A", "a", "b", "c", "B", "d", "e", "f"].map { try Name($0) }
            let home = try #require(Team(name: names[0], players: Array(names[1...3])))
            let away = try #require(Team(name: names[4], players: Array(names[5...7])))
            let game = try #require(GameID(1))
            let player = PlayerID.all[0]
            let date = UTCTime(seconds: 1_790_000_000)
            let end = Instant(microseconds: 4_000_000)
            return [
                { games.create(GameSeed(Teams(home: home, away: away), created: date)) },
                { games.create(GameSeed(Teams(home: away, away: home), created: date)) },
                { games.propose(.resume, to: game) },
                { games.propose(.move(Move(.twoPoint, by: player)), to: game) },
                { games.propose(.move(Move(.foul, by: player)), to: game) },
                { games.propose(.takeBack(seen: nil), to: game) },
                { games.propose(.halt(end, at: date), to: game) },
                { games.propose(.togglePause, to: game) },
                { games.move(game, to: 1) },
                { if let id = GameID(2) { games.delete(id) } },
            ]
        }
    }

    @Test func `A changed entry of games is refused by all daemons alike, or applied`() throws {
        try HouseFuzz<FuzzedGames>.changeEntries()
    }

    @Test func `Changed states of games are refused, or can be loaded and used`() throws {
        try HouseFuzz<FuzzedGames>.changeStates()
    }
}
