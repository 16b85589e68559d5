import Protocol

/// The score, the clock, and who plays.
final class ContainerView: View {
    let output = Output<Scoreboard.ViewEvent>()
    private(set) var state = ContainerState()

    func handle(event: Scoreboard.ViewModelEvent) { state.apply(event) }

    func togglePause() { output.send(.togglePause) }

    func undo() { output.send(.undo) }
}
