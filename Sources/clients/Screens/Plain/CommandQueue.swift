/// Executes the commands of standard input, one after the other, and prints one answer for each.
package final class CommandQueue {
    /// What to do for a command.
    package enum Step {
        /// Print this. Nothing is sent.
        case answer(String)
        /// Send an event; when the daemon has handled it, print this.
        case send(answer: String, () -> Void)
    }

    private let run: PlainRun
    private let isReady: () -> Bool
    private let step: (String) -> Step
    private var waiting: [String] = []
    /// What to print when the daemon has handled the event; nil: no command is being executed.
    private var answer: String?

    /// - Parameters:
    ///   - isReady: whether all values are known that commands need; see `goOn`.
    ///   - step: what to do for a command. Called when the command before it is answered.
    package init(
        _ run: PlainRun, isReady: @escaping () -> Bool, _ step: @escaping (String) -> Step
    ) {
        (self.run, self.isReady, self.step) = (run, isReady, step)
    }

    package func add(_ line: String) {
        waiting.append(line)
        goOn()
    }

    /// Executes the next command. Call it when values have arrived.
    package func goOn() {
        while answer == nil, isReady(), !waiting.isEmpty {
            switch step(waiting.removeFirst()) {
            case .answer(let text): run.answer(text)
            case .send(let text, let send):
                answer = text
                send()
            }
        }
    }

    /// The daemon says what it did.
    package func replaceAnswer(with text: String) { if answer != nil { answer = text } }

    /// The daemon has handled the event; or it was not done, for this reason. Returns false if no
    /// command was being executed.
    @discardableResult
    package func answered(_ problem: String? = nil) -> Bool {
        guard let answer else { return false }
        self.answer = nil
        run.answer(problem ?? answer)
        goOn()
        return true
    }
}
