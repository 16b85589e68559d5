import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

/// Corrections of a game: moves, names and the clock.
@Suite struct CorrectionTests {
    private let world = GamesFixture()

    private func row(
        _ id: Int, _ side: Side, _ index: Int, _ move: Plays.Move, _ time: String = "00:00.0"
    ) throws -> Plays.Row {
        Plays.Row(
            id: "\(id)", side: side, index: try #require(PlayerIndex(index)), move: move, time: time
        )
    }

    // MARK: Plays

    @Test func `The plays follow moves, undo and redo`() throws {
        let id = try world.makeGame()
        let plays = world.watch(try world.plays(of: id))
        plays.expect(.plays(plays: []))
        let board = try world.scoreboard(of: id)
        board.handle(.resume, settling: world.libraries)
        world.time.advance(by: .milliseconds(70_350))
        try world.player("away/2", of: id).handle(.twoPointMove, settling: world.libraries)
        let basket = try row(1, .away, 1, .twoPoint, "01:10.3")
        plays.expect(.playsEdited(edits: [.insert(at: 0, row: basket)]))
        try world.player("home/1", of: id).handle(.foulMove, settling: world.libraries)
        let foul = try row(2, .home, 0, .foul, "01:10.3")
        plays.expect(.playsEdited(edits: [.insert(at: 1, row: foul)]))
        board.handle(.undo(moves: 2), settling: world.libraries)
        plays.expect(.playsEdited(edits: [.delete(at: 1)]))
        board.handle(.redo(moves: 1), settling: world.libraries)
        plays.expect(.playsEdited(edits: [.insert(at: 1, row: foul)]))
        board.handle(.undo(moves: 2), settling: world.libraries)
        plays.forget()
        try world.player("home/1", of: id).handle(.assistMove, settling: world.libraries)
        let assist = try row(3, .home, 0, .assist, "01:10.3")
        plays.expect(.playsEdited(edits: [.insert(at: 1, row: assist)]))
        world.watch(try world.plays(of: id)).expect(.plays(plays: [basket, assist]))
    }

    @Test func `Any move can be taken out or changed`() throws {
        let (ann, di) = (PlayerID.home1, PlayerID.away1)
        let id = try world.makeGame(
            moves: [Move(.foul, by: ann), Move(.twoPoint, by: di), Move(.onePoint, by: ann)])
        let view = world.watch(try world.plays(of: id))
        view.forget()
        let first = try #require(PlayerIndex(0))
        let foul = try row(1, .home, 0, .foul)
        view.send(.change(play: foul, side: .away, index: first, move: .foul))
        view.expect(.playsEdited(edits: [.update(at: 0, row: try row(1, .away, 0, .foul))]))
        view.send(.takeOut(play: try row(2, .away, 0, .twoPoint)))
        view.expect(.playsEdited(edits: [.delete(at: 1)]))
        let game = try #require(world.games[id])
        #expect(game.moves == [Move(.foul, by: di), Move(.onePoint, by: ann)])
        #expect(game.score == Score(home: 1, away: 0))
        #expect(game.count(of: .foul, by: ann) == 0)
        #expect(game.count(of: .foul, by: di) == 1)

        // What has changed since is named.
        let stale = Refusal(
            .stale, "the game was changed elsewhere: look at it, then correct it")
        for event: Plays.ViewEvent in [
            .takeOut(play: foul), .takeOut(play: try row(2, .away, 0, .twoPoint)),
            .change(play: foul, side: .away, index: first, move: .assist),
            .takeOut(play: try row(99, .home, 0, .foul)),
        ] {
            #expect(view.model.refusal(of: event) == stale)
            view.model.handle(event, settling: world.libraries)
            view.expectNothing()
        }
        for text in ["", "x", "-1", "99999999999999999999"] {
            let row = Plays.Row(id: text, side: .home, index: first, move: .foul)
            #expect(view.model.refusal(of: .takeOut(play: row))?.code == .badEvent)
        }
        // No player has this place.
        let fifth = try #require(PlayerIndex(4))
        view.send(
            .change(play: try row(3, .home, 0, .onePoint), side: .home, index: fifth, move: .foul))
        view.expectNothing()
    }

