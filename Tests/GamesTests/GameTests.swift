import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import TestSupport
import Testing

@testable import BusdGames

@Suite struct GameTests {
    private let start = Instant.seconds(100)

    private func game(_ home: Int = 0, _ away: Int = 0) throws -> Game {
        var game = Game(try hawksAndJets())
        for move in moves(to: home, away) { game.accepts(.move(move), at: start) }
        return game
    }

    @Test func `A game begins paused, without a move, at 0 - 0`() throws {
        let game = try game()
        #expect(game.isPaused)
        #expect(!game.isFinished)
        #expect(!game.canUndo)
        #expect(game.status == .paused)
        #expect(game.score == Score())
        #expect(game.stopwatch.elapsed(at: start) == .zero)
        for player in PlayerID.six {
            #expect(Move.Kind.allCases.map { game.count(of: $0, by: player) } == [0, 0, 0, 0, 0])
        }
    }

    @Test func `A game has its players in the order of the teams`() throws {
        let game = try game()
        let names = PlayerID.six.map { game.teams[$0]?.text }
        #expect(names == ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"])
    }

    @Test(arguments: Move.Kind.allCases)
    func `A move counts for its player, and its points count for the team`(
        kind: Move.Kind
    ) throws {
        var game = try game()
        let move = Move(kind, by: .away3)
        game.accepts(.move(move), at: start)
        game.accepts(.move(move), at: start)
        #expect(game.count(of: kind, by: .away3) == 2)
        #expect(game.score == Score(home: 0, away: 2 * kind.points))
        #expect(game.moves == [move, move])
        #expect(game.canUndo)
        for other in PlayerID.six where other != .away3 {
            #expect(game.count(of: kind, by: other) == 0)
        }
        for other in Move.Kind.allCases where other != kind {
            #expect(game.count(of: other, by: .away3) == 0)
        }
    }

    @Test func `Moves count while a game is paused and while it runs`() throws {
        var game = try game()
        game.accepts(.move(Move(.onePoint, by: .home1)), at: start)
        #expect(game.isPaused)
        game.accepts(.togglePause, at: start)
        game.accepts(.move(Move(.onePoint, by: .home1)), at: start)
        #expect(!game.isPaused)
        #expect(game.score == Score(home: 2, away: 0))
        #expect(game.status == .running)
    }

    @Test func `Undo takes back the last move, then the one before, then nothing`() throws {
        var game = try game()
        let first = Move(.twoPoint, by: .home1)
        game.accepts(.move(first), at: start)
        game.accepts(.move(Move(.foul, by: .away1)), at: start)
        game.accepts(.takeBack(seen: nil), at: start)
        #expect(game.moves == [first])
        game.accepts(.takeBack(seen: nil), at: start)
        #expect(game.moves == [] && game.score == Score())
        game.refuses(.takeBack(seen: nil), at: start)
    }

    @Test func `Undo does not touch the clock`() throws {
        var game = try game(1, 0)
        game.accepts(.togglePause, at: start)
        game.accepts(.takeBack(seen: nil), at: start + .seconds(3))
        #expect(!game.isPaused)
        #expect(game.stopwatch.elapsed(at: start + .seconds(5)) == .seconds(5))
    }

    @Test func `A game can be paused and resumed`() throws {
        var game = try game()
        game.accepts(.togglePause, at: start)
        game.accepts(.togglePause, at: start + .seconds(2))
        #expect(game.isPaused)
        game.accepts(.togglePause, at: start + .seconds(10))
        #expect(game.stopwatch.elapsed(at: start + .seconds(11)) == .seconds(3))
    }

    @Test(arguments: [(14, 13, Side.home), (13, 14, .away), (15, 14, .home), (20, 19, .home)])
    func `The winning move stops the clock`(home: Int, away: Int, side: Side) throws {
        var game = try game(home, away)
        game.accepts(.togglePause, at: start)
        let player = side == .home ? PlayerID.home2 : .away3
        game.accepts(.move(Move(.onePoint, by: player)), at: start + .milliseconds(1234))
        #expect(game.winner == side)
        #expect(game.status == .finished)
        #expect(game.isPaused)
        #expect(game.stopwatch.elapsed(at: start + .seconds(9)) == .milliseconds(1234))
    }

    @Test func `A game continues after 15 without a lead of two`() throws {
        var game = try game(14, 14)
        game.accepts(.move(Move(.onePoint, by: .home1)), at: start)
        #expect(!game.isFinished)
        game.accepts(.move(Move(.onePoint, by: .away1)), at: start)
        #expect(!game.isFinished)
        game.accepts(.move(Move(.twoPoint, by: .away1)), at: start)
        #expect(game.winner == .away)
    }

