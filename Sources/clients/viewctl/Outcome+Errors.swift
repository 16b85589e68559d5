import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

extension Outcome {
    /// The end of a run that has thrown this.
    init(_ error: any Error) {
        switch error {
        case let outcome as Outcome: self = outcome
        case RequestFailure.refused(let error): self = .refusal(error)
        case RequestFailure.lost(let loss): self = .lost(loss)
        case let loss as Loss: self.init(ExitStatus(loss), "\(loss)")
        case RequestFailure.timedOut: self.init(.timedOut, "the daemon did not answer in time")
        default: self = .noConnection("\(error)")
        }
    }

    /// - Parameter missing: the message if there is no such view model.
    static func refusal(_ error: WireError, missing: String? = nil) -> Self {
        if let missing, error.code == .unknownViewModel { return Outcome(.refused, missing) }
        let place = error.path.map { "\n  at \($0)" } ?? ""
        let text = DescribedKinds.text(
            "\(error.message) (\(error.code.rawValue))" + place, error.suggestions)
        return Outcome(ExitStatus(refusedWith: error.code), text)
    }
}

extension Console {
    /// The exit status of a run. If it throws, the reason is written to standard error.
    func status(of run: () throws -> ExitStatus) -> ExitStatus {
        do {
            return try run()
        } catch let error as UsageError {
            writeError(error.description)
            return .usage
        } catch {
            let outcome = Outcome(error)
            if let message = outcome.message { note(message) }
            // Only a signal gives a status that is not an `ExitStatus`.
            guard let status = ExitStatus(rawValue: outcome.status) else { exit(outcome.status) }
            return status
        }
    }

    func note(_ text: String) { writeError("viewctl: \(text)") }

    /// The end of a run with a name or value that nothing has, after its message.
    func misfit(_ verb: String, _ problem: String) -> Outcome {
        writeError("viewctl \(verb): \(problem)")
        return Outcome(.usage)
    }

    /// Puts a line of JSON, or the lines of `text`.
    func put(_ value: JSONValue, _ form: OutputForm, text: (TextStyle) -> [String]) {
        put(json: [value.json], form, text: text)
    }

    /// Puts lines of JSON, or the lines of `text`.
    func put(
        json lines: @autoclosure () -> [ArraySlice<UInt8>], _ form: OutputForm,
        text: (TextStyle) -> [String]
    ) {
        switch form {
        case .json: for line in lines() { put(json: line) }
        case .text(let style): put(lines: text(style))
        }
    }
}
