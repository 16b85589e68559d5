import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import Testing

@testable import scoreboard

@Suite struct ViewTests {
    /// A view model of a scoreboard that records its events.
    private final class Model: ViewModel {
        let output = Output<Scoreboard.ViewModelEvent>()
        var received: [Scoreboard.ViewEvent] = []
        func handle(event: Scoreboard.ViewEvent) { received.append(event) }
        func start() { for event in Scoreboard.ViewModelEvent.examples { output.send(event) } }
    }

    private final class PlayerModel: ViewModel {
        let output = Output<Player.ViewModelEvent>()
        var received: [Player.ViewEvent] = []
        func handle(event: Player.ViewEvent) { received.append(event) }
        func start() { for event in Player.ViewModelEvent.examples { output.send(event) } }
    }

    @Test func `The container view shows the values of its view model, and sends events`() {
        let model = Model()
        let view = ContainerView()
        view.bind(with: model)
        #expect(view.state.line == "Hawks 3 - 2 Jets  01:10.3  Hawks win")
        view.startOrPause()
        view.handle(event: .paused(isPaused: false))
        view.startOrPause()
        for correction in [Correction.undo, .redo, .moveClock(-10), .startClock("01:12.0")] {
            view.correct(correction)
        }
        #expect(
            model.received == [
                .resume, .pause, .undo(moves: 7), .redo(moves: 7),
                .moveClock(seconds: -10, setting: 1),
                .setClock(time: "01:12.0", starts: true, setting: 1),
            ])
    }

    @Test func `A correction is reported in words`() {
        let view = ContainerView()
        var reported: [String] = []
        view.onCorrected = { reported.append($0) }
        view.handle(event: .corrected(text: "took back 2 points of Ed"))
        #expect(reported == ["took back 2 points of Ed"])
    }

    @Test func `A clock that a restart stopped would be later by the time since then`() {
        var clock = RunningClock()
        var state = ContainerState.hawksAndJets()
        func instant(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }
        state.apply(.paused(isPaused: false))
        clock.observe(state, at: instant(100))
        #expect(clock.time(of: state, at: instant(110)) == nil)

        state.apply(.time(text: "01:10.1"))
        state.apply(.paused(isPaused: true))
        state.apply(.clock(setting: 4, stopped: 1_767_225_600))
        clock.observe(state, at: instant(120))
        #expect(clock.time(of: state, at: instant(195)) == "02:45.3")

        state.apply(.clock(setting: 5, stopped: nil))
        clock.observe(state, at: instant(200))
        state.apply(.clock(setting: 5, stopped: 1_767_225_600))
        #expect(clock.time(of: state, at: instant(201)) == nil)
    }

    @Test(arguments: ["00:00.0", "01:10.3", "59:59.9", "123:00.1"])
    func `The text of a clock is read and written`(text: String) throws {
        #expect(clockText(tenths: try #require(tenths(ofClock: text))) == text)
    }

    @Test(arguments: ["", "1:2", "01:60.0", "01:-1.0", "a:b.c", "9999999999:00.0", "01:10.33"])
    func `Other texts are no clock`(text: String) { #expect(tenths(ofClock: text) == nil) }

    @Test func `A play is corrected by its row`() throws {
        let view = PlaysView()
        var sent: [Plays.ViewEvent] = []
        view.output.bind(view) { sent.append($1) }
        let row = try #require(Plays.Row.play(3, .away, 1, .foul))
        let first = try #require(PlayerIndex(0))
        view.change(row, to: PlayerChoice(side: .home), .foul)
        view.change(row, to: row.player, .twoPoint)
        view.change(row, to: row.player, .foul)
        view.takeOut(row)
        #expect(
            sent == [
                .change(play: row, side: .home, index: first, move: .foul),
                .change(play: row, side: .away, index: row.index, move: .twoPoint),
                .takeOut(play: row),
            ])
    }

    @Test func `A second press before the answer sends the opposite`() {
        let view = ContainerView()
        var sent: [Scoreboard.ViewEvent] = []
        view.output.bind(view) { sent.append($1) }
        view.handle(event: .paused(isPaused: false))
        for _ in 1...3 { view.startOrPause() }
        #expect(sent == [.pause, .resume, .pause])
        view.answered(.resume)
        #expect(view.unanswered == .pause)
        view.answered(.pause)
        #expect(view.unanswered == nil)
        #expect(sent[0].withoutAnswer == "no answer: pause may not have been done")
    }

    @Test func `A line shows the event that waits for the daemon`() {
        var state = ContainerState.hawksAndJets()
        state.waiting = .resume
        #expect(state.line == "Hawks 3 - 2 Jets  01:10.3  start will be sent")
        state.apply(.paused(isPaused: false))
        state.waiting = .pause
        #expect(state.line == "Hawks 3 - 2 Jets  01:10.3  pause will be sent")
    }

    @Test func `A line shows whether the game runs`() {
        var state = ContainerState.hawksAndJets()
        #expect(state.line == "Hawks 3 - 2 Jets  01:10.3  paused")
        state.apply(.paused(isPaused: false))
        #expect(state.line == "Hawks 3 - 2 Jets  01:10.3  running")
        state.apply(.finished(isFinished: true, winner: .away))
        #expect(state.line == "Hawks 3 - 2 Jets  01:10.3  Jets win")
    }

    @Test func `A player's view shows the counts, and sends the moves`() {
        let model = PlayerModel()
        let view = PlayerView()
        view.bind(with: model)
        #expect(view.state.line == "Ann  1pt 2  2pt 1  ast 0  reb 3  foul 0")
        #expect(Move.allCases.map { view.state[$0].isZero } == [false, false, true, false, true])
        for move in Move.allCases { view.make(move) }
        #expect(model.received == Player.ViewEvent.examples)
    }

    @Test func `A game as text is a line, or the picture of a view`() {
        func text(_ parts: GameParts?) -> String {
            GameText(container: .hawksAndJets(), content: .hawksAndJets, parts: parts).text
        }
        #expect(text(nil) == "Hawks 3 - 2 Jets  01:10.3  paused\n")
        #expect(text(.content).hasPrefix("    Hawks        1pt 2pt ast reb foul        Jets"))
        #expect(text(.container).split(separator: "\n").count == 14)
        #expect(text(.container).split(separator: "\n").allSatisfy { $0.count <= 80 })
        var over = ContainerState.hawksAndJets(15, 13)
        over.apply(.finished(isFinished: true, winner: .home))
        var players = ContentState.fiveEach
        players.isFinished = true
        #expect(
            GameText(container: over, content: players, parts: nil, plays: .twelve).text == """
                Hawks 15 - 13 Jets  01:10.3  Hawks win

                    Hawks        1pt 2pt ast reb foul        Jets         1pt 2pt ast reb foul
                    Ann            1   1   0   3    0        Di             0   1   0   0    0
                    Bo             0   0   2   0    1        Ed             0   0   0  12    0
                    Cy             0   0   0   0    0        Flo            0   0   1   0    0
                    Gus            0   1   0   0    2        Ike            1   0   0   2    1
                    Hal            0   0   0   0    0        Joe            0   0   3   0    0
                    Team fouls                      3        Team fouls                      1

                    Plays
                     1           Ed                  Jets                2 points
                     2           Cy                  Hawks               an assist
                     3  00:12.4  Ike                 Jets                a rebound
                     4  00:13.4  Hal                 Hawks               a foul
                     5  00:14.4  Di                  Jets                1 point
                     6  00:15.4  Bo                  Hawks               2 points
                     7  00:16.4  Flo                 Jets                an assist
                     8  00:17.4  Gus                 Hawks               a rebound
                     9  00:18.4  Joe                 Jets                a foul
                    10  00:19.4  Ann                 Hawks               1 point
                    11  00:20.4  Ed                  Jets                2 points
                    12  00:21.4  Cy                  Hawks               an assist

                """)
        #expect(
            ContentState.hawksAndJets.lines.first
                == "Hawks: Ann  1pt 1  2pt 1  ast 0  reb 3  foul 0")
    }
}
