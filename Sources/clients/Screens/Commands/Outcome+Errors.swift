import BusdClient
package import BusdOptions
package import BusdProtocol
import Glibc

extension Outcome {
    /// The end of a run that has thrown this.
    package init(_ error: any Error) {
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
    package static func refusal(_ error: WireError, missing: String? = nil) -> Self {
        if let missing, error.code == .unknownViewModel { return Outcome(.refused, missing) }
        let place = error.path.map { "\n  at \($0)" } ?? ""
        let text = "\(error.message) (\(error.code.rawValue))" + place
        return Outcome(ExitStatus(refusedWith: error.code), text.suggesting(error.suggestions))
    }
}

extension String {
    /// A message, and names that may be meant.
    package func suggesting(_ near: [String]) -> String {
        self + (near.isEmpty ? "" : "\n  did you mean \(near.joined(separator: " or "))?")
    }
}

extension Console {
    /// The exit status of a run. If it throws, the reason is written to standard error.
    package func status(of run: () throws -> ExitStatus) -> ExitStatus {
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
}
