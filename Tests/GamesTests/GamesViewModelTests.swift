import BusdApplicationTestSupport
import BusdGamesEvents
import BusdTestKit
import Testing

@testable import BusdGames
@testable import BusdProtocol

@Suite struct GamesViewModelTests {
    private let world = GamesFixture()

    private func row(
        _ id: Int, score: String = "0 - 0", status: Games.Status = .paused,
        created: Int = Self.today, isDeleted: Bool = false
    ) -> Games.Row {
        Games.Row(
            id: "\(id)", address: "scoreboard/\(id)", home: "Hawks", away: "Jets", score: score,
            status: status, created: created, isDeleted: isDeleted)
    }

    /// The date of the test's world.
    private static let today = 1_767_225_600

    private func watchList() throws -> RecordingView<GamesViewModel> {
        let view = world.watch(try world.list())
        view.forget()
        return view
    }

    @Test func `The list of games is empty at first`() throws {
        world.watch(try world.list()).expect(.games(games: []))
    }

    @Test func `The list has the newest game first`() throws {
        try world.makeGame()
        try world.makeGame(moves: moves(to: 3, 2))
        try world.makeGame(moves: moves(to: 15, 13))
        let running = try world.makeGame()
        world.apply(.togglePause, to: running)
        world.watch(try world.list()).expect(
            .games(games: [
                row(4, status: .running), row(3, score: "15 - 13", status: .finished),
                row(2, score: "3 - 2"), row(1),
            ]))
    }

    @Test func `The list creates a game with its date, and reports its address`() throws {
        let view = try watchList()
        view.send(.createGame(home: try hawks(), away: try jets()))
        view.expect(
            .gamesEdited(edits: [.insert(at: 0, row: row(1))]),
            .created(game: "1", address: "scoreboard/1"))
        world.date.now = UTCTime(seconds: 1_800_000_000)
        let rules = try #require(GameRules(pointsToWin: 21, margin: 1))
        view.send(.createGame(home: try hawks(), away: try jets(), rules: rules))
        view.expect(
            .gamesEdited(edits: [.insert(at: 0, row: row(2, created: 1_800_000_000))]),
            .created(game: "2", address: "scoreboard/2"))
        let (first, second) = (world.games[.first], world.games[.first.next])
        #expect(first?.rules == .usual && first?.created == UTCTime(seconds: Int64(Self.today)))
        #expect(second?.rules == rules && second?.teams == first?.teams)
    }

