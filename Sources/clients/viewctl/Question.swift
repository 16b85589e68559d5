import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// A verb that sends one request and ends with its answer.
protocol Question: Command {
    var request: BusRequest { get }

    func show(_ answer: Answer, _ form: OutputForm, _ console: Console)

    /// The status after an answer with `ok`.
    func status(after answer: Answer) -> ExitStatus
}

struct Answer {
    /// The value of `ok`.
    let value: JSONValue
    let delay: Duration
}

extension Question {
    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        try ask(settings.session(else: .total(.seconds(5))), settings.form, console)
    }

    func ask(_ session: Session, _ form: OutputForm, _ console: Console) throws -> ExitStatus {
        let answer = Answer(value: try session.answer(to: request), delay: session.delay)
        show(answer, form, console)
        return status(after: answer)
    }

    func status(after answer: Answer) -> ExitStatus { .done }
}