    @Test func `A correction that lets an earlier move win is refused with its number`() throws {
        // Home: 13 points, then 1, then 1 - with one for the other team before the last.
        let id = try world.makeGame(
            moves: moves(to: 13, 12) + [
                Move(.foul, by: .home1), Move(.onePoint, by: .away1), Move(.onePoint, by: .home1),
            ])
        let plays = try world.plays(of: id)
        let first = try #require(PlayerIndex(0))
        let event = Plays.ViewEvent.change(
            play: try row(26, .home, 0, .foul), side: .home, index: first, move: .twoPoint)
        #expect(
            plays.refusal(of: event)
                == Refusal(
                    .badEvent, "move 26 would then win the game: correct that move first",
                    at: "play"))
        plays.handle(event, settling: world.libraries)
        #expect(world.games[id]?.score == Score(home: 14, away: 13))
        // The last one may win.
        let last = Plays.ViewEvent.change(
            play: try row(28, .home, 0, .onePoint), side: .home, index: first, move: .twoPoint)
        #expect(plays.refusal(of: last) == nil)
        world.apply(.resume, to: id)
        plays.handle(last, settling: world.libraries)
        #expect(world.games[id]?.winner == .home)
        #expect(world.games[id]?.isPaused == true)
        // And is not the winner any more when an earlier point is taken out.
        plays.handle(.takeOut(play: try row(1, .home, 0, .onePoint)), settling: world.libraries)
        #expect(world.games[id]?.status == .paused)
    }

    // MARK: Undo

    @Test func `Two scorers who undo one mistake take back one move`() throws {
        let id = try world.makeGame(moves: moves(to: 3, 0))
        let view = try world.watchScoreboard(of: id)
        view.send(.undo(moves: 3))
        #expect(
            view.model.refusal(of: .undo(moves: 3))
                == Refusal(
                    .stale, "the game was changed elsewhere: look at it, then correct it"))
        view.model.handle(.undo(moves: 3), settling: world.libraries)
        #expect(world.games[id]?.moves.count == 2)
        view.forget()
        // Nothing was done again that the scorer did not see.
        view.model.handle(.redo(moves: 3), settling: world.libraries)
        view.expectNothing()
        view.send(.redo(moves: 2))
        view.expect(
            .score(home: 3, away: 0, text: "3 - 0"), .corrected(text: "did 1 point of Ann again"),
            .undoable(canUndo: true, moves: 3, text: "1 point of Ann"), .redoable(canRedo: false))
    }

    @Test func `A new move or a correction ends redo`() throws {
        let corrections: [GameAction] = [
            .move(Move(.foul, by: .away1)),
            .takeOut(id: 1, was: Move(.onePoint, by: .home1)),
            .change(
                id: 1, was: Move(.onePoint, by: .home1), to: Move(.foul, by: .home1)),
            .rename(Renaming(.team(.away), was: try Name("Jets"), name: try Name("Nets"))),
            .setClock(to: 1, starts: false, seen: nil), .moveClock(by: 1, seen: nil),
        ]
        for correction in corrections {
            let id = try world.makeGame(moves: moves(to: 3, 0))
            world.apply(.takeBack(seen: 3), to: id)
            #expect(world.games[id]?.list.undone.count == 1)
            world.apply(correction, to: id)
            #expect(world.games[id]?.list.undone.count == 0, "\(correction)")
            world.apply(.redo(seen: nil), to: id)
            #expect(world.games[id]?.list.undone.count == 0, "\(correction)")
        }
    }

    @Test func `A winning move that is done again wins and stops the clock`() throws {
        let id = try world.makeGame(moves: moves(to: 15, 3))
        world.apply(.takeBack(seen: nil), to: id)
        world.apply(.resume, to: id)
        #expect(world.games[id]?.status == .running)
        world.apply(.redo(seen: nil), to: id)
        #expect(world.games[id]?.status == .finished)
        #expect(world.games[id]?.isPaused == true)
    }

    // MARK: Names

    @Test func `Teams and players get other names, on all screens`() throws {
        let id = try world.makeGame()
        let view = try world.watchScoreboard(of: id)
        let player = world.watch(try world.player("away/2", of: id), only: ["name"])
        player.expect(.name(text: "Ed"))
        let list = world.watch(try world.list())
        list.forget()
        view.send(.renameTeam(side: .home, name: try Name("Eagles"), was: try Name("Hawks")))
        view.expect(.teams(home: "Eagles", away: "Jets"))
        let row = Games.Row(
            id: "1", address: "scoreboard/1", home: "Eagles", away: "Jets", score: "0 - 0",
            status: .paused, created: Int(world.date.now.seconds))
        list.expect(.gamesEdited(edits: [.update(at: 0, row: row)]))
        let index = try #require(PlayerIndex(1))
        view.send(
            .renamePlayer(side: .away, index: index, name: try Name("Eddie"), was: try Name("Ed")))
        player.expect(.name(text: "Eddie"))
        view.expectNothing()
        list.expectNothing()
        #expect(world.games.size.nameBytes == 23 + 1 + 3)

        let late = Scoreboard.ViewEvent.renameTeam(
            side: .home, name: try Name("Owls"), was: try Name("Hawks"))
        #expect(view.model.refusal(of: late)?.code == .stale)
        view.model.handle(late, settling: world.libraries)
        let fourth = try #require(PlayerIndex(3))
        view.send(
            .renamePlayer(side: .home, index: fourth, name: try Name("X"), was: try Name("Y")))
        view.expectNothing()
    }

    // MARK: The clock

    @Test func `The clock is set and moved while it runs, stands still, and at the end`() throws {
        let id = try world.makeGame()
        let view = try world.watchScoreboard(of: id)
        view.send(.setClock(time: "01:10.3", setting: 0))
        view.expect(.time(text: "01:10.3"), .clock(setting: 1))
        view.send(.moveClock(seconds: -10, setting: 1))
        view.expect(.time(text: "01:00.3"), .clock(setting: 2))
        view.send(.moveClock(seconds: -100))
        view.expect(.time(text: "00:00.0"), .clock(setting: 3))
        view.send(.setClock(time: "5:00", starts: true))
        view.expect(.time(text: "05:00.0"), .paused(isPaused: false), .clock(setting: 4))
        world.time.advance(by: .milliseconds(100))
        view.expect(.time(text: "05:00.1"))
        view.send(.moveClock(seconds: 1))
        view.expect(.time(text: "05:01.1"), .clock(setting: 5))
        world.time.advance(by: .milliseconds(100))
        view.expect(.time(text: "05:01.2"))

        let late = Scoreboard.ViewEvent.moveClock(seconds: 1, setting: 4)
        #expect(view.model.refusal(of: late)?.code == .stale)
        view.model.handle(late, settling: world.libraries)
        view.expectNothing()

        for move in moves(to: 15, 0) { world.apply(.move(move), to: id) }
        view.forget()
        view.send(.setClock(time: "10:00.0"))
        view.expect(.time(text: "10:00.0"), .clock(setting: 6))
        view.send(.setClock(time: "10:00.0", starts: true))
        view.expectNothing()
    }

    @Test(arguments: ["", "1", "1:2", "1:60", "1:00.", "1:00.00", "-1:00", "1:00:00", "1234567:00"])
    func `A time of another form is refused`(time: String) throws {
        let board = try world.scoreboard(of: try world.makeGame())
        let event = Scoreboard.ViewEvent.setClock(time: time)
        #expect(board.refusal(of: event)?.code == .badEvent)
        board.handle(event, settling: world.libraries)
        #expect(world.games[.first]?.settings == 0)
        for seconds in [86_401, -86_401, .max, .min] {
            #expect(board.refusal(of: .moveClock(seconds: seconds))?.code == .badEvent)
        }
    }

    @Test func `A restart stops the clock, and the scoreboard says when`() throws {
        let id = try world.makeGame()
        world.time.move(to: .seconds(100))
        world.apply(.resume, to: id)
        world.time.move(to: .seconds(110))
        let view = try world.watchScoreboard(of: id)
        world.games.pauseRunning(asOf: .seconds(105), world.time, world.date)
        world.libraries.settle()
        let stopped = 1_767_225_600 - 5
        view.expect(
            .time(text: "00:05.0"), .paused(isPaused: true),
            .clock(setting: 0, stopped: stopped))
        view.send(.setClock(time: "00:10.0", starts: true, setting: 0))
        view.expect(
            .time(text: "00:10.0"), .paused(isPaused: false), .clock(setting: 1))
    }

    // MARK: Rules

    @Test func `A game has its own rules, and one to five players`() throws {
        let rules = try #require(GameRules(pointsToWin: 3, margin: 1))
        let id = try world.create(
            Teams(home: try team("H", "A"), away: try team("J", "B")), rules: rules)
        let view = world.watch(try world.scoreboard(of: id), only: ["players", "finished"])
        view.expect(
            .players(home: ["scoreboard/1/home/1"], away: ["scoreboard/1/away/1"]),
            .finished(isFinished: false, winner: nil))
        let player = try world.player("away/1", of: id)
        player.handle(.twoPointMove, settling: world.libraries)
        view.expectNothing()
        player.handle(.onePointMove, settling: world.libraries)
        view.expect(.finished(isFinished: true, winner: .away))
    }
}
