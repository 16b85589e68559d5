import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import Testing

@testable import BusdGames

@Suite struct GamesLimitTests {
    private let world = GamesFixture()

    private func refusal(_ text: String) -> Refusal { Refusal(.overloaded, text) }

    @Test func `A game beyond 10,000 is refused until one is deleted`() throws {
        let list = try world.list()
        let creation = Games.ViewEvent.createGame(home: try hawks(), away: try jets())
        for _ in 1..<10_000 { try world.makeGame() }
        #expect(list.refusal(of: creation) == nil)
        let last = try world.makeGame()
        let refusal = refusal(
            "there are 10000 games: delete one, which counts for ten minutes more (limit games)")
        #expect(list.refusal(of: creation) == refusal)
        let creator = GameCreatorViewModel(at: try address("game-creator/me"), services: world)
        // The button is disabled, so the event has no effect and no limit refuses it.
        #expect(creator.refusal(of: .createTapped()) == nil)
        for side in Side.allCases {
            creator.handle(.teamNameChanged(side: side, name: "A"), settling: world.libraries)
            for number in 0..<3 {
                let index = try #require(PlayerIndex(number))
                creator.handle(
                    .playerNameChanged(side: side, index: index, name: "B"),
                    settling: world.libraries)
            }
        }
        #expect(creator.refusal(of: .createTapped()) == refusal)
        #expect(list.refusal(of: .deleteGame(game: last.text)) == nil)
        world.delete(last)
        #expect(list.refusal(of: creation) == nil)
    }

    @Test func `Names of more than 1 MiB together are refused until a game is deleted`() throws {
        let list = try world.list()
        // One character of 1,000 bytes: `e` and 333 marks of three bytes.
        let long = "e" + String(repeating: "\u{20DD}", count: 333)
        #expect(long.utf8.count == 1_000)
        let team = try #require(
            Team(name: try Name(long), players: Array(repeating: try Name(long), count: 3)))
        let ids = try (0..<131).map { _ in try world.create(Teams(home: team, away: team)) }
        #expect(world.games.size.nameBytes == 131 * 8_000)
        #expect(list.refusal(of: .createGame(home: try hawks(), away: try jets())) == nil)
        let refusal = refusal(
            "the names in all games together have at most 1048576 bytes: "
                + "delete a game, which counts for ten minutes more, or use shorter names "
                + "(limit gameNames)")
        #expect(list.refusal(of: .createGame(home: team, away: team)) == refusal)
        world.delete(ids[0])
        #expect(list.refusal(of: .createGame(home: team, away: team)) == nil)
    }

    @Test func `Games with names beyond the limit can be deleted, and more are refused`() throws {
        let list = try world.list()
        let team = try #require(
            Team(
                name: try Name("e" + String(repeating: "\u{20DD}", count: 333)),
                players: Array(repeating: try Name("A"), count: 3)))
        for _ in 0..<1_100 { try world.create(Teams(home: team, away: team)) }
        #expect(world.games.count == 1_100)
        #expect(list.refusal(of: .createGame(home: try hawks(), away: try jets())) != nil)
        #expect(list.refusal(of: .deleteGame(game: "1")) == nil)
    }

    @Test func `A move beyond 2,000 of a player in a game is refused`() throws {
        let foul = Move(.foul, by: .home1)
        let id = try world.makeGame(moves: Array(repeating: foul, count: 1_999))
        let player = try world.player("home/1", of: id)
        let other = try world.player("home/2", of: id)
        player.startOnce()
        other.startOnce()
        #expect(player.refusal(of: .foulMove) == nil)
        player.handle(.foulMove, settling: world.libraries)
        #expect(
            player.refusal(of: .assistMove)
                == refusal("a player has at most 2000 moves in a game (limit movesOfPlayer)"))
        #expect(other.refusal(of: .foulMove) == nil)
        world.apply(.takeBack(seen: nil), to: id)
        #expect(player.refusal(of: .foulMove) == nil)
    }

    @Test func `A move in a finished game has no effect, so no limit refuses it`() throws {
        let foul = Move(.foul, by: .home1)
        let id = try world.makeGame(moves: Array(repeating: foul, count: 2_000))
        let player = try world.player("home/1", of: id)
        player.startOnce()
        #expect(player.refusal(of: .foulMove) != nil)
        for move in moves(to: 30, 0) {
            world.apply(.move(move), to: id)
        }
        #expect(world.games[id]?.isFinished == true)
        #expect(player.refusal(of: .foulMove) == nil)
    }

    @Test func `A running game beyond 1,000 is refused, but a pause is not`() throws {
        let ids = try (0...1_000).map { _ in try world.makeGame() }
        for id in ids.dropLast() { world.apply(.togglePause, to: id) }
        let (running, paused) = (
            try world.scoreboard(of: ids[0]), try world.scoreboard(of: ids[1_000])
        )
        running.startOnce()
        paused.startOnce()
        #expect(
            paused.refusal(of: .togglePause)
                == refusal("1000 games are running: pause one first (limit gamesRunning)"))
        #expect(running.refusal(of: .togglePause) == nil)
        for move in moves(to: 30, 0) {
            world.apply(.move(move), to: ids[1_000])
        }
        // A finished game does not run, so the event has no effect.
        #expect(paused.refusal(of: .togglePause) == nil)
        world.apply(.takeBack(seen: nil), to: ids[1_000])
        #expect(paused.refusal(of: .togglePause) != nil)
        running.handle(.togglePause, settling: world.libraries)
        #expect(paused.refusal(of: .togglePause) == nil)
    }

    @Test func `The size of a library counts moves, running games and names`() throws {
        let id = try world.makeGame(moves: moves(to: 2, 1))
        world.apply(.togglePause, to: id)
        #expect(world.games.size == size(games: 1, moves: 3, running: 1))
        world.apply(.takeBack(seen: nil), to: id)
        #expect(world.games.size == size(games: 1, moves: 3, running: 1))
        world.apply(.takeOut(id: 1, was: Move(.onePoint, by: .home1)), to: id)
        #expect(world.games.size == size(games: 1, moves: 1, running: 1))
        try world.makeGame()
        world.delete(id)
        #expect(world.games.size == size(games: 1, moves: 0, running: 0))
    }

    /// The names of a game have 23 bytes: Hawks, Ann, Bo, Cy, Jets, Di, Ed, Flo.
    private func size(games: Int, moves: Int, running: Int) -> GamesSize {
        GamesSize(moves: moves, running: running, nameBytes: games * 23)
    }
}
