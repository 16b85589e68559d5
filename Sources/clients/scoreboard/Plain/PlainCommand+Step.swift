import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens

extension PlainCommand {
    /// What to do for a line of standard input.
    static func step(
        _ line: String, _ container: ContainerView, _ content: ContentView
    ) -> CommandQueue.Step {
        do throws(Problem) {
            return try PlainCommand(line, content.state).step(container, content)
        } catch {
            return .answer(error.text)
        }
    }

    private func step(_ container: ContainerView, _ content: ContentView) -> CommandQueue.Step {
        switch self {
        case .make(let move, let player):
            if container.state.isFinished { return .answer("the game is over") }
            return .send(answer: "\(move.phrase) of \(content.state.name(player))") {
                content.view(of: player)?.make(move)
            }
        case .start: return .send(answer: "started") { container.output.send(.resume) }
        case .pause: return .send(answer: "paused") { container.output.send(.pause) }
        // If there was a move, the daemon says which one.
        case .correct(.undo):
            return .send(answer: "nothing was taken back") { container.correct(.undo) }
        case .correct(.redo):
            return .send(answer: "nothing was done again") { container.correct(.redo) }
        case .correct(let correction):
            return .send(answer: "the clock was moved") { container.correct(correction) }
        }
    }
}
