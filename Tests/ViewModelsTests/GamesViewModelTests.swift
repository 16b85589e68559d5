import BusdProtocol
import BusdTestKit
import BusdViewModels
import Testing

@Suite struct GamesViewModelTests {
    private let world = World()

    private func row(
        _ id: Int, score: String = "0 - 0", status: Games.Status = .paused
    ) -> Games.Row {
        Games.Row(
            id: "\(id)", address: "scoreboard/\(id)", home: "Hawks", away: "Jets", score: score,
            status: status)
    }

    private func watchList() throws -> RecordingView<GamesViewModel> {
        let view = world.watch(try world.list())
        view.forget()
        return view
    }

    @Test func `the list of games is empty at first`() throws {
        world.watch(try world.list()).expect(.games(games: []))
    }

    @Test func `the list has the newest game first`() throws {
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

    @Test func `the list creates a game, and reports its address`() throws {
        let view = try watchList()
        view.send(.createGame(home: try hawks(), away: try jets()))
        view.expect(
            .gamesEdited(edits: [.insert(at: 0, row: row(1))]),
            .created(game: "1", address: "scoreboard/1"))
        view.send(.createGame(home: try hawks(), away: try jets()))
        view.expect(
            .gamesEdited(edits: [.insert(at: 0, row: row(2))]),
            .created(game: "2", address: "scoreboard/2"))
        #expect(world.games[.first] == Game(try hawksAndJets()))
    }

    @Test func `a deleted game leaves the list at its place`() throws {
        for _ in 1...3 { try world.makeGame() }
        let view = try watchList()
        view.send(.deleteGame(game: "2"))
        view.expect(.gamesEdited(edits: [.delete(at: 1)]))
        view.send(.deleteGame(game: "1"))
        view.expect(.gamesEdited(edits: [.delete(at: 1)]))
        view.send(.deleteGame(game: "3"))
        view.expect(.gamesEdited(edits: [.delete(at: 0)]))
        #expect(world.games.ids.isEmpty)
    }

    @Test func `the id of a deleted game is not used again`() throws {
        let view = try watchList()
        view.send(.createGame(home: try hawks(), away: try jets()))
        view.send(.deleteGame(game: "1"))
        view.forget()
        view.send(.createGame(home: try hawks(), away: try jets()))
        view.expect(
            .gamesEdited(edits: [.insert(at: 0, row: row(2))]),
            .created(game: "2", address: "scoreboard/2"))
    }

    @Test(arguments: ["2", "0", "01", "-1", "+1", "", "x", "1 ", "99999999999999999999"])
    func `deleting a game that does not exist is ignored`(game: String) throws {
        try world.makeGame()
        let view = try watchList()
        view.send(.deleteGame(game: game))
        view.expectNothing()
        #expect(world.games.count == 1)
    }

    @Test func `a change of score or status updates the row of the game`() throws {
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
        board.handle(.undo, settling: world.libraries)
        view.expect(.gamesEdited(edits: [.update(at: 1, row: row(2))]))
    }

    @Test func `the end of a game is one edit, and so is its reopening`() throws {
        let id = try world.makeGame(moves: moves(to: 14, 13))
        world.apply(.togglePause, to: id)
        let view = try watchList()
        try world.player("home/1", of: id).handle(.onePointMove, settling: world.libraries)
        view.expect(
            .gamesEdited(edits: [
                .update(at: 0, row: row(1, score: "15 - 13", status: .finished))
            ]))
        try world.scoreboard(of: id).handle(.undo, settling: world.libraries)
        view.expect(.gamesEdited(edits: [.update(at: 0, row: row(1, score: "14 - 13"))]))
    }

    @Test func `the list sends nothing for a change that no row shows`() throws {
        let id = try world.makeGame()
        let view = try watchList()
        let player = try world.player("home/1", of: id)
        for move in [Player.ViewEvent.assistMove, .reboundMove, .foulMove] {
            player.handle(move, settling: world.libraries)
        }
        try world.scoreboard(of: id).handle(.undo, settling: world.libraries)
        world.time.advance(by: .seconds(1))
        view.expectNothing()
    }

    @Test func `a view that binds after edits gets the whole list of games`() throws {
        let view = try watchList()
        for _ in 1...3 { view.send(.createGame(home: try hawks(), away: try jets())) }
        view.send(.deleteGame(game: "2"))
        try world.player("home/1", of: .first).handle(.onePointMove, settling: world.libraries)
        view.forget()
        world.watch(view.model).expect(.games(games: [row(3), row(1, score: "1 - 0")]))
    }

    @Test func `the list adds a scoreboard and six players for every stored game`() throws {
        try world.makeGame()
        let list = try world.list()
        let players = ["home", "away"].flatMap { side in
            (1...3).map { "scoreboard/1/\(side)/\($0)" }
        }
        var expected: [Address: String] = [try address("scoreboard/1"): "scoreboard"]
        for player in players { expected[try address(player)] = "player" }
        #expect(world.addresses.kinds == expected)
        withExtendedLifetime(list) {}
    }

    @Test func `the list adds and removes view models of games even without a view`() throws {
        let list = try world.list()
        let id = try world.makeGame()
        try world.makeGame()
        #expect(world.addresses.kinds.count == 14)
        world.delete(id)
        #expect(world.addresses.kinds.count == 7)
        #expect(world.addresses.kinds[try address("scoreboard/2")] == "scoreboard")
        world.watch(list).expect(.games(games: [row(2)]))
    }

    @Test func `a game is reported as created when its scoreboard can be reached`() throws {
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

    @Test func `the list of games is at one address`() throws {
        #expect(GamesViewModel.placement == .fixed(try address("games")))
    }
}
