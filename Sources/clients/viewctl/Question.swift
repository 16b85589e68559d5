import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol

/// A verb that sends one request and ends with its answer.
protocol Question: Command {
    var request: BusRequest { get }

    func show(_ answer: Answer, _ form: Form, _ paper: Paper)

    /// The message on standard error after a refusal.
    func explain(_ error: WireError) -> String
}

struct Answer {
    /// The value of `ok`.
    let value: JSONValue
    let delay: Duration
}

extension Question {
    func run(_ settings: Settings, _ paper: Paper) -> ExitStatus { ask(settings, paper) }

    func explain(_ error: WireError) -> String { refusal(error) }

    func ask(_ settings: Settings, _ paper: Paper) -> ExitStatus {
        do throws(LoopFailure) {
            let connection = try settings.connection()
            let inquiry = Inquiry(connection, request, within: settings.timeout ?? .seconds(5))
            return tell(inquiry.run(), settings.form, paper)
        } catch {
            paper.complain("viewctl: \(error)")
            return .noConnection
        }
    }

    func tell(_ outcome: Inquiry.Outcome, _ form: Form, _ paper: Paper) -> ExitStatus {
        switch outcome {
        case .answered(let answer):
            show(answer, form, paper)
            return .done
        case .refused(let error):
            paper.complain(explain(error))
            return ExitStatus(refusedWith: error.code)
        case .noConnection(let loss):
            paper.complain("viewctl: \(loss)")
            return ExitStatus(loss)
        case .timedOut:
            paper.complain("viewctl: busd did not answer in time")
            return .timedOut
        }
    }

    /// Prints the value as JSON, or the lines of `text` if the form is text.
    func show(
        _ value: JSONValue, _ form: Form, _ paper: Paper, text: (Ink) -> [String]
    ) {
        if case .text(let ink) = form {
            paper.put(lines: text(ink))
        } else {
            paper.put(json: value.json)
        }
    }
}
