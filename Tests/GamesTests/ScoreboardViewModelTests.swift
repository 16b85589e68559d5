import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

@Suite struct ScoreboardViewModelTests {
    private let world = GamesFixture()

    @Test func `A scoreboard announces all its values in the documented order`() throws {
        let id = try world.makeGame(moves: moves(to: 3, 2))
        world.watch(try world.scoreboard(of: id)).expect(
            .teams(home: "Hawks", away: "Jets"),
            .players(
                home: ["scoreboard/1/home/1", "scoreboard/1/home/2", "scoreboard/1/home/3"],
                away: ["scoreboard/1/away/1", "scoreboard/1/away/2", "scoreboard/1/away/3"]),
            .score(home: 3, away: 2, text: "3 - 2"), .time(text: "00:00.0"),
            .paused(isPaused: true), .finished(isFinished: false, winner: nil), .clock(setting: 0),
            .undoable(canUndo: true, moves: 5, text: "1 point of Ann"),
            .redoable(canRedo: false))
    }

    @Test func `A view that binds later gets the same values of a scoreboard`() throws {
        let id = try world.makeGame()
        let board = try world.scoreboard(of: id)
        let first = world.watch(board)
        first.forget()
        first.send(.togglePause)
        world.time.advance(by: .milliseconds(100))
        first.expect(.paused(isPaused: false), .time(text: "00:00.1"))
        let second = world.watch(board)
        second.expect(
            .teams(home: "Hawks", away: "Jets"),
            .players(
                home: ["scoreboard/1/home/1", "scoreboard/1/home/2", "scoreboard/1/home/3"],
                away: ["scoreboard/1/away/1", "scoreboard/1/away/2", "scoreboard/1/away/3"]),
            .score(home: 0, away: 0, text: "0 - 0"), .time(text: "00:00.1"),
            .paused(isPaused: false), .finished(isFinished: false, winner: nil),
            .clock(setting: 0), .undoable(canUndo: false, moves: 0), .redoable(canRedo: false))
        second.send(.togglePause)
        first.expect(.paused(isPaused: true))
        second.expect(.paused(isPaused: true))
    }

    @Test func `A repeated pause or resume has no effect`() throws {
        let view = try world.watchScoreboard(of: try world.makeGame())
        view.send(.pause)
        view.expectNothing()
        view.send(.resume)
        view.expect(.paused(isPaused: false))
        view.send(.resume)
        view.expectNothing()
        view.send(.pause)
        view.expect(.paused(isPaused: true))
    }

    @Test func `A scoreboard follows the score, and whether undo is possible`() throws {
        let id = try world.makeGame()
        let view = try world.watchScoreboard(of: id)
        try world.player("home/1", of: id).handle(.twoPointMove, settling: world.libraries)
        view.expect(
            .score(home: 2, away: 0, text: "2 - 0"),
            .undoable(canUndo: true, moves: 1, text: "2 points of Ann"))
        try world.player("away/2", of: id).handle(.onePointMove, settling: world.libraries)
        view.expect(
            .score(home: 2, away: 1, text: "2 - 1"),
            .undoable(canUndo: true, moves: 2, text: "1 point of Ed"))
        view.send(.undo(moves: 2))
        view.expect(
            .score(home: 2, away: 0, text: "2 - 0"), .corrected(text: "took back 1 point of Ed"),
            .undoable(canUndo: true, moves: 1, text: "2 points of Ann"),
            .redoable(canRedo: true, text: "1 point of Ed"))
        view.send(.undo())
        view.expect(
            .score(home: 0, away: 0, text: "0 - 0"), .corrected(text: "took back 2 points of Ann"),
            .undoable(canUndo: false, moves: 0), .redoable(canRedo: true, text: "2 points of Ann"))
        view.send(.undo())
        view.expectNothing()
        view.send(.redo())
        view.expect(
            .score(home: 2, away: 0, text: "2 - 0"), .corrected(text: "did 2 points of Ann again"),
            .undoable(canUndo: true, moves: 1, text: "2 points of Ann"),
            .redoable(canRedo: true, text: "1 point of Ed"))
    }

    @Test func `A move without points changes only what undo takes back`() throws {
        let id = try world.makeGame()
        let view = try world.watchScoreboard(of: id)
        let player = try world.player("home/1", of: id)
        for move in [Player.ViewEvent.assistMove, .reboundMove, .foulMove] {
            player.handle(move, settling: world.libraries)
        }
        view.expect(
            .undoable(canUndo: true, moves: 1, text: "an assist of Ann"),
            .undoable(canUndo: true, moves: 2, text: "a rebound of Ann"),
            .undoable(canUndo: true, moves: 3, text: "a foul of Ann"))
    }