    @Test func `A move without points does not end a game`() throws {
        var game = try game(14, 13)
        for kind in [Move.Kind.assist, .rebound, .foul] {
            game.accepts(.move(Move(kind, by: .home1)), at: start)
        }
        #expect(!game.isFinished)
    }

    @Test func `A finished game takes no move and no pause`() throws {
        var game = try game(15, 13)
        let end = game
        for kind in Move.Kind.allCases {
            game.refuses(.move(Move(kind, by: .away1)), at: start)
        }
        game.refuses(.togglePause, at: start)
        #expect(game == end)
    }

    @Test func `Undo of the winning move reopens the game, paused, with its time`() throws {
        var game = try game(14, 13)
        game.accepts(.togglePause, at: start)
        game.accepts(.move(Move(.twoPoint, by: .home1)), at: start + .seconds(7))
        game.accepts(.takeBack(seen: nil), at: start + .seconds(8))
        #expect(!game.isFinished)
        #expect(game.isPaused)
        #expect(game.score == Score(home: 14, away: 13))
        game.accepts(.togglePause, at: start + .seconds(20))
        #expect(game.stopwatch.elapsed(at: start + .seconds(21)) == .seconds(8))
    }
}

extension Game {
    fileprivate mutating func accepts(
        _ action: GameAction, at now: Instant, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isDone = apply(action, at: now)
        #expect(isDone, sourceLocation: sourceLocation)
    }

    /// Also checks that nothing has changed.
    fileprivate mutating func refuses(
        _ action: GameAction, at now: Instant, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = self
        let isDone = apply(action, at: now)
        #expect(!isDone, sourceLocation: sourceLocation)
        #expect(self == before, sourceLocation: sourceLocation)
    }
}

@Suite struct GamePauseTests {
    private let start = Instant.seconds(100)
    private let date = UTCTime(seconds: 1_790_000_000)

    private func running() throws -> Game {
        var game = Game(try hawksAndJets())
        game.accepts(.resume, at: start)
        return game
    }

    @Test func `Halt stops the clock at its instant`() throws {
        var game = try running()
        game.accepts(.halt(start + .seconds(2), at: date), at: start + .seconds(60))
        #expect(game.isPaused)
        #expect(game.stopwatch.elapsed(at: start + .seconds(99)) == .seconds(2))
    }

    @Test func `Halt stops the clock at its start if the start is later`() throws {
        var game = try running()
        game.accepts(.halt(start + .seconds(-2), at: date), at: start + .seconds(60))
        #expect(game.isPaused)
        #expect(game.stopwatch.elapsed(at: start + .seconds(99)) == .zero)
    }

    @Test func `Halt does nothing to a paused game`() throws {
        var game = Game(try hawksAndJets())
        game.refuses(.halt(start, at: date), at: start)
    }
}

/// `hasEffect` predicts whether `apply` changes a thing. It needs no copy of the thing.
@Suite struct HasEffectTests {
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `The method hasEffect predicts whether an action changes a game`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var game = Game(try hawksAndJets())
        for second in 1...200 {
            let now = Instant.seconds(Double(second))
            let move = Move(
                Move.Kind.allCases[random.number(0..<5)], by: PlayerID.six[random.number(0..<6)])
            let was = game.moves.randomElement(using: &random) ?? move
            let (id, seen) = (random.number(1...20), random.number(0...20))
            let actions: [GameAction] = [
                .move(move), .move(move), .move(move), .move(move), .pause, .resume, .togglePause,
                .takeBack(seen: nil), .takeBack(seen: seen), .redo(seen: nil), .redo(seen: seen),
                .takeOut(id: id, was: was), .change(id: id, was: was, to: move),
                .setClock(to: 1_000_000, starts: random.once(in: 2), seen: nil),
                .setClock(to: 1_000_000, starts: false, seen: seen),
                .moveClock(by: -5_000_000, seen: nil),
                .halt(.seconds(Double(random.number(0...200))), at: UTCTime(seconds: 1)),
                random.once(in: 50) ? .delete : .restore, .restore,
            ]
            let action = actions[random.number(actions.indices)]
            let (before, hasEffect) = (game, game.hasEffect(action, at: now))
            #expect(game.apply(action, at: now) == hasEffect)
            #expect((game != before) == hasEffect)
        }
    }
}
