import BusdGamesEvents
import BusdProtocol

/// The score, the clock, and the teams.
final class ContainerView: View {
    let output = Output<Scoreboard.ViewEvent>()
    private(set) var state = ContainerState()
    /// The newest `pause` or `resume`, until its answer.
    private(set) var unanswered: Scoreboard.ViewEvent?
    /// A move was taken back or done again.
    var onCorrected: ((String) -> Void)?
    /// The score has changed, but not from unknown.
    var onScored: ((String) -> Void)?

    func handle(event: Scoreboard.ViewModelEvent) {
        let before = state.score
        state.apply(event)
        if !before.isEmpty, ExactText(before) != ExactText(state.score) { onScored?(state.score) }
        if case .corrected(let text) = event { onCorrected?(text) }
    }

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

    /// Sends a correction of what is shown now.
    func correct(_ correction: Correction) {
        switch correction {
        case .undo: output.send(.undo(moves: state.moves))
        case .redo: output.send(.redo(moves: state.moves))
        case .moveClock(let seconds):
            output.send(.moveClock(seconds: seconds, setting: state.setting))
        case .startClock(let time):
            output.send(.setClock(time: time, starts: true, setting: state.setting))
        }
    }
}
