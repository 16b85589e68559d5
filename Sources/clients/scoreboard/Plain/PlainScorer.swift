import BusdClient
import BusdProtocol
import BusdScreens

/// Executes commands, one after the other, and prints one answer for each.
final class PlainScorer {
    private let container: ContainerView
    private let content: ContentView
    private let run: PlainRun
    private var waiting: [String] = []
    /// The answer to print when the daemon has answered; nil: no command is being executed.
    private var answer: String?

    init(_ container: ContainerView, _ content: ContentView, _ run: PlainRun) {
        (self.container, self.content, self.run) = (container, content, run)
        container.onCorrected = { [weak self] in if self?.answer != nil { self?.answer = $0 } }
    }

    func add(_ line: String) {
        waiting.append(line)
        goOn()
    }

    /// Executes the next command if all players are known.
    func goOn() {
        while answer == nil, content.isLive, !waiting.isEmpty { execute(waiting.removeFirst()) }
    }

    private func execute(_ line: String) {
        do {
            try execute(PlainCommand(line, content.state))
        } catch {
            run.answer(error.text)
        }
    }

    private func execute(_ command: PlainCommand) throws(PlainCommand.Problem) {
        switch command {
        case .make(let move, let player):
            if container.state.isFinished { throw .init(text: "the game is over") }
            answer = "\(move.phrase) of \(content.state.name(player))"
            content.view(of: player)?.make(move)
        case .start: send(.resume, "started")
        case .pause: send(.pause, "paused")
        case .correct(.undo): correct(.undo, "nothing was taken back")
        case .correct(.redo): correct(.redo, "nothing was done again")
        case .correct(let correction): correct(correction, "the clock was moved")
        }
    }

    private func send(_ event: Scoreboard.ViewEvent, _ answer: String) {
        self.answer = answer
        container.output.send(event)
    }

    private func correct(_ correction: Correction, _ answer: String) {
        self.answer = answer
        container.correct(correction)
    }

    /// The daemon has handled the command; or it was not done, for this reason. Returns false if no
    /// command was being executed.
    @discardableResult
    func answered(_ problem: String? = nil) -> Bool {
        guard let answer else { return false }
        self.answer = nil
        run.answer(problem ?? answer)
        goOn()
        return true
    }
}
