import BusdProtocol

/// The score, the clock, and the teams.
final class ContainerView: View {
    let output = Output<Scoreboard.ViewEvent>()
    private(set) var state = ContainerState()
    /// The newest `pause` or `resume`, until its answer.
    private(set) var unanswered: Scoreboard.ViewEvent?

    func handle(event: Scoreboard.ViewModelEvent) { state.apply(event) }

    /// Not `togglePause`: sent late, that may start a clock that it was meant to stop. While an
    /// earlier press has no answer, the next one asks for the opposite.
    func startOrPause() {
        let isPaused = unanswered.map { $0 == .pause } ?? state.isPaused
        let event: Scoreboard.ViewEvent = isPaused ? .resume : .pause
        unanswered = event
        output.send(event)
    }

    /// The daemon has answered an event, or will not.
    func answered(_ event: Scoreboard.ViewEvent) {
        if event == unanswered { unanswered = nil }
    }

    func undo() { output.send(.undo) }
}