    @Test func `The winning move finishes and pauses a game in one update`() throws {
        let id = try world.makeGame(moves: moves(to: 13, 14))
        let view = try world.watchScoreboard(of: id)
        view.send(.togglePause)
        view.expect(.paused(isPaused: false))
        try world.player("away/1", of: id).handle(.twoPointMove, settling: world.libraries)
        view.expect(
            .score(home: 13, away: 16, text: "13 - 16"), .paused(isPaused: true),
            .finished(isFinished: true, winner: .away),
            .undoable(canUndo: true, moves: 28, text: "2 points of Di"))
    }

    @Test func `The winning move may be made while a game is paused`() throws {
        let id = try world.makeGame(moves: moves(to: 14, 13))
        let view = try world.watchScoreboard(of: id)
        try world.player("home/1", of: id).handle(.onePointMove, settling: world.libraries)
        view.expect(
            .score(home: 15, away: 13, text: "15 - 13"), .finished(isFinished: true, winner: .home),
            .undoable(canUndo: true, moves: 28, text: "1 point of Ann"))
    }

    @Test func `A finished scoreboard takes neither moves nor a pause`() throws {
        let id = try world.makeGame(moves: moves(to: 15, 13))
        let view = try world.watchScoreboard(of: id)
        view.send(.togglePause)
        try world.player("away/1", of: id).handle(.onePointMove, settling: world.libraries)
        world.time.advance(by: .seconds(1))
        view.expectNothing()
    }

    @Test func `An undo reopens a finished game, paused, and it can end again`() throws {
        let id = try world.makeGame(moves: moves(to: 14, 13))
        let view = try world.watchScoreboard(of: id)
        view.send(.togglePause)
        try world.player("home/1", of: id).handle(.onePointMove, settling: world.libraries)
        view.forget()
        view.send(.undo(moves: 28))
        view.expect(
            .score(home: 14, away: 13, text: "14 - 13"), .finished(isFinished: false, winner: nil),
            .corrected(text: "took back 1 point of Ann"),
            .undoable(canUndo: true, moves: 27, text: "1 point of Ann"),
            .redoable(canRedo: true, text: "1 point of Ann"))
        world.time.advance(by: .seconds(1))
        try world.player("away/1", of: id).handle(.twoPointMove, settling: world.libraries)
        view.expect(
            .score(home: 14, away: 15, text: "14 - 15"),
            .undoable(canUndo: true, moves: 28, text: "2 points of Di"), .redoable(canRedo: false))
        try world.player("away/1", of: id).handle(.onePointMove, settling: world.libraries)
        view.expect(
            .score(home: 14, away: 16, text: "14 - 16"), .finished(isFinished: true, winner: .away),
            .undoable(canUndo: true, moves: 29, text: "1 point of Di"))
    }

    @Test func `A scoreboard ignores other games`() throws {
        let view = try world.watchScoreboard(of: try world.makeGame())
        let other = try world.makeGame(moves: moves(to: 1, 0))
        try world.scoreboard(of: other).handle(.togglePause, settling: world.libraries)
        world.delete(other)
        view.expectNothing()
    }

    @Test func `A scoreboard is silent once its game is deleted`() throws {
        let id = try world.makeGame()
        let view = try world.watchScoreboard(of: id)
        view.send(.togglePause)
        view.expect(.paused(isPaused: false))
        world.delete(id)
        #expect(world.time.nextDue == nil)
        world.time.advance(by: .seconds(1))
        view.send(.togglePause)
        view.send(.undo())
        view.expectNothing()
    }

    @Test func `A scoreboard of a deleted game announces nothing`() throws {
        let id = try world.makeGame()
        let board = try world.scoreboard(of: id)
        world.delete(id)
        world.watch(board).expectNothing()
    }

    @Test(arguments: [
        "scoreboard/2", "scoreboard/0", "scoreboard/01", "scoreboard/-1", "scoreboard/x",
        "scoreboard/1/home/1", "scoreboard", "games/1", "scoreboard/99999999999999999999",
    ])
    func `No scoreboard is at an address of another form or game`(text: String) throws {
        try world.makeGame()
        #expect(ScoreboardViewModel(at: try address(text), services: world) == nil)
    }

    @Test func `A scoreboard is added by another view model`() {
        #expect(ScoreboardViewModel.placement == .added)
    }
}
