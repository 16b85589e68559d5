import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol

/// A verb that sends one request and ends with its answer.
protocol Question: Command {
    var request: BusRequest { get }

    func show(_ answer: Answer, _ form: Form, _ console: Console)

    /// The status after an answer with `ok`.
    func status(after answer: Answer) -> ExitStatus

    /// The message on standard error after a refusal.
    func explain(_ error: WireError) -> String
}

struct Answer {
    /// The value of `ok`.
    let value: JSONValue
    let delay: Duration
}

extension Question {
    func run(_ settings: Settings, _ console: Console) -> ExitStatus { ask(settings, console) }

    func status(after answer: Answer) -> ExitStatus { .done }

    func explain(_ error: WireError) -> String { refusal(error) }

    /// - Parameter wait: how long to wait for a daemon; nil: there must be one.
    func ask(
        _ settings: Settings, _ console: Console, waiting wait: Duration? = nil
    ) -> ExitStatus {
        do throws(LoopFailure) {
            let connection = try settings.connection()
            let singleRequest = SingleRequest(
                connection, request, within: wait ?? settings.timeout ?? .seconds(5),
                waits: wait != nil)
            return report(singleRequest.run(), settings.form, console)
        } catch {
            console.writeError("viewctl: \(error)")
            return .noConnection
        }
    }

    func report(_ outcome: SingleRequest.Outcome, _ form: Form, _ console: Console) -> ExitStatus {
        switch outcome {
        case .success(let answer):
            show(answer, form, console)
            return status(after: answer)
        case .failure(let failure): return failure.report(console, explain: explain)
        }
    }

    /// Prints the value as JSON, or the lines of `text` if the form is text.
    func show(
        _ value: JSONValue, _ form: Form, _ console: Console, text: (TextStyle) -> [String]
    ) {
        if case .text(let style) = form {
            console.put(lines: text(style))
        } else {
            console.put(json: value.json)
        }
    }
}
