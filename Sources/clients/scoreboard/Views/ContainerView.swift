import BusdProtocol

/// The score, the clock, and the teams.
final class ContainerView: View {
    let output = Output<Scoreboard.ViewEvent>()
    private(set) var state = ContainerState()
    /// The newest `pause` or `resume`, until its answer.
    private(set) var unanswered: Scoreboard.ViewEvent?

    func handle(event: Scoreboard.ViewModelEvent) { state.apply(event) }

    /// Sends `pause` or `resume`, because a late `togglePause` could start a clock that it was
    /// meant to stop. While an earlier press has no answer, the next one sends the opposite.
    func startOrPause() {
        let isPaused = unanswered.map { $0 == .pause } ?? state.isPaused
        let event: Scoreboard.ViewEvent = isPaused ? .resume : .pause
        unanswered = event
        output.send(event)
    }

    /// The daemon has answered an event, or it will never answer.
    func answered(_ event: Scoreboard.ViewEvent) {
        if event == unanswered { unanswered = nil }
    }

    func undo() { output.send(.undo(moves: state.moves)) }
}
