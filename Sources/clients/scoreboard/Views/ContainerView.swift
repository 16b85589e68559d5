import BusdProtocol

/// The score, the clock, and who plays.
final class ContainerView: View {
    let output = Output<Scoreboard.ViewEvent>()
    private(set) var state = ContainerState()

    func handle(event: Scoreboard.ViewModelEvent) { state.apply(event) }

    /// Not `togglePause`: sent late, that may start a clock that it was meant to stop.
    func startOrPause() { output.send(state.isPaused ? .resume : .pause) }

    func undo() { output.send(.undo) }
}