    @Test func `Teams of different sizes do not play`() throws {
        let list = try world.list()
        let event = Games.ViewEvent.createGame(home: try hawks(), away: try team("J", "A", "B"))
        #expect(
            list.refusal(of: event)
                == Refusal(
                    .badEvent, "both teams need the same number of players", at: "away.players"))
    }

    @Test func `A deleted game stays in the list for ten minutes, and can be restored`() throws {
        for _ in 1...3 { try world.makeGame() }
        let second = try #require(GameID(2))
        world.apply(.resume, to: second)
        let view = try watchList()
        #expect(world.addresses.kinds.count == 24)
        view.send(.deleteGame(game: "2"))
        view.expect(.gamesEdited(edits: [.update(at: 1, row: row(2, isDeleted: true))]))
        #expect(world.addresses.kinds.count == 16)
        view.send(.deleteGame(game: "2"))
        view.expectNothing()
        // Nothing else changes a deleted game.
        world.apply(.move(Move(.foul, by: .home1)), to: second)
        world.apply(.resume, to: second)
        #expect(world.games[second]?.moves == [])
        world.time.advance(by: .seconds(599))
        view.send(.restoreGame(game: "2"))
        view.expect(.gamesEdited(edits: [.update(at: 1, row: row(2))]))
        #expect(world.addresses.kinds.count == 24)
        view.send(.restoreGame(game: "2"))
        view.send(.restoreGame(game: "9"))
        world.time.advance(by: .seconds(10))
        world.libraries.settle()
        view.expectNothing()

        view.send(.deleteGame(game: "2"))
        view.forget()
        world.time.advance(by: .seconds(600))
        // Too late, although the game is still there.
        view.send(.restoreGame(game: "2"))
        view.expect(.gamesEdited(edits: [.delete(at: 1)]))
        #expect(world.games.ids.map(\.text) == ["1", "3"])
        #expect(world.addresses.kinds.count == 16)
    }

    @Test func `A restart deletes for good what was deleted ten minutes ago`() throws {
        let log = TestLog()
        log.isFast = true
        let world = GamesFixture(log: log)
        for _ in 1...2 { try world.makeGame() }
        let ids = world.games.ids
        for id in ids {
            world.apply(.delete, to: id)
            world.time.advance(by: .seconds(60))
        }
        var content = LogContent()
        content.entries = log.entries
        content.lastNumber = log.entries.count
        content.lastTime = .seconds(0)
        let newLog = TestLog()
        newLog.isFast = true
        let again = GamesFixture(log: newLog, content: content, now: .seconds(599))
        #expect(again.games.ids == ids)
        let list = again.watch(try again.list())
        list.expect(.games(games: [row(2, isDeleted: true), row(1, isDeleted: true)]))
        #expect(again.addresses.kinds.isEmpty)
        again.time.advance(by: .seconds(1))
        again.libraries.settle()
        list.expect(.gamesEdited(edits: [.delete(at: 1)]))
        again.time.advance(by: .seconds(60))
        again.libraries.settle()
        list.expect(.gamesEdited(edits: [.delete(at: 0)]))
        #expect(again.time.nextDue == nil)
    }

    @Test func `The id of a deleted game is not used again`() throws {
        let view = try watchList()
        view.send(.createGame(home: try hawks(), away: try jets()))
        world.delete(.first)
        view.forget()
        view.send(.createGame(home: try hawks(), away: try jets()))
        view.expect(
            .gamesEdited(edits: [.insert(at: 0, row: row(2))]),
            .created(game: "2", address: "scoreboard/2"))
    }

    @Test(arguments: ["2", "0", "01", "-1", "+1", "", "x", "1 ", "99999999999999999999"])
    func `Deleting a game that does not exist is ignored`(game: String) throws {
        try world.makeGame()
        let view = try watchList()
        view.send(.deleteGame(game: game))
        view.expectNothing()
        #expect(world.games.count == 1)
    }

    @Test func `A change of score or status updates the row of the game`() throws {
        for _ in 1...3 { try world.makeGame() }
        let id = try #require(GameID(2))
        let view = try watchList()
        let board = try world.scoreboard(of: id)
        try world.player("home/1", of: id).handle(.twoPointMove, settling: world.libraries)
        view.expect(.gamesEdited(edits: [.update(at: 1, row: row(2, score: "2 - 0"))]))
        board.handle(.togglePause, settling: world.libraries)
        view.expect(
            .gamesEdited(edits: [.update(at: 1, row: row(2, score: "2 - 0", status: .running))]))
        board.handle(.togglePause, settling: world.libraries)
        view.expect(.gamesEdited(edits: [.update(at: 1, row: row(2, score: "2 - 0"))]))
        board.handle(.undo(), settling: world.libraries)
        view.expect(.gamesEdited(edits: [.update(at: 1, row: row(2))]))
    }

    @Test func `The end of a game is one edit, and so is its reopening`() throws {
        let id = try world.makeGame(moves: moves(to: 14, 13))
        world.apply(.togglePause, to: id)
        let view = try watchList()
        try world.player("home/1", of: id).handle(.onePointMove, settling: world.libraries)
        view.expect(
            .gamesEdited(edits: [
                .update(at: 0, row: row(1, score: "15 - 13", status: .finished))
            ]))
        try world.scoreboard(of: id).handle(.undo(), settling: world.libraries)
        view.expect(.gamesEdited(edits: [.update(at: 0, row: row(1, score: "14 - 13"))]))
    }

    @Test func `The list sends nothing for a change that no row shows`() throws {
        let id = try world.makeGame()
        let view = try watchList()
        let player = try world.player("home/1", of: id)
        for move in [Player.ViewEvent.assistMove, .reboundMove, .foulMove] {
            player.handle(move, settling: world.libraries)
        }
        try world.scoreboard(of: id).handle(.undo(), settling: world.libraries)
        world.time.advance(by: .seconds(1))
        view.expectNothing()
    }

    @Test func `A view that binds after edits gets the whole list of games`() throws {
        let view = try watchList()
        for _ in 1...3 { view.send(.createGame(home: try hawks(), away: try jets())) }
        world.delete(.first.next)
        try world.player("home/1", of: .first).handle(.onePointMove, settling: world.libraries)
        view.forget()
        world.watch(view.model).expect(
            .games(games: [row(3), row(1, score: "1 - 0")]))
    }

    @Test func `The list adds a scoreboard, six players and the plays of each game`() throws {
        try world.makeGame()
        let list = try world.list()
        let players = ["home", "away"].flatMap { side in
            (1...3).map { "scoreboard/1/\(side)/\($0)" }
        }
        var expected: [Address: String] = [try address("scoreboard/1"): "scoreboard"]
        for player in players { expected[try address(player)] = "player" }
        expected[try address("scoreboard/1/plays")] = "plays"
        #expect(world.addresses.kinds == expected)
        withExtendedLifetime(list) {}
    }

    @Test func `The list adds and removes view models of games even without a view`() throws {
        let list = try world.list()
        let id = try world.makeGame()
        try world.makeGame()
        #expect(world.addresses.kinds.count == 16)
        world.delete(id)
        #expect(world.addresses.kinds.count == 8)
        #expect(world.addresses.kinds[try address("scoreboard/2")] == "scoreboard")
        world.watch(list).expect(.games(games: [row(2)]))
    }

    @Test func `A game is reported as created when its scoreboard can be reached`() throws {
        let view = try watchList()
        var reachable: [Bool] = []
        let scoreboard = try address("scoreboard/1")
        view.model.output.bind(view) { [world] _, _ in
            reachable.append(world.addresses.kinds[scoreboard] != nil)
        }
        view.send(.createGame(home: try hawks(), away: try jets()))
        view.send(.deleteGame(game: "1"))
        #expect(reachable == [true, true, false])
        view.forget()
    }

    @Test func `The list of games is at one address`() throws {
        #expect(GamesViewModel.placement == .fixed(try address("games")))
    }
}
