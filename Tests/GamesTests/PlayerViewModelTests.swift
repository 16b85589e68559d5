import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

@Suite struct PlayerViewModelTests {
    private let world = GamesFixture()

    @Test func `A player announces the name and the counts first`() throws {
        let id = try world.makeGame(moves: [Move(.foul, by: .away3), Move(.assist, by: .home1)])
        world.watch(try world.player("away/3", of: id)).expect(
            .name(text: "Flo"), .onePointMoveCount(text: "0", count: 0),
            .twoPointMoveCount(text: "0", count: 0), .assistMoveCount(text: "0", count: 0),
            .reboundMoveCount(text: "0", count: 0), .foulMoveCount(text: "1", count: 1))
    }

    @Test(arguments: zip(["home", "away"], [["Ann", "Bo", "Cy"], ["Di", "Ed", "Flo"]]))
    func `A player has the name of its place in the team`(side: String, names: [String]) throws {
        let id = try world.makeGame()
        for (number, name) in zip(1..., names) {
            let player = try world.player("\(side)/\(number)", of: id)
            world.watch(player, only: ["name"]).expect(.name(text: name))
        }
    }

    @Test(arguments: [
        (
            Player.ViewEvent.onePointMove,
            Player.ViewModelEvent.onePointMoveCount(text: "1", count: 1)
        ),
        (.twoPointMove, .twoPointMoveCount(text: "1", count: 1)),
        (.assistMove, .assistMoveCount(text: "1", count: 1)),
        (.reboundMove, .reboundMoveCount(text: "1", count: 1)),
        (.foulMove, .foulMoveCount(text: "1", count: 1)),
    ])
    func `Each kind of move has its own count`(
        move: Player.ViewEvent, count: Player.ViewModelEvent
    ) throws {
        let view = world.watch(try world.player("home/1", of: try world.makeGame()))
        view.forget()
        view.send(move)
        view.expect(count)
    }

    @Test func `A count grows with each move`() throws {
        let view = world.watch(try world.player("home/2", of: try world.makeGame()))
        view.forget()
        for _ in 1...3 { view.send(.reboundMove) }
        view.expect(
            .reboundMoveCount(text: "1", count: 1), .reboundMoveCount(text: "2", count: 2),
            .reboundMoveCount(text: "3", count: 3))
    }

    @Test func `A player ignores moves of others, other games and the clock`() throws {
        let id = try world.makeGame()
        let other = try world.makeGame()
        let view = world.watch(try world.player("home/1", of: id))
        view.forget()
        world.watch(try world.player("home/1", of: other), only: ["name"]).forget()
        try world.player("home/2", of: id).handle(.onePointMove, settling: world.libraries)
        try world.player("home/1", of: other).handle(.onePointMove, settling: world.libraries)
        try world.scoreboard(of: id).handle(.togglePause, settling: world.libraries)
        view.expectNothing()
    }

    @Test func `The undo of a move lowers its count`() throws {
        let id = try world.makeGame()
        let view = world.watch(try world.player("home/1", of: id))
        view.forget()
        view.send(.twoPointMove)
        try world.scoreboard(of: id).handle(.undo(), settling: world.libraries)
        view.expect(
            .twoPointMoveCount(text: "1", count: 1), .twoPointMoveCount(text: "0", count: 0))
    }

    @Test func `A player's moves have no effect after the end, until it is undone`() throws {
        let id = try world.makeGame(moves: moves(to: 15, 13))
        let view = world.watch(try world.player("away/1", of: id))
        view.forget()
        for move in Player.ViewEvent.examples { view.send(move) }
        view.expectNothing()
        try world.scoreboard(of: id).handle(.undo(), settling: world.libraries)
        view.send(.foulMove)
        view.expect(.foulMoveCount(text: "1", count: 1))
    }

    @Test func `A player's winning move stops the clock`() throws {
        let id = try world.makeGame(moves: moves(to: 14, 13))
        try world.scoreboard(of: id).handle(.togglePause, settling: world.libraries)
        let player = try world.player("home/1", of: id)
        world.time.advance(by: .milliseconds(70_340))
        player.handle(.onePointMove, settling: world.libraries)
        let game = try #require(world.games[id])
        #expect(game.isPaused)
        #expect(game.stopwatch.elapsed(at: world.time.now) == .milliseconds(70_340))
    }

    @Test func `A player is silent once its game is deleted`() throws {
        let id = try world.makeGame()
        let view = world.watch(try world.player("home/1", of: id))
        view.forget()
        world.delete(id)
        view.send(.onePointMove)
        view.expectNothing()
    }

    @Test func `A player of a deleted game announces nothing`() throws {
        let id = try world.makeGame()
        let player = try world.player("home/1", of: id)
        world.delete(id)
        world.watch(player).expectNothing()
    }

    @Test(arguments: [
        "scoreboard/2/home/1", "scoreboard/1/home/0", "scoreboard/1/home/4",
        "scoreboard/1/home/01", "scoreboard/1/guest/1", "scoreboard/1/home", "scoreboard/1",
        "scoreboard/01/home/1", "scoreboard/1/home/1/x", "scoreboard/x/home/1", "games/1/home/1",
    ])
    func `No player is at an address of another form or game`(text: String) throws {
        try world.makeGame()
        #expect(PlayerViewModel(at: try address(text), services: world) == nil)
    }

    @Test func `A player is added by another view model`() {
        #expect(PlayerViewModel.placement == .added)
    }
}
