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

    @Test func `the container view shows the values of its view model, and sends events`() {
        let model = Model()
        let view = ContainerView()
        view.bind(with: model)
        #expect(view.state.line == "Hawks 3 - 2 Jets  01:10.3  Hawks win")
        view.startOrPause()
        view.handle(event: .paused(isPaused: false))
        view.startOrPause()
        view.undo()
        #expect(model.received == [.resume, .pause, .undo(moves: 7)])
    }

    @Test func `a second press before the answer sends the opposite`() {
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

    @Test func `a line shows the event that waits for the daemon`() {
        var state = ContainerState.hawksAndJets()
        state.waiting = .resume
        #expect(state.line == "Hawks 3 - 2 Jets  01:10.3  start will be sent")
        state.apply(.paused(isPaused: false))
        state.waiting = .pause
        #expect(state.line == "Hawks 3 - 2 Jets  01:10.3  pause will be sent")
    }

    @Test func `a line shows whether the game runs`() {
        var state = ContainerState.hawksAndJets()
        #expect(state.line == "Hawks 3 - 2 Jets  01:10.3  paused")
        state.apply(.paused(isPaused: false))
        #expect(state.line == "Hawks 3 - 2 Jets  01:10.3  running")
        state.apply(.finished(isFinished: true, winner: .away))
        #expect(state.line == "Hawks 3 - 2 Jets  01:10.3  Jets win")
    }

    @Test func `a player's view shows the counts, and sends the moves`() {
        let model = PlayerModel()
        let view = PlayerView()
        view.bind(with: model)
        #expect(view.state.line == "Ann  1pt 2  2pt 1  ast 0  reb 3  foul 0")
        #expect(Move.allCases.map { view.state[$0].isZero } == [false, false, true, false, true])
        for move in Move.allCases { view.make(move) }
        #expect(model.received == Player.ViewEvent.examples)
    }

    @Test func `a game as text is a line, or the picture of a view`() {
        func text(_ parts: GameParts?) -> String {
            GameText(container: .hawksAndJets(), content: .hawksAndJets, parts: parts).text
        }
        #expect(text(nil) == "Hawks 3 - 2 Jets  01:10.3  paused\n")
        #expect(text(.content).hasPrefix("    Hawks        1pt 2pt ast reb foul        Jets"))
        #expect(text(.container).split(separator: "\n").count == 14)
        #expect(text(.container).split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(
            ContentState.hawksAndJets.lines.first
                == "Hawks: Ann  1pt 1  2pt 1  ast 0  reb 3  foul 0")
    }
}
