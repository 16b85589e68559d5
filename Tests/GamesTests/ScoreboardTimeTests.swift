import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

@Suite struct ScoreboardTimeTests {
    private let world = GamesFixture()

    private func running() throws -> RecordingView<ScoreboardViewModel> {
        let view = try world.watchScoreboard(of: try world.makeGame())
        view.send(.togglePause)
        view.expect(.paused(isPaused: false))
        return view
    }

    @Test func `The time of a paused game stands still, and needs no timer`() throws {
        let view = try world.watchScoreboard(of: try world.makeGame())
        #expect(world.time.nextDue == nil)
        world.time.advance(by: .seconds(100))
        view.expectNothing()
    }

    @Test func `The time is sent exactly when its text changes`() throws {
        world.time.move(to: Instant(microseconds: 12_345_678))
        let view = try running()
        world.time.advance(by: .microseconds(99_999))
        view.expectNothing()
        world.time.advance(by: .microseconds(1))
        view.expect(.time(text: "00:00.1"))
        world.time.advance(by: .milliseconds(200))
        view.expect(.time(text: "00:00.2"), .time(text: "00:00.3"))
    }

    @Test func `The time is sent ten times per second`() throws {
        let view = try running()
        var received: [Instant] = []
        view.model.output.bind(view) { [world] _, _ in received.append(world.time.now) }
        world.time.advance(by: .seconds(1))
        #expect(received == (1...10).map { .seconds(Double($0) / 10) })
        view.forget()
    }

    @Test func `The time keeps the fraction of a tenth over a pause`() throws {
        let view = try running()
        world.time.advance(by: .milliseconds(170))
        view.expect(.time(text: "00:00.1"))
        view.send(.togglePause)
        view.expect(.paused(isPaused: true))
        world.time.advance(by: .seconds(5))
        view.expectNothing()
        view.send(.togglePause)
        view.expect(.paused(isPaused: false))
        world.time.advance(by: .microseconds(29_999))
        view.expectNothing()
        world.time.advance(by: .microseconds(1))
        view.expect(.time(text: "00:00.2"))
    }

    @Test func `The time is right if timers are late`() throws {
        let view = try running()
        world.time.move(to: .seconds(1.26))
        while world.time.fireNext() {}
        view.expect(.time(text: "00:01.2"))
        #expect(world.time.nextDue == .seconds(1.3))
        world.time.advance(to: .seconds(1.3))
        view.expect(.time(text: "00:01.3"))
    }

    @Test func `The time is right at a pause, even if a timer was late`() throws {
        let view = try running()
        world.time.move(to: .seconds(0.55))
        view.send(.togglePause)
        view.expect(.time(text: "00:00.5"), .paused(isPaused: true))
        while world.time.fireNext() {}
        view.expectNothing()
    }

    @Test func `The time stops at the instant of the winning move`() throws {
        let id = try world.makeGame(moves: moves(to: 14, 0))
        let view = try world.watchScoreboard(of: id)
        view.send(.togglePause)
        world.time.move(to: .seconds(61.48))
        view.expect(.paused(isPaused: false))
        try world.player("home/1", of: id).handle(.onePointMove, settling: world.libraries)
        view.expect(
            .score(home: 15, away: 0, text: "15 - 0"), .time(text: "01:01.4"),
            .paused(isPaused: true), .finished(isFinished: true, winner: .home),
            .undoable(canUndo: true, moves: 15, text: "1 point of Ann"))
        #expect(world.time.nextDue == nil)
    }

    @Test func `Moves do not disturb the time`() throws {
        let id = try world.makeGame()
        let view = world.watch(try world.scoreboard(of: id), only: ["time"])
        view.forget()
        view.send(.togglePause)
        let player = try world.player("home/1", of: id)
        for _ in 1...7 {
            world.time.advance(by: .milliseconds(30))
            player.handle(.foulMove, settling: world.libraries)
        }
        view.expect(.time(text: "00:00.1"), .time(text: "00:00.2"))
    }

    @Test func `The time is right for a view that binds while the game runs`() throws {
        let id = try world.makeGame()
        try world.scoreboard(of: id).handle(.togglePause, settling: world.libraries)
        world.time.advance(to: .seconds(2.25))
        let view = world.watch(try world.scoreboard(of: id), only: ["time"])
        view.expect(.time(text: "00:02.2"))
        world.time.advance(to: .seconds(2.3))
        view.expect(.time(text: "00:02.3"))
    }

    @Test func `A released scoreboard needs no timer`() throws {
        do {
            let view = try running()
            #expect(world.time.nextDue != nil)
            view.expectNothing()
        }
        #expect(world.time.nextDue == nil)
    }

    @Test(arguments: [
        (0, "00:00.0"), (9.99, "00:09.9"), (59.95, "00:59.9"), (60, "01:00.0"), (70.3, "01:10.3"),
        (600, "10:00.0"), (5999.99, "99:59.9"), (6000, "100:00.0"), (60_000, "1000:00.0"),
    ])
    func `The time has minutes, seconds and tenths`(seconds: Double, text: String) throws {
        let id = try world.makeGame()
        world.apply(.togglePause, to: id)
        world.time.move(to: .seconds(seconds))
        world.watch(try world.scoreboard(of: id), only: ["time"]).expect(.time(text: text))
    }
}
